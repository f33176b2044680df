import { delay, ema, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Zero-lag exponential moving average: the EMA of the close plus its change over the average's lag,
 * (period − 1) / 2 bars rounded down. Seeded with the mean of the first `period` of these values.
 *
 * @see Ehlers and Way 2010, Zero Lag (Well, Almost), Stocks & Commodities.
 */
export const zlema = indicator({
  name: 'zlema',
  title: 'Zero-lag exponential moving average',
  params: [barsParam('period')],
  priceOutputs: ['zlema'],
  columns: ({ close }, { period }) => {
    const before = delay(close, Math.floor((period - 1) / 2));
    return { zlema: ema(subtract(multiply(close, 2), before), period) };
  },
});
