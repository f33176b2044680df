import { absolute, bounded, change, divide, mean, multiply } from '../../columns/column.ts';
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
  bounds: { cmo: [-100, 100] },
  columns: ({ close }, { period }) => {
    const moves = mean(absolute(change(close)), period);
    const share = multiply(divide(change(close, period), moves), 100 / period);
    // Each of the changes is rounded, and the one over the window is not their sum.
    return { cmo: bounded(share, -100, 100) };
  },
});
