import { add, meanAndDeviation, multiply, subtract } from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Bollinger bands: SMA(period) ± k population standard deviations of the same closes. Equal closes
 * give three equal bands. Always lower ≤ middle ≤ upper; `middle` is the SMA, bit for bit.
 */
export const bollinger = indicator({
  name: 'bollinger',
  title: 'Bollinger bands',
  params: [barsParam('period'), factorParam('k', 2)],
  outputs: ['upper', 'middle', 'lower'],
  priceOutputs: ['upper', 'middle', 'lower'],
  mainOutput: 'middle',
  isPublished: true,
  columns: ({ close }, { period, k }) => {
    const { mean, deviation } = meanAndDeviation(close, period);
    const width = multiply(deviation, k);
    return { upper: add(mean, width), middle: mean, lower: subtract(mean, width) };
  },
});
