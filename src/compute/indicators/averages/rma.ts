import { wilder } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Wilder's moving average: weight 1 / period, seeded with the mean of the first `period` closes. It
 * is the average inside of RSI, ATR and ADX.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const rma = indicator({
  name: 'rma',
  title: "Wilder's moving average",
  params: [barsParam('period')],
  priceOutputs: ['rma'],
  columns: ({ close }, { period }) => ({ rma: wilder(close, period) }),
});
