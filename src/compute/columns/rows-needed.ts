/** Bars that the newest value of a column depends on. */

import type { Column, Operation } from './column.ts';
import * as codes from './operations/opcodes.ts';

/** Operations that never forget their first row. */
export const ENDLESS: readonly number[] = [
  codes.EMA,
  codes.EMA_LAG,
  codes.SMOOTH,
  codes.WILDER,
  codes.RSI,
  codes.FOLLOW,
  codes.TOTAL,
  codes.HELD,
  codes.SNAPPED,
  codes.HIGHEST_SINCE,
  codes.PARABOLIC,
  codes.TREND,
];

/** Operations that sum their window in blocks of rows. */
const SUMS: readonly number[] = [codes.MEAN, codes.DEVIATION, codes.WEIGHTED, codes.LEAN];

/** Returns true for a sum over a window, such as a mean. */
export function isSum({ code }: Operation): boolean {
  return SUMS.includes(code);
}

/** Returns the rows before a value's own that an operation reads at most. */
export function rowsBefore(operation: Operation): number {
  const { code, period } = operation;
  if (ENDLESS.includes(code)) return Number.POSITIVE_INFINITY;
  if (code === codes.PADDED || period === 0) return 0;
  if (code === codes.DELAY) return period;
  return isSum(operation) ? 2 * period - 1 : period - 1;
}

/**
 * Returns the row from which on an operation must read, to have the bits of a run over all bars at
 * `row` and later.
 *
 * A sum takes blocks of `period` rows, and the mean of a block decides how the next one is summed:
 * the other way if its first value is more than 32 times that mean. So a sum needs the whole block
 * before the one of the row. A shorter run may round that mean differently if the block opens with
 * such a value itself. It matters only if the next block opens with exactly 32 times the mean, to
 * the last digit.
 */
export function firstRowRead(operation: Operation, row: number): number {
  const { period, start } = operation;
  if (!isSum(operation)) return Math.max(0, row - rowsBefore(operation));
  const block = Math.floor((row - start) / period);
  return block < 1 ? Math.min(start, row) : start + (block - 1) * period;
}

/**
 * Returns the number of newest bars, each at its own row of the series, from which a run gives the
 * newest value with the bits of a run over all bars, whatever its row. Infinity for a column that
 * depends on all bars.
 */
export function rowsNeeded(column: Column): number {
  return needOf(column, new Map());
}

function needOf(column: Column, known: Map<object, number>): number {
  if (column.kind !== 'operation') return 1;
  const { operation } = column;
  let need = known.get(operation);
  if (need !== undefined) return need;
  const needs = operation.inputs.map((input) => needOf(input, known));
  need = Math.max(...needs) + rowsBefore(operation);
  known.set(operation, need);
  return need;
}
