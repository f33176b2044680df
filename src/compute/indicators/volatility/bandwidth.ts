import { divide, meanAndDeviation, multiply } from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Distance between the Bollinger bands in percent of their middle. Bollinger's own figure is the
 * share, a hundredth of it.
 *
 * @see Bollinger 2001, Bollinger on Bollinger Bands.
 */
export const bandwidth = indicator({
  name: 'bandwidth',
  title: 'Bollinger bandwidth',
  params: [barsParam('period', 20), factorParam('k', 2)],
  columns: ({ close }, { period, k }) => {
    const { mean, deviation } = meanAndDeviation(close, period);
    return { bandwidth: divide(multiply(deviation, 200 * k), mean) };
  },
});
