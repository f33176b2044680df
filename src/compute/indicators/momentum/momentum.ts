import { change } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Momentum: the close less the one `period` bars before, in the currency of the prices.
 *
 * @see Murphy 1999, Technical Analysis of the Financial Markets.
 */
export const momentum = indicator({
  name: 'momentum',
  title: 'Momentum',
  params: [barsParam('period', 10)],
  columns: ({ close }, { period }) => ({ momentum: change(close, period) }),
});
