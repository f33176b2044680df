import {
  type Column,
  divide,
  divideOr,
  ema,
  emaLag,
  multiply,
  smooth,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

interface Spans {
  fast: number;
  slow: number;
  signal: number;
}

/** Distance of the fast average of a column from the slow one in percent, signal and histogram. */
export function percentageOscillator(a: Column, spans: Spans) {
  const slow = ema(a, spans.slow);
  const distance = multiply(subtract(emaLag(a, spans.fast), emaLag(a, spans.slow)), 100);
  const line = divide(distance, slow);
  const signal = smooth(divideOr(distance, slow, 0), spans.signal);
  return { line, signal, histogram: subtract(line, signal) };
}

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
  columns: ({ close }, spans) => {
    const { line, ...others } = percentageOscillator(close, spans);
    return { ppo: line, ...others };
  },
});
