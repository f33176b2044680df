import { delay, mean, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Detrended Price Oscillator: the close `period` / 2 + 1 bars before (rounded down) less the mean of
 * the last `period` closes. It is not shifted back: a shifted one would show closes of later bars.
 */
export const dpo = indicator({
  name: 'dpo',
  title: 'Detrended Price Oscillator',
  params: [barsParam('period', 21)],
  columns: ({ close }, { period }) => ({
    dpo: subtract(delay(close, Math.floor(period / 2) + 1), mean(close, period)),
  }),
});
