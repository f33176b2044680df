import { divide, multiply, trueRange, wilder } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Average True Range in percent of the close.
 *
 * @see Forman 2006, Cross-Market Evaluations with Normalized Average True Range, Stocks & Commodities.
 */
export const natr = indicator({
  name: 'natr',
  title: 'Normalized Average True Range',
  params: [barsParam('period')],
  columns: (bars, { period }) => ({
    natr: divide(multiply(wilder(trueRange(bars), period), 100), bars.close),
  }),
});
