import { decayAt } from './ema.ts';
import { barsParam, indicator } from './indicator-spec.ts';

/** State: closes counted until all is seeded, the last close, both averages minus it, the signal. */
const [COUNT, LAST, FAST_LAG, SLOW_LAG, SIGNAL] = [0, 1, 2, 3, 4];

/**
 * Moving Average Convergence Divergence: EMA(fast) − EMA(slow), each seeded with the mean of its
 * own first closes; the signal is the EMA of that line, seeded with the mean of its first values.
 * Some libraries seed with the first close, or start the fast average late, and differ at first.
 *
 * The kernel carries both averages as in `ema`, as their lags behind the close. The price level,
 * which the line does not depend on, never enters it.
 */
export const macd = indicator({
  name: 'macd',
  title: 'Moving Average Convergence Divergence',
  params: [barsParam('fast', 12), barsParam('slow', 26), barsParam('signal', 9)],
  inputs: ['close'],
  outputs: ['macd', 'signal', 'histogram'],
  mainOutput: 'macd',
  isPublished: true,
  gaps: 'absent',
  warmups: ({ slow, signal }) => ({
    macd: slow - 1,
    signal: slow + signal - 2,
    histogram: slow + signal - 2,
  }),
  conflict: ({ fast, slow }) =>
    fast < slow ? undefined : `fast must be less than slow "${slow}", got "${fast}"`,
  stateLength: () => 5,
  run({ close }, { fast, slow, signal }, out, state) {
    const { macd: lines, signal: signals, histogram: histograms } = out;
    const length = close.length;
    const lineWarmup = slow - 1;
    const signalWarmup = slow + signal - 2;
    let count = state[COUNT];
    let last = count === 0 ? close[0] : state[LAST];
    let fastLag = state[FAST_LAG];
    let slowLag = state[SLOW_LAG];
    let average = state[SIGNAL];
    let i = 0;
    for (; i < length && count <= signalWarmup; i++, count++) {
      const change = close[i] - last;
      last = close[i];
      fastLag = (fastLag - change) * decayAt(count, fast);
      slowLag = (slowLag - change) * decayAt(count, slow);
      lines[i] = signals[i] = histograms[i] = Number.NaN;
      if (count < lineWarmup) continue;
      const line = fastLag - slowLag;
      const decay = decayAt(count - lineWarmup, signal);
      average = average * decay + line * (1 - decay);
      lines[i] = line;
      if (count < signalWarmup) continue;
      signals[i] = average;
      histograms[i] = line - average;
    }
    const fastDecay = decayAt(fast, fast);
    const slowDecay = decayAt(slow, slow);
    const decay = decayAt(signal, signal);
    const weight = 1 - decay;
    for (; i < length; i++) {
      const change = close[i] - last;
      last = close[i];
      fastLag = (fastLag - change) * fastDecay;
      slowLag = (slowLag - change) * slowDecay;
      const line = fastLag - slowLag;
      average = average * decay + line * weight;
      lines[i] = line;
      signals[i] = average;
      histograms[i] = line - average;
    }
    state[COUNT] = count;
    state[LAST] = last;
    state[FAST_LAG] = fastLag;
    state[SLOW_LAG] = slowLag;
    state[SIGNAL] = average;
    // A close that is not finite makes the lags NaN or infinite for good.
    return Number.isFinite(slowLag);
  },
});
