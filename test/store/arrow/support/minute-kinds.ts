/** Minutes of every kind that is packed in a way of its own, and of those that are not. */

import { type BarColumns, blankBars } from '../../../../src/base/bars.ts';

const FIRST_US = Date.UTC(2025, 0, 6, 14, 30) * 1000;
export const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

type Random = () => number;

/** A walk of `count` bars, each price as `rounded` gives it. */
export function walk(
  count: number,
  random: Random,
  rounded: (value: number) => number,
): BarColumns {
  const bars = blankBars(count);
  let close = 20 + 400 * random();
  let minute = 0;
  for (let i = 0; i < count; i++) {
    minute += random() < 0.01 ? 1000 + Math.floor(random() * 1000) : 1 + Number(random() < 0.05);
    bars.timestampUs[i] = BigInt(FIRST_US + minute * 60_000_000);
    const open = close * (1 + (random() - 0.5) / 500);
    close = open * (1 + (random() - 0.5) / (random() < 0.002 ? 3 : 400));
    bars.open[i] = rounded(open);
    bars.close[i] = rounded(close);
    bars.high[i] = rounded(Math.max(open, close) * (1 + random() / 900));
    bars.low[i] = rounded(Math.min(open, close) * (1 - random() / 900));
    bars.volume[i] = Math.floor(10 ** (6 * random()));
  }
  return bars;
}

export const decimals = (count: number) => (value: number) => Number(value.toFixed(count));

export const MINUTES: Record<string, (count: number, random: Random) => BarColumns> = {
  'of cents': (count, random) => walk(count, random, decimals(2)),
  'of four decimals': (count, random) => walk(count, random, decimals(4)),
  'of nine decimals': (count, random) => walk(count, random, decimals(9)),
  'of whole dollars': (count, random) => walk(count, random, Math.round),
  'of float32': (count, random) => walk(count, random, Math.fround),
  'of float64': (count, random) => walk(count, random, (value) => value),
  'of negative prices': (count, random) => walk(count, random, (value) => 300 - Math.round(value)),
  'with a high below the close': (count, random) => {
    const bars = walk(count, random, decimals(2));
    for (let i = 0; i < count; i += 7) bars.high[i] = Number((bars.close[i] - 0.01).toFixed(2));
    return bars;
  },
  'with zeros of both signs, and numbers that are none': (count, random) => {
    const bars = walk(count, random, decimals(2));
    const odd = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, Number.MAX_VALUE];
    for (const name of NAMES)
      bars[name][Math.floor(random() * count)] = odd[Math.floor(random() * 6)];
    return bars;
  },
  'with volumes of fractions, and huge ones': (count, random) => {
    const bars = walk(count, random, decimals(2));
    for (let i = 0; i < count; i++) {
      bars.volume[i] =
        i % 3 === 0 ? Number((random() * 99).toFixed(6)) : Math.floor(2 ** (50 * random()));
    }
    return bars;
  },
  'with volumes beyond whole numbers': (count, random) => {
    const bars = walk(count, random, decimals(2));
    bars.volume[count - 1] = 2 ** 60;
    return bars;
  },
  'of five minutes': (count, random) => {
    const bars = walk(count, random, decimals(2));
    for (let i = 0; i < count; i++) bars.timestampUs[i] = BigInt(FIRST_US + i * 300_000_000);
    return bars;
  },
  'with seconds in its times': (count, random) => {
    const bars = walk(count, random, decimals(2));
    bars.timestampUs[Math.floor(random() * count)] += 1_000_001n;
    return bars;
  },
  'that jump by more than 32 bits': (count, random) => {
    const bars = walk(count, random, decimals(2));
    for (let i = 0; i < count; i += 5) for (const name of NAMES) bars[name][i] = 9_007_199_254_740;
    return bars;
  },
};
