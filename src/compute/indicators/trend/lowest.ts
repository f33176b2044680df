import { lowest as lowestOf } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Lowest low of the last `period` bars, this one included. */
export const lowest = indicator({
  name: 'lowest',
  title: 'Lowest low',
  params: [barsParam('period')],
  priceOutputs: ['lowest'],
  columns: ({ low }, { period }) => ({ lowest: lowestOf(low, period) }),
});
