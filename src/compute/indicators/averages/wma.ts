import { weightedMean } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Linearly weighted moving average: weight 1 for the oldest close to `period` for the newest. */
export const wma = indicator({
  name: 'wma',
  title: 'Weighted moving average',
  params: [barsParam('period')],
  priceOutputs: ['wma'],
  columns: ({ close }, { period }) => ({ wma: weightedMean(close, period) }),
});
