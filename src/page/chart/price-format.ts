/** Values on the axes of the chart, with decimals that tell those beside each other apart. */

import type { PriceFormatCustom } from 'lightweight-charts';

const DECIMALS_MIN = 2;
/** Smaller steps are lost in the chart's own arithmetic. */
const DECIMALS_MAX = 10;
/** Significant digits of values below 1. */
const DIGITS = 4;

function decimalsOf(size: number): number {
  if (!(size > 0 && size < 1)) return DECIMALS_MIN;
  return Math.min(DECIMALS_MAX, DIGITS - 1 - Math.floor(Math.log10(size)));
}

/** Returns the decimals of a step between two labels: 2 for 0.5, 4 for 0.0025. */
function decimalsOfStep(step: number): number {
  for (let decimals = DECIMALS_MIN; decimals < DECIMALS_MAX; decimals++) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) <= 1e-6 * scaled) return decimals;
  }
  return DECIMALS_MAX;
}

/**
 * Formats the values of an axis.
 *
 * @param unit Smallest size of value that matters: a price below it has fewer digits.
 * @param isShown Leaves other labels out.
 */
export function axisFormat(unit: number, isShown: (value: number) => boolean): PriceFormatCustom {
  const formatter = (value: number) => value.toFixed(decimalsOf(Math.max(unit, Math.abs(value))));
  return {
    type: 'custom',
    minMove: 10 ** -decimalsOf(unit),
    formatter,
    tickmarksFormatter: (values) => {
      const decimals = values.length > 1 ? decimalsOfStep(Math.abs(values[1] - values[0])) : 0;
      const text = (value: number) => (decimals ? value.toFixed(decimals) : formatter(value));
      return values.map((value) => (isShown(value) ? text(value) : ''));
    },
  };
}

/** Returns the smallest price; 1 if there is none. */
export function smallestPrice(prices: Float64Array): number {
  const least = prices.reduce(
    (least, price) => (price > 0 && price < least ? price : least),
    Infinity,
  );
  return Number.isFinite(least) ? least : 1;
}

/** Returns the size of the value that is farthest from 0; 1 if there is none. */
export function largestSize(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0) || 1;
}
