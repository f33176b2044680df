import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';

/** Bars around closes: every other column follows from the close of the same bar alone. */
export function barsOf(close: Float64Array): IndicatorInput {
  return {
    open: close.map((value) => value * 0.99),
    high: close.map((value) => value * 1.02),
    low: close.map((value) => value * 0.97),
    close,
    volume: close.map((value) => Math.floor(value * 100) / 7),
  };
}
