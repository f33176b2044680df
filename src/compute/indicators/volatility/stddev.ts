import { meanAndDeviation } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Population standard deviation of the last `period` closes; equal closes give exactly 0. */
export const stddev = indicator({
  name: 'stddev',
  title: 'Standard deviation',
  params: [barsParam('period')],
  columns: ({ close }, { period }) => ({ stddev: meanAndDeviation(close, period).deviation }),
});
