/**
 * SMA and Bollinger bands bar by bar, with the blocks of their kernels: the sums of the block
 * before are taken once when a block opens, each bar then adds one close.
 */

import { assert } from '../../base/errors.ts';
import { type BollingerColumns, bollinger } from './bollinger.ts';
import type { NewBars, StateRows } from './incremental-state.ts';
import { isOutlier, meanOfWindow } from './window-mean.ts';

/**
 * Fields of a window in a state row. Closes of the open block replace, from the front, what the
 * block before left in the slots: its suffix sums, or its closes in a block without sums.
 */
const AHEAD = 0; // bars the block still takes; negative in a block without sums
const PIVOT = 1; // first close of the block
const SUM = 2; // of the block's differences from the pivot
const SQUARES = 3;
const SLOTS = 4;

/** How many fields a window has; the sums of squares follow the slots. */
export function windowFields(period: number): number {
  return SLOTS + 2 * period;
}

/**
 * Makes the fields at `base` those of a window before its first bar.
 *
 * The kernels take their first window as a whole, which is a block without sums. The NaN of bars
 * that do not exist makes the warm-up.
 */
export function clearWindow(rows: Float64Array, base: number, period: number): void {
  rows.fill(0, base, base + windowFields(period));
  rows[base + AHEAD] = -period;
  rows.fill(Number.NaN, base + SLOTS, base + SLOTS + period);
}

/**
 * Prepares the fields of a window for going on at a late bar of a history, as if it had gone
 * through all of it: a block needs the closes of the one before and their mean.
 *
 * How that block was summed rounds its mean differently, which matters only if it decides whether
 * the next one opens with an outlier; then an earlier block is taken.
 *
 * @returns The bar to go on with, the first of a block; 0 after `clearWindow`.
 */
export function seedWindow(
  rows: Float64Array,
  base: number,
  period: number,
  history: Float64Array,
): number {
  clearWindow(rows, base, period);
  const lastBlock = Math.floor((history.length - 1) / period) * period;
  for (let block = lastBlock; block >= period; block -= period) {
    const pivot = history[block - period];
    let sum = 0;
    for (let bar = block - period; bar < block; bar++) sum += history[bar] - pivot;
    const close = history[block];
    const isOut = isOutlier(close, pivot + sum * (1 / period));
    if (isOut !== isOutlier(close, meanOfWindow(history, block - 1, period))) continue;
    // Around closes that are not finite the windows take every bar in turn.
    if (!Number.isFinite(sum)) return 0;
    rows[base + AHEAD] = 0;
    rows[base + PIVOT] = pivot;
    rows[base + SUM] = sum;
    rows.set(history.subarray(block - period, block), base + SLOTS);
    return block;
  }
  return 0;
}

/** One window of all state rows. */
export interface WindowSpec {
  /** Where its fields begin in a row. */
  offset: number;
  period: number;
  /** Width of a band in standard deviations. */
  k: number;
}

/**
 * Takes bars into the windows and gives their bands, one per entry.
 *
 * @param bars With closes that are finite or NaN.
 */
export function advanceWindows(
  state: StateRows,
  bars: NewBars,
  window: WindowSpec,
  out: BollingerColumns,
): void {
  const { rows, rowLength } = state;
  const { symbols, closes } = bars;
  let entry = 0;
  for (;;) {
    entry = advanceWhileSummed(state, bars, window, out, entry);
    if (entry === closes.length) return;
    const base = symbols[entry] * rowLength + window.offset;
    assert(base < rows.length, `symbol ${symbols[entry]} has a state row`);
    if (rows[base + AHEAD] === 0) openBlock(rows, base, window.period, closes[entry]);
    if (rows[base + AHEAD] < 0) {
      advanceWhole(rows, base, closes[entry], window, out, entry);
      entry++;
    }
  }
}

/**
 * The plain loop for symbols inside of a block.
 *
 * @returns The first entry whose block is full or without sums, not touched; or their number.
 */
function advanceWhileSummed(
  { rows, rowLength }: StateRows,
  { symbols, closes }: NewBars,
  { offset, period, k }: WindowSpec,
  { upper, middle, lower }: BollingerColumns,
  start: number,
): number {
  const share = 1 / period;
  const entryCount = Math.min(closes.length, symbols.length);
  for (let entry = start; entry < entryCount; entry++) {
    const base = symbols[entry] * rowLength + offset;
    const ahead = rows[base + AHEAD];
    if (!(ahead > 0)) return entry;
    const slot = base + SLOTS + period - ahead;
    const close = closes[entry];
    const pivot = rows[base + PIVOT];
    const difference = close - pivot;
    const sum = rows[base + SUM] + difference;
    const squares = rows[base + SQUARES] + difference * difference;
    const mean = (sum + rows[slot]) * share;
    const variance = (squares + rows[slot + period]) * share - mean * mean;
    const width = k * Math.sqrt(Math.abs(variance));
    const centre = pivot + mean;
    rows[base + AHEAD] = ahead - 1;
    rows[base + SUM] = sum;
    rows[base + SQUARES] = squares;
    rows[slot] = close;
    middle[entry] = centre;
    upper[entry] = centre + width;
    lower[entry] = centre - width;
  }
  return entryCount;
}

/** Begins a block with a close, as the kernels do: with sums, unless the close is an outlier. */
function openBlock(rows: Float64Array, base: number, period: number, close: number): void {
  const meanBefore = rows[base + PIVOT] + rows[base + SUM] * (1 / period);
  if (isOutlier(close, meanBefore)) {
    rows[base + AHEAD] = -period;
    return;
  }
  let sum = 0;
  let squares = 0;
  for (let slot = base + SLOTS + period - 1; slot >= base + SLOTS; slot--) {
    const difference = rows[slot] - close;
    rows[slot] = sum;
    rows[slot + period] = squares;
    sum += difference;
    squares += difference * difference;
  }
  rows[base + AHEAD] = period;
  rows[base + PIVOT] = close;
  rows[base + SUM] = 0;
  rows[base + SQUARES] = 0;
}

/** A bar of a block without sums: the kernel itself, on the closes of the window. */
function advanceWhole(
  rows: Float64Array,
  base: number,
  close: number,
  { period, k }: WindowSpec,
  out: BollingerColumns,
  entry: number,
): void {
  const slots = rows.subarray(base + SLOTS, base + SLOTS + period);
  const taken = period + rows[base + AHEAD] + 1;
  slots[taken - 1] = close;
  const bands = lastBands([...slots.subarray(taken), ...slots.subarray(0, taken)], period, k);
  out.upper[entry] = bands.upper;
  out.middle[entry] = bands.middle;
  out.lower[entry] = bands.lower;
  rows[base + AHEAD]++;
  // The mean, where the opening of the next block looks for it.
  rows[base + PIVOT] = bands.middle;
  rows[base + SUM] = 0;
}

const NO_BANDS = { upper: Number.NaN, middle: Number.NaN, lower: Number.NaN };

/** @param closes Those of one window, oldest first. */
function lastBands(closes: number[], period: number, k: number): typeof NO_BANDS {
  // Most windows that come here are those of a warm-up.
  if (Number.isNaN(closes[0])) return NO_BANDS;
  const [upper, middle, lower] = [1, 2, 3].map(() => new Float64Array(period));
  bollinger(Float64Array.from(closes), period, k, { upper, middle, lower });
  return { upper: upper[period - 1], middle: middle[period - 1], lower: lower[period - 1] };
}
