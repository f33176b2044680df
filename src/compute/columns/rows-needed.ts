/** Bars that the newest value of a column depends on. */

import type { Column } from './column.ts';
import * as codes from './opcodes.ts';

/** Operations that never forget their first row. */
const ENDLESS: readonly number[] = [
  codes.EMA,
  codes.EMA_LAG,
  codes.SMOOTH,
  codes.WILDER,
  codes.RSI,
  codes.FOLLOW,
  codes.TOTAL,
  codes.HELD,
  codes.PARABOLIC,
  codes.TREND,
];

/** Operations that sum their window in blocks of rows. */
const SUMS: readonly number[] = [codes.MEAN, codes.DEVIATION, codes.WEIGHTED, codes.LEAN];

/**
 * Returns the number of newest bars, each at its own row of the series, from which a run gives the
 * newest value with the bits of a run over all bars. Infinity for a column that depends on all bars.
 *
 * A sum takes blocks of `period` rows, and the mean of a block decides how the next one is summed:
 * the other way if its first value is more than 32 times that mean. So a sum needs the whole block
 * before the newest one, 2 × period − 1 rows at most. A shorter run may round that mean differently
 * if the block opens with such a value itself. It matters only if the next block opens with exactly
 * 32 times the mean, to the last digit.
 */
export function rowsNeeded(column: Column): number {
  return needOf(column, new Map());
}

function needOf(column: Column, known: Map<object, number>): number {
  if (column.kind !== 'operation') return 1;
  const { operation } = column;
  let need = known.get(operation);
  if (need !== undefined) return need;
  const { code, inputs, period } = operation;
  const before = inputs.map((input) => needOf(input, known));
  if (ENDLESS.includes(code)) need = Number.POSITIVE_INFINITY;
  else if (code === codes.PADDED) need = before[0];
  else if (code === codes.DELAY) need = before[0] + period;
  else if (SUMS.includes(code)) need = before[0] + 2 * period - 1;
  else if (period > 0) need = Math.max(before[0] + period - 1, ...before.slice(1));
  else need = Math.max(...before);
  known.set(operation, need);
  return need;
}
