import { divide, divideOr, ema, emaLag, multiply, smooth, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Percentage Price Oscillator: the MACD in percent of its slow average, with signal and histogram.
 * Averages are seeded as in the MACD.
 *
 * @see Appel 2005, Technical Analysis: Power Tools for Active Investors.
 */
export const ppo = indicator({
  name: 'ppo',
  title: 'Percentage Price Oscillator',
  params: [barsParam('fast', 12), barsParam('slow', 26), barsParam('signal', 9)],
  outputs: ['ppo', 'signal', 'histogram'],
  conflict: ({ fast, slow }) =>
    fast < slow ? undefined : `fast must be less than slow "${slow}", got "${fast}"`,
  columns: ({ close }, params) => {
    const slow = ema(close, params.slow);
    const distance = multiply(
      subtract(emaLag(close, params.fast), emaLag(close, params.slow)),
      100,
    );
    const ppo = divide(distance, slow);
    const signal = smooth(divideOr(distance, slow, 0), params.signal);
    return { ppo, signal, histogram: subtract(ppo, signal) };
  },
});
