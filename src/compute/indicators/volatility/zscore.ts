import { divide, meanAndDeviation, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Distance of the close from the mean of the last `period` closes, in their population standard
 * deviations. Equal closes have none (NaN).
 */
export const zscore = indicator({
  name: 'zscore',
  title: 'Z-score',
  params: [{ ...barsParam('period'), min: 2 }],
  columns: ({ close }, { period }) => {
    const { mean, deviation } = meanAndDeviation(close, period);
    return { zscore: divide(subtract(close, mean), deviation) };
  },
});
