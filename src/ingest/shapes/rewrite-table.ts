/** Rewrites a text file as the plain table of its shape. */

import { pipeline } from 'node:stream/promises';
import { createWriteStream } from '../../base/world/files.ts';
import { csvFields } from '../inputs/csv-line.ts';
import { isTooLong, lineBatches } from '../inputs/file-lines.ts';
import type { Statements, Table } from './shape.ts';

/** Columns that hold a statement in each row, because intake reads them from columns. */
const STATED_COLUMNS = [
  ['symbol', 'symbol'],
  ['interval', 'interval'],
  ['basis', 'adjustment'],
  ['currency', 'currency'],
] as const satisfies readonly (readonly [keyof Statements, string])[];

/** Names and values of the statements that a table holds as columns. */
export function statedColumns(stated: Statements): (readonly [name: string, value: string])[] {
  return STATED_COLUMNS.flatMap(([aspect, name]) => {
    const value = stated[aspect]?.value;
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** Writes the table with the file's delimiter. A line that makes one row keeps its number. */
export async function rewriteTable(
  from: string,
  to: string,
  { delimiter, table }: { delimiter: string; table: Table },
): Promise<void> {
  await pipeline(tableText(from, delimiter, table), createWriteStream(to));
}

async function* tableText(path: string, delimiter: string, table: Table): AsyncGenerator<string> {
  const stated = statedColumns(table.stated);
  const lineOf = (fields: readonly string[]) => `${joinedFields(fields, delimiter)}\n`;
  const header = lineOf([...table.header, ...stated.map(([name]) => name)]);
  const values = stated.map(([, value]) => value);
  if (table.headerLines === 0) yield header;
  let toSkip = table.headerLines;
  for await (const lines of lineBatches(path)) {
    let text = '';
    for (const { text: line } of lines) {
      if (line.trim() === '') text += '\n';
      else if (toSkip > 0) {
        text += toSkip === table.headerLines ? header : '\n';
        toSkip--;
      }
      // It is refused as too long; rows of it would be made of its start alone.
      else if (isTooLong(line)) text += `${line}\n`;
      else {
        const rows = table.rows(csvFields(line, delimiter));
        text += rows.length === 0 ? '\n' : rows.map((row) => lineOf([...row, ...values])).join('');
      }
    }
    yield text;
  }
}

function joinedFields(fields: readonly string[], delimiter: string): string {
  return fields
    .map((field) =>
      field.includes(delimiter) || field.includes('"') ? `"${field.replaceAll('"', '""')}"` : field,
    )
    .join(delimiter);
}
