import { mean } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Simple moving average: the mean of the last `period` closes. Equal closes give exactly that close. */
export const sma = indicator({
  name: 'sma',
  title: 'Simple moving average',
  params: [barsParam('period')],
  priceOutputs: ['sma'],
  isPublished: true,
  columns: ({ close }, { period }) => ({ sma: mean(close, period) }),
});
