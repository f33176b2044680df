import { emaLag, smooth, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Moving Average Convergence Divergence: EMA(fast) − EMA(slow), each seeded with the mean of its
 * own first closes; the signal is the EMA of that line, seeded with the mean of its first values.
 * Some libraries seed with the first close, or start the fast average late, and differ at first.
 *
 * Both averages are taken as their lags behind the close. The price level, which the line does not
 * depend on, never enters it.
 */
export const macd = indicator({
  name: 'macd',
  title: 'Moving Average Convergence Divergence',
  params: [barsParam('fast', 12), barsParam('slow', 26), barsParam('signal', 9)],
  outputs: ['macd', 'signal', 'histogram'],
  isPublished: true,
  columns: ({ close }, params) => {
    const macd = subtract(emaLag(close, params.fast), emaLag(close, params.slow));
    const signal = smooth(macd, params.signal);
    return { macd, signal, histogram: subtract(macd, signal) };
  },
});
