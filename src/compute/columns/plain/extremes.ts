/**
 * Largest and smallest of the last `period` values, and the rows since. As in `windows.ts` a series
 * is cut into blocks, and a window is a suffix of one and a prefix of the next. State: by place,
 * values of the open block and suffixes of the one before; then the prefix; for rows since, the
 * same again with rows of the series.
 */

import { type Piece, startOf } from './piece.ts';

function findExtremes(piece: Piece, isHighest: boolean): void {
  const { one, values, a, to, states, at, stride, row, count } = piece;
  const { period } = one;
  const none = isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const prefix = at + period * stride;
  const start = startOf(piece);
  if (start === count) return;
  const seen = row + start - one.start;
  let place = seen % period;
  let isFirst = seen < period;
  let best = states[prefix];
  for (let k = start; k < count; k++) {
    if (place === 0) {
      best = none;
      let suffix = none;
      for (let i = period - 1; i >= 0; i--) {
        const slot = at + i * stride;
        const value = states[slot];
        states[slot] = suffix;
        suffix = isHighest ? Math.max(suffix, value) : Math.min(suffix, value);
      }
    }
    const slot = at + place * stride;
    const value = values[a + k];
    best = isHighest ? Math.max(best, value) : Math.min(best, value);
    const before = isFirst ? best : states[slot];
    values[to + k] = isHighest ? Math.max(best, before) : Math.min(best, before);
    states[slot] = value;
    if (++place < period) continue;
    place = 0;
    isFirst = false;
  }
  states[prefix] = best;
}

/** The newest of equal values counts. */
function findRowsSince(piece: Piece, isHighest: boolean): void {
  const { one, values, a, to, states, at, stride, row, count } = piece;
  const { period } = one;
  const none = isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const isBeyond = (x: number, y: number) => (isHighest ? x > y : x < y);
  const prefix = at + period * stride;
  /** From a value to its row. */
  const toRow = (period + 1) * stride;
  const start = startOf(piece);
  if (start === count) return;
  const seen = row + start - one.start;
  let place = seen % period;
  let isFirst = seen < period;
  let best = states[prefix];
  let bestRow = states[prefix + toRow];
  for (let k = start; k < count; k++) {
    if (place === 0) {
      best = none;
      let suffix = none;
      let suffixRow = 0;
      for (let i = period - 1; i >= 0; i--) {
        const slot = at + i * stride;
        const value = states[slot];
        const valueRow = states[slot + toRow];
        states[slot] = suffix;
        states[slot + toRow] = suffixRow;
        if (!isBeyond(value, suffix)) continue;
        suffix = value;
        suffixRow = valueRow;
      }
    }
    const slot = at + place * stride;
    const value = values[a + k];
    const here = row + k;
    if (!isBeyond(best, value)) {
      best = value;
      bestRow = here;
    }
    const isOlder = !isFirst && isBeyond(states[slot], best);
    values[to + k] = here - (isOlder ? states[slot + toRow] : bestRow);
    states[slot] = value;
    states[slot + toRow] = here;
    if (++place < period) continue;
    place = 0;
    isFirst = false;
  }
  states[prefix] = best;
  states[prefix + toRow] = bestRow;
}

export const highest = (piece: Piece): void => findExtremes(piece, true);
export const lowest = (piece: Piece): void => findExtremes(piece, false);
export const sinceHighest = (piece: Piece): void => findRowsSince(piece, true);
export const sinceLowest = (piece: Piece): void => findRowsSince(piece, false);
