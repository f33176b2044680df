import { limits } from '../../base/limits.ts';
import { barsParam, indicator } from './indicator-spec.ts';
import {
  FIRST,
  holdCloses,
  isOutlier,
  MEAN,
  MODE,
  meanOfWindow,
  SLOTS,
  SUMMED,
  TAKEN,
  WHOLE,
  windowLength,
} from './window.ts';

/** Suffix sums of the block before the open one, by place; used within one run. */
const suffixes = new Float64Array(limits.indicator.periodMax);

/**
 * Simple moving average: the mean of the last `period` closes. Equal closes give exactly that
 * close. Costs two passes, and a pass per window in a block that opens with an outlier.
 *
 * @see window.ts for the blocks that the kernel sums over.
 */
export const sma = indicator({
  name: 'sma',
  title: 'Simple moving average',
  params: [barsParam('period')],
  inputs: ['close'],
  outputs: ['sma'],
  mainOutput: 'sma',
  isPublished: true,
  gaps: 'window',
  warmups: ({ period }) => ({ sma: period - 1 }),
  stateLength: ({ period }) => windowLength(period),
  run({ close }, { period }, { sma: out }, state) {
    const length = close.length;
    // Whole numbers to the compiler too: the loops index with them.
    let taken = state[TAKEN] | 0;
    let mode = state[MODE] | 0;
    let isWhole = true;
    if (mode === SUMMED) sumSuffixes(state, SLOTS, taken, period, state, SLOTS);
    for (let row = 0; row < length; ) {
      if (taken === period) {
        mode = isOutlier(close[row], row > 0 ? out[row - 1] : state[MEAN]) ? WHOLE : SUMMED;
        const isHeld = row < period;
        if (isHeld || mode === WHOLE) holdCloses(state, period, close, row, period);
        if (mode === SUMMED && isHeld) sumSuffixes(state, SLOTS, 0, period, close, row);
        else if (mode === SUMMED) sumSuffixes(close, row - period, 0, period, close, row);
        taken = 0;
      }
      const end = Math.min(length, row + period - taken);
      if (mode === SUMMED) averageBlock(state, close, row, end, taken, period, out);
      else if (!averageWindows(state, close, row, end, taken, period, mode, out)) isWhole = false;
      // The last window that ends in a block holds all of its closes.
      if (mode === SUMMED && !Number.isFinite(out[end - 1])) isWhole = false;
      taken += end - row;
      row = end;
    }
    holdCloses(state, period, close, length, taken);
    state[TAKEN] = taken;
    state[MODE] = mode;
    state[MEAN] = out[length - 1];
    return isWhole;
  },
});

/** Sums up `period` closes from the last to the one at place `from`, as differences from a pivot. */
function sumSuffixes(
  close: Float64Array,
  start: number,
  from: number,
  period: number,
  pivots: Float64Array,
  row: number,
): void {
  const pivot = pivots[row];
  let sum = 0;
  for (let i = start + period - 1, place = period - 1; place >= from; i--, place--) {
    suffixes[place] = sum;
    sum += close[i] - pivot;
  }
}

/** Fills rows of a block that has sums: suffix sums and the prefix sums of its own closes. */
function averageBlock(
  state: Float64Array,
  close: Float64Array,
  start: number,
  end: number,
  taken: number,
  period: number,
  out: Float64Array,
): void {
  const share = 1 / period;
  const pivot = taken === 0 ? close[start] : state[SLOTS];
  let prefix = 0;
  for (let place = 0; place < taken; place++) prefix += state[SLOTS + place] - pivot;
  for (let i = start, place = taken; i < end; i++, place++) {
    prefix += close[i] - pivot;
    out[i] = pivot + (prefix + suffixes[place]) * share;
  }
}

/**
 * Fills rows of a block without sums from each window alone.
 *
 * @returns False if a close is not finite.
 */
function averageWindows(
  state: Float64Array,
  close: Float64Array,
  start: number,
  end: number,
  taken: number,
  period: number,
  mode: number,
  out: Float64Array,
): boolean {
  let isWhole = true;
  for (let i = start, place = taken; i < end; i++, place++) {
    state[SLOTS + place] = close[i];
    if (!Number.isFinite(close[i])) isWhole = false;
    const isWarm = mode !== FIRST || place === period - 1;
    out[i] = isWarm ? meanOfWindow(state, period, place) : Number.NaN;
  }
  return isWhole;
}
