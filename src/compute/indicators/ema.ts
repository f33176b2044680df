import { barsParam, indicator } from './indicator-spec.ts';

/** State: closes counted until the average is seeded, the last close, the average minus it. */
const [COUNT, LAST, LAG] = [0, 1, 2];

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the mean of the first
 * `period` closes. Some libraries seed with the first close, and differ until that has faded.
 *
 * The kernel carries `lag`, the average minus the close. Its recursion
 * `lag = (lag - change) * decay` is as fast as the usual one and works on price changes. It loses
 * no digits to the price level, and reaches an unchanged price exactly.
 */
export const ema = indicator({
  name: 'ema',
  title: 'Exponential moving average',
  params: [barsParam('period')],
  inputs: ['close'],
  outputs: ['ema'],
  mainOutput: 'ema',
  isPublished: true,
  gaps: 'absent',
  warmups: ({ period }) => ({ ema: period - 1 }),
  stateLength: () => 3,
  run({ close }, { period }, { ema: out }, state) {
    const length = close.length;
    let count = state[COUNT];
    let last = count === 0 ? close[0] : state[LAST];
    let lag = state[LAG];
    let i = 0;
    for (; i < length && count < period; i++, count++) {
      const price = close[i];
      lag = (lag - (price - last)) * decayAt(count, period);
      last = price;
      out[i] = count === period - 1 ? price + lag : Number.NaN;
    }
    const decay = decayAt(period, period);
    for (; i < length; i++) {
      const price = close[i];
      lag = (lag - (price - last)) * decay;
      out[i] = price + lag;
      last = price;
    }
    state[COUNT] = count;
    state[LAST] = last;
    state[LAG] = lag;
    // A close that is not finite makes the lag NaN or infinite for good.
    return Number.isFinite(last + lag);
  },
});

/**
 * Share of an average that is kept when value number `index`, from 0, comes in: that of a plain
 * mean while the average is seeded, then the exponential weight.
 */
export function decayAt(index: number, period: number): number {
  return index < period ? index / (index + 1) : (period - 1) / (period + 1);
}
