import { ema, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Double exponential moving average: twice the EMA minus its own EMA, each seeded with the mean of
 * its first values.
 *
 * @see Mulloy 1994, Smoothing Data with Faster Moving Averages, Stocks & Commodities.
 */
export const dema = indicator({
  name: 'dema',
  title: 'Double exponential moving average',
  params: [barsParam('period')],
  priceOutputs: ['dema'],
  columns: ({ close }, { period }) => {
    const once = ema(close, period);
    return { dema: subtract(multiply(once, 2), ema(once, period)) };
  },
});
