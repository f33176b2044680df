/** Parts of a screen's columns whose values are published, so that nothing needs to compute them. */

import type { Column } from '../../compute/columns/column.ts';
import { columnText, replaceParts } from '../../compute/columns/column-text.ts';
import { defaultColumns } from '../../compute/indicators/catalogue.ts';

/** Names of published columns, by the text of their expression. */
const namesByText = new Map(
  defaultColumns.map(({ name, spec, params, output }) => [
    columnText(spec.expressions(params)[spec.outputs.indexOf(output)]),
    name,
  ]),
);

/**
 * Replaces the parts of a column that are published by their stored values.
 *
 * @param published Names of the columns that a version has.
 */
export function withStoredInputs(column: Column, published: readonly string[]): Column {
  return replaceParts(column, (part) => {
    if (part.kind !== 'operation') return undefined;
    const name = namesByText.get(columnText(part));
    if (name === undefined || !published.includes(name)) return undefined;
    return { kind: 'input', name: `stored ${name}`, first: 0 };
  });
}
