/** Returns of a signal at each bar of a series: from an entry behind it to the exit of a horizon. */

/** `next_open`: the open of the bar after the signal; `next_close`: that bar's close. */
export const ENTRIES = ['next_open', 'next_close'] as const;
export type Entry = (typeof ENTRIES)[number];

/** Bars of one symbol, on one price basis. */
export interface SignalBars {
  open: Float64Array;
  close: Float64Array;
  /** True if the symbol has ended: no later bar will come. */
  isEnded: boolean;
}

/** Returns the bars from a signal to its exit. A position of `next_close` begins a bar later. */
export function exitBars(entry: Entry, horizon: number): number {
  return entry === 'next_open' ? horizon : horizon + 1;
}

/** Returns the price at which a signal of a row enters; NaN without a next bar. */
export function entryPrice({ open, close }: SignalBars, entry: Entry, row: number): number {
  return (entry === 'next_open' ? open : close)[row + 1] ?? Number.NaN;
}

/**
 * Writes the return of a signal at each row, as a fraction. It is NaN without a next bar, and where
 * the exit is still to come. A symbol that has ended leaves at its last close.
 *
 * @param out As long as the series.
 */
export function signalReturns(
  bars: SignalBars,
  entry: Entry,
  horizon: number,
  out: Float64Array,
): void {
  for (let row = 0; row < out.length; row++) out[row] = signalReturn(bars, entry, horizon, row);
}

/** Returns the return of a signal of one row, as `signalReturns` writes it. */
export function signalReturn(
  { open, close, isEnded }: SignalBars,
  entry: Entry,
  horizon: number,
  row: number,
): number {
  const prices = entry === 'next_open' ? open : close;
  const last = close.length - 1;
  const exit = row + exitBars(entry, horizon);
  if (exit <= last) return close[exit] / prices[row + 1] - 1;
  return isEnded && row < last ? close[last] / prices[row + 1] - 1 : Number.NaN;
}

/** Returns true if a signal of a row leaves before its horizon, at the last close. */
export function isEarly({ close, isEnded }: SignalBars, steps: number, row: number): boolean {
  return isEnded && row < close.length - 1 && row + steps >= close.length;
}
