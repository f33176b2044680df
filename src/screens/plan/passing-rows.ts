/** Rows that pass filters: expressions that must be true, and marks of rows. */

import type { SymbolExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { evaluateExpression } from './evaluate.ts';

/** Holds 1 at each row that passes. */
export type RowMarks = Uint8Array;

/** Filters of a screen; a null passes none. */
export interface RowFilters {
  filters: readonly SymbolExpression[];
  marks?: readonly RowMarks[];
}

/** Returns all rows that pass, ascending. */
export function passingRows(values: SymbolValues, { filters, marks = [] }: RowFilters): Int32Array {
  const rows = Int32Array.from({ length: values.count }, (_, row) => row);
  let count = rows.length;
  for (const filter of filters) count = keepPassing(values, filter, rows, count);
  for (const accepts of marks) count = keepMarked(accepts, rows, count);
  return rows.subarray(0, count);
}

/**
 * Keeps those of the first `count` rows that pass a filter, at the front and in their order.
 *
 * @returns The number of rows that pass.
 */
export function keepPassing(
  values: SymbolValues,
  filter: SymbolExpression,
  rows: Int32Array,
  count: number,
): number {
  if (filter.kind === 'range') {
    return keepInRange(values.number(filter.name), filter.min, filter.max, rows, count);
  }
  const coded = filter.kind === 'text' ? values.coded?.(filter.name) : undefined;
  if (filter.kind !== 'text' || !coded) {
    const truth = evaluateExpression(filter, values);
    return keepInRange(truth, 1, 1, rows, count);
  }
  const accepts = Uint8Array.from(lowerCase(coded.texts), (text) =>
    text !== null && filter.accepted.includes(text) ? 1 : 0,
  );
  return keepAccepted(coded.codes, accepts, rows, count);
}

const lowered = new WeakMap<readonly (string | null)[], readonly (string | null)[]>();

function lowerCase(texts: readonly (string | null)[]): readonly (string | null)[] {
  const known = lowered.get(texts) ?? texts.map((text) => text?.toLowerCase() ?? null);
  lowered.set(texts, known);
  return known;
}

function keepInRange(
  column: Float64Array,
  min: number,
  max: number,
  rows: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    const value = column[row];
    // A comparison with NaN is false.
    if (value >= min && value <= max) rows[kept++] = row;
  }
  return kept;
}

function keepAccepted(
  column: Uint16Array,
  accepts: Uint8Array,
  rows: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    if (accepts[column[row]] === 1) rows[kept++] = row;
  }
  return kept;
}

export function keepMarked(accepts: RowMarks, rows: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    if (accepts[row] === 1) rows[kept++] = row;
  }
  return kept;
}
