import { percentChange } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Rate of change: percent by which the close is above the one `period` bars before.
 *
 * @see Murphy 1999, Technical Analysis of the Financial Markets.
 */
export const roc = indicator({
  name: 'roc',
  title: 'Rate of change',
  params: [barsParam('period', 10)],
  columns: ({ close }, { period }) => ({ roc: percentChange(close, period) }),
});
