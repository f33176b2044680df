import { barsParam, indicator } from './indicator-spec.ts';

/**
 * Below this, the decayed sum of changes is held. Without it a flat run of ten thousand bars
 * would take both sums to subnormal numbers, whose ratio is noise. The next change of a price
 * outweighs anything this small.
 */
const HELD_BELOW = 1e-290;

/** State: closes counted until the sums are seeded, the last close, the two sums of changes. */
const [COUNT, LAST, NET, GROSS] = [0, 1, 2, 3];

/**
 * Relative Strength Index with Wilder smoothing, 0 to 100.
 *
 * Seeded with the plain mean of the first `period` changes. Undefined (NaN) until the first
 * change; some libraries give 0, 50 or 100. An unchanged close leaves the index where it is.
 *
 * With `net` the smoothed change and `gross` the smoothed size of change, gains are
 * (gross + net) / 2 and the index 100 * gains / gross = 50 + 50 * net / gross: no branch on the
 * sign of a change. Only their ratio counts, so both are kept as sums, `period` times the mean.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const rsi = indicator({
  name: 'rsi',
  title: 'Relative Strength Index',
  params: [barsParam('period')],
  inputs: ['close'],
  outputs: ['rsi'],
  mainOutput: 'rsi',
  isPublished: true,
  gaps: 'absent',
  warmups: ({ period }) => ({ rsi: period }),
  stateLength: () => 4,
  run({ close }, { period }, { rsi: out }, state) {
    const length = close.length;
    let count = state[COUNT];
    let last = count === 0 ? close[0] : state[LAST];
    let net = state[NET];
    let gross = state[GROSS];
    let i = 0;
    for (; i < length && count <= period; i++, count++) {
      const change = close[i] - last;
      last = close[i];
      net += change;
      gross += Math.abs(change);
      out[i] = count === period ? 50 + 50 * (net / gross) : Number.NaN;
    }
    const decay = (period - 1) / period;
    for (; i < length; i++) {
      const change = close[i] - last;
      last = close[i];
      const nextGross = gross * decay + Math.abs(change);
      // Written so that NaN passes, stays in the sums and shows the gap below.
      if (!(nextGross < HELD_BELOW)) {
        gross = nextGross;
        net = net * decay + change;
      }
      out[i] = 50 + 50 * (net / gross);
    }
    // Processors differ in the sign bit of 0 / 0, which the bytes of a column must not show.
    for (i = 0; i < length && Number.isNaN(out[i]); i++) out[i] = Number.NaN;
    state[COUNT] = count;
    state[LAST] = last;
    state[NET] = net;
    state[GROSS] = gross;
    return Number.isFinite(gross);
  },
});
