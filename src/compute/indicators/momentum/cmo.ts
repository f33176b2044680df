import { absolute, change, divide, mean, multiply } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Chande Momentum Oscillator, −100 to 100: gains less losses of the last `period` bars, as a share of
 * both. The sums are plain, as Chande has them; TA-Lib smooths them as in the RSI.
 *
 * @see Chande and Kroll 1994, The New Technical Trader.
 */
export const cmo = indicator({
  name: 'cmo',
  title: 'Chande Momentum Oscillator',
  params: [barsParam('period')],
  columns: ({ close }, { period }) => {
    const moves = mean(absolute(change(close)), period);
    return { cmo: multiply(divide(change(close, period), moves), 100 / period) };
  },
});
