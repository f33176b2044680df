import { add, divide, highest, lowest } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Half-way between the highest and the lowest of the last `period` closes. */
export const midpoint = indicator({
  name: 'midpoint',
  title: 'Midpoint',
  params: [barsParam('period')],
  priceOutputs: ['midpoint'],
  columns: ({ close }, { period }) => ({
    midpoint: divide(add(highest(close, period), lowest(close, period)), 2),
  }),
});
