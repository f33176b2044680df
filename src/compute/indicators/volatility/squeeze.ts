import {
  above,
  add,
  divide,
  highest,
  leanAndMean,
  lowest,
  mean,
  meanAndDeviation,
  multiply,
  subtract,
  trueRange,
} from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Squeeze: `on` is 1 while the Bollinger bands, `k` deviations wide, lie inside Keltner channels of
 * `width` mean true ranges around the same mean, else 0. `momentum` is the end of the line of least
 * squares through the last `period` distances of the close from the middle of prices: half-way
 * between their mean and the middle of their range.
 *
 * @see Carter 2005, Mastering the Trade.
 */
export const squeeze = indicator({
  name: 'squeeze',
  title: 'Squeeze',
  params: [{ ...barsParam('period', 20), min: 2 }, factorParam('k', 2), factorParam('width', 1.5)],
  outputs: ['momentum', 'on'],
  bounds: { on: [0, 1] },
  columns: (bars, { period, k, width }) => {
    const { close } = bars;
    const bands = meanAndDeviation(close, period);
    const range = mean(trueRange(bars), period);
    const middle = divide(add(highest(bars.high, period), lowest(bars.low, period)), 2);
    const distance = subtract(close, divide(add(middle, bands.mean), 2));
    const line = leanAndMean(distance, period);
    return {
      momentum: add(line.mean, multiply(line.lean, 3)),
      on: above(multiply(range, width), multiply(bands.deviation, k)),
    };
  },
});
