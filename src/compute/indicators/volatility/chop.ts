import {
  above,
  choose,
  divide,
  highest,
  larger,
  logarithm,
  lowest,
  mean,
  multiply,
  smaller,
  subtract,
  trueRange,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Choppiness index: 100 × log(sum of true ranges / range of the whole window) / log(period). About
 * 100 in a sideways market, near 0 in a straight trend; undefined (NaN) where the price stood still.
 *
 * @see Dreiss 1993, in Stocks & Commodities: The Choppiness Index.
 */
export const chop = indicator({
  name: 'chop',
  title: 'Choppiness index',
  params: [{ ...barsParam('period'), min: 2 }],
  bounds: { chop: [0, Number.POSITIVE_INFINITY] },
  columns: (bars, { period }) => {
    const range = subtract(highest(bars.high, period), lowest(bars.low, period));
    // In units of the range. Rounding makes it 1 for a straight trend, and the period exactly.
    const path = larger(multiply(divide(mean(trueRange(bars), period), range), period), 1);
    const share = multiply(logarithm(path), 100 / Math.log(period));
    // The logarithms are rounded too.
    return { chop: choose(above(path, period), share, smaller(share, 100)) };
  },
});
