import {
  divide,
  highest,
  logarithm,
  lowest,
  multiply,
  subtract,
  sum,
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
  columns: (bars, { period }) => {
    const range = subtract(highest(bars.high, period), lowest(bars.low, period));
    const path = divide(sum(trueRange(bars), period), range);
    return { chop: multiply(logarithm(path), 100 / Math.log(period)) };
  },
});
