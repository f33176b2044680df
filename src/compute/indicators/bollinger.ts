import { limits } from '../../base/limits.ts';
import { barsParam, indicator } from './indicator-spec.ts';
import {
  closeAt,
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

/** Suffix sums of the block before the open one, by place, and sums of squares; as in `sma`. */
const sums = new Float64Array(limits.indicator.periodMax);
const squareSums = new Float64Array(limits.indicator.periodMax);

interface Bands {
  upper: Float64Array;
  middle: Float64Array;
  lower: Float64Array;
}

/**
 * Bollinger bands: SMA(period) ± k population standard deviations of the same closes. Equal closes
 * give three equal bands. Always lower ≤ middle ≤ upper; `middle` is the SMA, bit for bit.
 *
 * The blocks of `sma` also sum squares here. The pivot lies in the window, so the mean of squares
 * is at most `period` times the variance and little cancels; squares of the prices themselves
 * would leave no digit of it at prices near 1e9.
 */
export const bollinger = indicator({
  name: 'bollinger',
  title: 'Bollinger bands',
  params: [barsParam('period'), { name: 'k', default: 2, min: 0.01, max: 100, integer: false }],
  inputs: ['close'],
  outputs: ['upper', 'middle', 'lower'],
  mainOutput: 'middle',
  isPublished: true,
  gaps: 'window',
  warmups: ({ period }) => ({ upper: period - 1, middle: period - 1, lower: period - 1 }),
  stateLength: ({ period }) => windowLength(period),
  run({ close }, { period, k }, out, state) {
    const length = close.length;
    const { middle } = out;
    let taken = state[TAKEN] | 0;
    let mode = state[MODE] | 0;
    let isWhole = true;
    if (mode === SUMMED) sumSuffixes(state, SLOTS, taken, period, state, SLOTS);
    for (let row = 0; row < length; ) {
      if (taken === period) {
        mode = isOutlier(close[row], row > 0 ? middle[row - 1] : state[MEAN]) ? WHOLE : SUMMED;
        const isHeld = row < period;
        if (isHeld || mode === WHOLE) holdCloses(state, period, close, row, period);
        if (mode === SUMMED && isHeld) sumSuffixes(state, SLOTS, 0, period, close, row);
        else if (mode === SUMMED) sumSuffixes(close, row - period, 0, period, close, row);
        taken = 0;
      }
      const end = Math.min(length, row + period - taken);
      if (mode === SUMMED) bandsOfBlock(state, close, row, end, taken, period, k, out);
      else if (!bandsOfWindows(state, close, row, end, taken, period, k, mode, out))
        isWhole = false;
      if (mode === SUMMED && !Number.isFinite(middle[end - 1])) isWhole = false;
      taken += end - row;
      row = end;
    }
    holdCloses(state, period, close, length, taken);
    state[TAKEN] = taken;
    state[MODE] = mode;
    state[MEAN] = middle[length - 1];
    return isWhole;
  },
});

/** Sums differences as in `sma`, and their squares. */
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
  let sumOfSquares = 0;
  for (let i = start + period - 1, place = period - 1; place >= from; i--, place--) {
    sums[place] = sum;
    squareSums[place] = sumOfSquares;
    const difference = close[i] - pivot;
    sum += difference;
    sumOfSquares += difference * difference;
  }
}

/** Fills rows of a block that has sums: suffix sums and the prefix sums of its own closes. */
function bandsOfBlock(
  state: Float64Array,
  close: Float64Array,
  start: number,
  end: number,
  taken: number,
  period: number,
  k: number,
  { upper, middle, lower }: Bands,
): void {
  const share = 1 / period;
  const pivot = taken === 0 ? close[start] : state[SLOTS];
  let prefix = 0;
  let prefixSquares = 0;
  for (let place = 0; place < taken; place++) {
    const difference = state[SLOTS + place] - pivot;
    prefix += difference;
    prefixSquares += difference * difference;
  }
  for (let i = start, place = taken; i < end; i++, place++) {
    const difference = close[i] - pivot;
    prefix += difference;
    prefixSquares += difference * difference;
    const mean = (prefix + sums[place]) * share;
    const variance = (prefixSquares + squareSums[place]) * share - mean * mean;
    // Squares too small for a double may round to a variance just below zero.
    const width = k * Math.sqrt(Math.abs(variance));
    const centre = pivot + mean;
    middle[i] = centre;
    upper[i] = centre + width;
    lower[i] = centre - width;
  }
}

/**
 * Fills rows of a block without sums from each window alone, in two passes over it.
 *
 * @returns False if a close is not finite.
 */
function bandsOfWindows(
  state: Float64Array,
  close: Float64Array,
  start: number,
  end: number,
  taken: number,
  period: number,
  k: number,
  mode: number,
  { upper, middle, lower }: Bands,
): boolean {
  let isWhole = true;
  for (let i = start, place = taken; i < end; i++, place++) {
    state[SLOTS + place] = close[i];
    if (!Number.isFinite(close[i])) isWhole = false;
    let centre = Number.NaN;
    let squares = 0;
    if (mode !== FIRST || place === period - 1) {
      centre = meanOfWindow(state, period, place);
      for (let age = period - 1; age >= 0; age--) {
        squares += (closeAt(state, period, place, age) - centre) ** 2;
      }
    }
    const width = k * Math.sqrt(squares / period);
    middle[i] = centre;
    upper[i] = centre + width;
    lower[i] = centre - width;
  }
  return isWhole;
}
