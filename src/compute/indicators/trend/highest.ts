import { highest as highestOf } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Highest high of the last `period` bars, this one included. */
export const highest = indicator({
  name: 'highest',
  title: 'Highest high',
  params: [barsParam('period')],
  priceOutputs: ['highest'],
  columns: ({ high }, { period }) => ({ highest: highestOf(high, period) }),
});
