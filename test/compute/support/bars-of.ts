import type { BarColumns } from '../../../src/base/bars.ts';
import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';

/** A number from 0 to 1 that follows from a close, and looks random. */
const scatter = (close: number, factor: number) => Math.abs(close * factor) % 1;

/** Bars around closes: every other column follows from the close of the same bar alone. */
export function barsOf(close: Float64Array): IndicatorInput {
  const high = close.map((value) => value * (1 + 0.04 * scatter(value, 97.31)));
  const low = close.map((value) => value * (1 - 0.04 * scatter(value, 61.77)));
  return {
    open: close.map((value, i) => low[i] + (high[i] - low[i]) * scatter(value, 43.13)),
    high,
    low,
    close,
    volume: close.map((value) => Math.floor(1e4 + 1e6 * scatter(value, 29.59))),
  };
}

/** The same bars, all at the epoch. */
export function datedBars(close: Float64Array): BarColumns {
  return { ...barsOf(close), timestampUs: new BigInt64Array(close.length) };
}
