import { divide, highest, lowest, mean, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Slow stochastic oscillator: place of the close between the lowest low and the highest high, 0 to 100.
 * `k` is its mean over `smooth` bars, `d` the mean of `k` over `signal` bars. With `smooth` 1 it is the
 * fast one. A window without a range has no value, where some libraries give 0, 50 or 100.
 *
 * @see Lane 1984, Lane's Stochastics, Stocks & Commodities 2(3).
 */
export const stochastic = indicator({
  name: 'stochastic',
  title: 'Stochastic oscillator',
  params: [barsParam('period', 14), barsParam('smooth', 3), barsParam('signal', 3)],
  outputs: ['k', 'd'],
  bounds: { k: [0, 100], d: [0, 100] },
  columns: ({ high, low, close }, { period, smooth, signal }) => {
    const bottom = lowest(low, period);
    const place = divide(subtract(close, bottom), subtract(highest(high, period), bottom));
    const k = mean(multiply(place, 100), smooth);
    return { k, d: mean(k, signal) };
  },
});
