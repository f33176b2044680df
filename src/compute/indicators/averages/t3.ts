import { add, type Column, ema, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Tillson's T3: three times in a row the double EMA with the share `factor` of its correction. It
 * is computed from the third to the sixth EMA of EMAs, each seeded with the mean of its first
 * values.
 *
 * @see Tillson 1998, Smoothing Techniques for More Accurate Signals, Stocks & Commodities.
 */
export const t3 = indicator({
  name: 't3',
  title: 'T3 moving average',
  params: [
    barsParam('period', 5),
    { name: 'factor', default: 0.7, min: 0.01, max: 1, integer: false },
  ],
  priceOutputs: ['t3'],
  columns: ({ close }, { period, factor: v }) => {
    const averages: Column[] = [close];
    for (let i = 0; i < 6; i++) averages.push(ema(averages[i], period));
    const third = averages[3];
    // The weights of the third to the sixth add up to 1; distances keep equal prices exact.
    const weights = [-3 * v * (1 + v) ** 2, 3 * v ** 2 * (1 + v), -(v ** 3)];
    const terms = weights.map((weight, i) => multiply(subtract(averages[4 + i], third), weight));
    return { t3: terms.reduce((sum, term) => add(sum, term), third) };
  },
});
