import { ema as average } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the mean of the first
 * `period` closes. Some libraries seed with the first close, and differ until that has faded.
 */
export const ema = indicator({
  name: 'ema',
  title: 'Exponential moving average',
  params: [barsParam('period')],
  priceOutputs: ['ema'],
  isPublished: true,
  columns: ({ close }, { period }) => ({ ema: average(close, period) }),
});
