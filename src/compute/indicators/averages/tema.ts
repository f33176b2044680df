import { add, ema, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Triple exponential moving average: 3 × (EMA − EMA of the EMA) + EMA of that, each seeded with the
 * mean of its first values.
 *
 * @see Mulloy 1994, Smoothing Data with Less Lag, Stocks & Commodities.
 */
export const tema = indicator({
  name: 'tema',
  title: 'Triple exponential moving average',
  params: [barsParam('period')],
  priceOutputs: ['tema'],
  columns: ({ close }, { period }) => {
    const once = ema(close, period);
    const twice = ema(once, period);
    return { tema: add(multiply(subtract(once, twice), 3), ema(twice, period)) };
  },
});
