import { averageBetween, divide, highest, lowest, mean, multiply } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Mean of the last `period` closes weighted by volume; undefined (NaN) where none was traded. */
export const vwma = indicator({
  name: 'vwma',
  title: 'Volume-weighted moving average',
  params: [barsParam('period')],
  priceOutputs: ['vwma'],
  columns: ({ close, volume }, { period }) => ({
    vwma: averageBetween(
      divide(mean(multiply(close, volume), period), mean(volume, period)),
      lowest(close, period),
      highest(close, period),
    ),
  }),
});
