/** Returns of a signal: from an entry behind it to the exit of a horizon. */

import { inverse, productOfRatios, type Ratio } from '../../compute/bars/ratio.ts';
import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';
import type { RowStep } from '../run/bars-source.ts';

/** `next_open`: the open of the bar after the signal; `next_close`: that bar's close. */
export const ENTRIES = ['next_open', 'next_close'] as const;
export type Entry = (typeof ENTRIES)[number];

/** Stored bars of one symbol. */
export interface SignalBars {
  open: Float64Array;
  close: Float64Array;
  /** Splits between rows; undefined if the bars are on one price basis. */
  splits?: Splits | undefined;
  /** True if the symbol has ended: no later bar will come. */
  isEnded: boolean;
}

/** Returns the bars from a signal to its exit. A position of `next_close` begins a bar later. */
export function exitBars(entry: Entry, horizon: number): number {
  return entry === 'next_open' ? horizon : horizon + 1;
}

/** Splits of a series. */
export interface Splits {
  /** Rows from which on prices are in other shares than before, ascending. */
  rows: readonly number[];
  /** Returns the price of a later row, in shares of an earlier one, over that of the earlier row. */
  between(from: number, to: number): Ratio;
}

/**
 * Returns the splits of a series. A return takes those between its entry and its exit alone: with
 * all later ones on both prices, the next split would change its last digit.
 */
export function splitsOf(steps: readonly RowStep[], end: number): Splits | undefined {
  if (steps.length === 0) return undefined;
  const stepOf = new Int32Array(end);
  for (const [step, { fromRow }] of steps.entries()) stepOf.fill(step, fromRow);
  const between = steps.map((from) =>
    steps.map((to) => productOfRatios(to.ratio, inverse(from.ratio))),
  );
  const rows = steps.slice(1).map(({ fromRow }) => fromRow);
  return { rows, between: (from, to) => between[stepOf[from]][stepOf[to]] };
}

/**
 * Returns the rows whose return is the close of `steps` bars later over the entry's price, less 1: no
 * split lies between, and the bar is there. They ascend.
 */
export function plainRows({ close, splits }: SignalBars, steps: number): RowRange[] {
  const ranges: RowRange[] = [];
  const last = close.length - steps;
  let start = 0;
  for (const row of splits?.rows ?? []) {
    ranges.push({ start, end: Math.min(last, row - steps) });
    start = Math.max(start, row - 1);
  }
  ranges.push({ start, end: last });
  return ranges.filter(({ start, end }) => start < end);
}

/**
 * Returns the return of a signal of a row, as a fraction. It is NaN without a next bar, and where the
 * exit is still to come. A symbol that has ended leaves at its last close.
 */
export function signalReturn(
  { open, close, isEnded, splits }: SignalBars,
  entry: Entry,
  horizon: number,
  row: number,
): number {
  const price = (entry === 'next_open' ? open : close)[row + 1];
  const last = close.length - 1;
  let exit = row + exitBars(entry, horizon);
  if (exit > last) {
    if (!isEnded || row >= last) return Number.NaN;
    exit = last;
  }
  if (splits === undefined) return close[exit] / price - 1;
  const { numerator, denominator } = splits.between(row + 1, exit);
  return (close[exit] * numerator) / (price * denominator) - 1;
}

/**
 * Puts the returns of rows at a horizon into `out`, as `signalReturn` has them; −1 is no row.
 *
 * @param from  First place of the rows and of `out`; the others are `step` apart.
 */
export function takeReturns(
  bars: SignalBars,
  { entry, horizon }: { entry: Entry; horizon: number },
  rows: Int32Array,
  { from, step }: { from: number; step: number },
  out: Float64Array,
): void {
  const { open, close, splits } = bars;
  const price = entry === 'next_open' ? open : close;
  const steps = exitBars(entry, horizon);
  const end = splits === undefined ? close.length - steps : 0;
  for (let at = from; at < rows.length; at += step) {
    const row = rows[at];
    if (row < 0) out[at] = Number.NaN;
    else if (row < end) out[at] = close[row + steps] / price[row + 1] - 1;
    else out[at] = signalReturn(bars, entry, horizon, row);
  }
}

/** Returns true if a signal of a row leaves before its horizon, at the last close. */
export function isEarly({ close, isEnded }: SignalBars, steps: number, row: number): boolean {
  return isEnded && row < close.length - 1 && row + steps >= close.length;
}
