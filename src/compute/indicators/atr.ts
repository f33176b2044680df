import { barsParam, indicator } from './indicator-spec.ts';

/** State: bars counted until the sum is seeded, the last close, `period` times the average. */
const [COUNT, LAST, SUM] = [0, 1, 2];

/**
 * Average True Range with Wilder smoothing. The true range of a bar is the largest of high − low,
 * |high − last close| and |low − last close|; the first bar of a series has none. Seeded with the
 * mean of the first `period` true ranges. Some libraries count high − low of the first bar.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const atr = indicator({
  name: 'atr',
  title: 'Average True Range',
  params: [barsParam('period')],
  inputs: ['high', 'low', 'close'],
  outputs: ['atr'],
  mainOutput: 'atr',
  isPublished: false,
  gaps: 'absent',
  warmups: ({ period }) => ({ atr: period }),
  stateLength: () => 3,
  run({ high, low, close }, { period }, { atr: out }, state) {
    const length = close.length;
    let count = state[COUNT];
    let last = count === 0 ? close[0] : state[LAST];
    let sum = state[SUM];
    let i = 0;
    for (; i < length && count <= period; i++, count++) {
      const range = trueRange(high[i], low[i], last);
      // The first bar adds nothing but the NaN of a gap.
      sum += count === 0 ? range * 0 : range;
      out[i] = count === period ? sum / period : Number.NaN;
      last = close[i];
    }
    const decay = (period - 1) / period;
    for (; i < length; i++) {
      sum = sum * decay + trueRange(high[i], low[i], last);
      out[i] = sum / period;
      last = close[i];
    }
    state[COUNT] = count;
    state[LAST] = last;
    state[SUM] = sum;
    return Number.isFinite(sum + last);
  },
});

function trueRange(high: number, low: number, last: number): number {
  return Math.max(high - low, Math.abs(high - last), Math.abs(low - last));
}
