/** Random bars with gaps, flat stretches, splits, halts and prices of any size: TA-Lib's values. */

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { IndicatorInput } from '../../src/compute/columns/indicator-spec.ts';
import { indicatorFromText } from '../../src/compute/indicators/indicator-request.ts';
import { comparisons, startTalib } from '../compute/support/talib.ts';
import { seededRandom } from '../faults/scale.ts';
import { talibPython } from '../support/tools.ts';
import { fuzz } from './fuzz.ts';

const bars = fc.record({
  seed: fc.nat(1e6),
  length: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 100, max: 500 })),
  price: fc.constantFrom(50, 1e-4, 0.5, 3000, 4e5),
  /** Share of bars that begin a stretch without a trade. */
  flat: fc.constantFrom(0, 0, 0.02, 0.2),
  /** Share of bars without volume. */
  quiet: fc.constantFrom(0, 0, 0.1, 0.9),
  /** Share of bars after a gap. */
  gaps: fc.constantFrom(0, 0.05),
  /** Ratio of a split in the middle. */
  split: fc.constantFrom(1, 1, 4, 0.05),
  /** Share of bars with one price. */
  narrow: fc.constantFrom(0, 0, 0.3),
});
type Choices = typeof bars extends fc.Arbitrary<infer T> ? T : never;

const EVEN = { price: 50, flat: 0.2, quiet: 0, gaps: 0, split: 1 } as const;

/** Cases that failed once. */
const FOUND: readonly Choices[] = [
  // The close stands still after a fall, so the stochastic RSI is 0 in exact arithmetic. TA-Lib has one
  // value of it, the rounding 3.8e-14.
  { ...EVEN, seed: 290907, length: 30, narrow: 0 },
  // The first 29 bars have no range, so that ratios of the mass index are missing, or 0 in TA-Lib.
  { ...EVEN, seed: 306304, length: 41, narrow: 0.3 },
  // The last typical price of 20 differs from equal ones by a rounding: the CCI was -1333.
  { ...EVEN, seed: 517869, length: 167, narrow: 0 },
  // Three crows at row 12, where TA-Lib has not begun.
  { ...EVEN, seed: 15, length: 100, flat: 0, quiet: 0.9, narrow: 0 },
  // A price that rises twentyfold leaves the RSI a range below 0.001.
  { ...EVEN, seed: 19, length: 56, split: 0.05, narrow: 0.3 },
  // Sums of bars that stand still, after a price that rises twentyfold.
  { ...EVEN, seed: 9, length: 104, flat: 0.02, split: 0.05, narrow: 0 },
  { ...EVEN, seed: 60149, length: 104, flat: 0.02, quiet: 0.1, split: 0.05, narrow: 0 },
  // The only value of elder_ray is 0, and in TA-Lib the rounding of a price.
  { ...EVEN, seed: 486171, length: 13, narrow: 0 },
];

function barsOf({
  seed,
  length,
  price,
  flat,
  quiet,
  gaps,
  split,
  narrow,
}: Choices): IndicatorInput {
  const random = seededRandom(seed);
  const cent = price / 5000;
  const round = (value: number) => Math.max(1, Math.round(value / cent)) * cent;
  let last: number = price;
  let halted = 0;
  const rows = Array.from({ length }, (_, i) => {
    if (i === length >> 1) last /= split;
    if (halted > 0) {
      halted--;
      return [last, last, last, last, 0];
    }
    if (random() < flat) halted = Math.floor(random() * 30);
    const open = round(
      last * (random() < gaps ? 0.8 + random() * 0.5 : 1 + (random() - 0.5) / 100),
    );
    const close = random() < narrow ? open : round(open * (1 + (random() - 0.5) / 25));
    const shadow = () => (close === open && narrow > 0 ? 0 : random() * 0.01);
    const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
    last = close;
    const volume = random() < quiet ? 0 : Math.floor(1 + random() * 1e6);
    return [
      open,
      Math.max(top, round(top * (1 + shadow()))),
      Math.min(bottom, round(bottom * (1 - shadow()))),
      close,
      volume,
    ];
  });
  const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map((at) =>
    Float64Array.from(rows, (row) => row[at]),
  );
  return { open, high, low, close, volume };
}

const talib = talibPython ? startTalib(talibPython) : undefined;
afterAll(() => talib?.close());

/**
 * Averages that have no value where a window in them has no range or the price has not changed:
 * TA-Lib counts it as 0, or as 50 (docs/indicators.md).
 */
const UNDEFINED = [
  'stochastic:14:3:3',
  'stochastic_rsi:14:14:1:3',
  'ultimate:7:14:28',
  'rsi:15',
  'mass_index:9:25',
];

/**
 * Value of a bar with one price. TA-Lib's sum over ten such bars drifts below 0, so that it takes a
 * body of 0 for a long one.
 */
const DRIFTING: Readonly<Record<string, number>> = { 'candles marubozu': 0, 'candles doji': 1 };

/** Rows from which TA-Lib counts a rounding of high + low + close as a rise or a fall. */
function roundedRow({ high, low, close }: IndicatorInput): number {
  const sum = (row: number) => high[row] + low[row] + close[row];
  const row = high.findIndex((_, at) => {
    const move = at > 0 ? Math.abs(sum(at) - sum(at - 1)) : 0;
    return move > 0 && move < 1e-12 * high[at];
  });
  return row < 0 ? high.length : row;
}

/** Error of a stochastic RSI that both may have: 1e-12 of 100 / the range of the RSI, over its mean. */
function stochasticRsiErrors({ close }: IndicatorInput): Float64Array {
  const { spec, params } = indicatorFromText('rsi:14', '1d', 14);
  const { rsi } = spec.compute(
    { open: close, high: close, low: close, close, volume: close },
    params,
  );
  const errors = rsi.map((_, row) => {
    const last = rsi.subarray(Math.max(0, row - 13), row + 1);
    return 1e-10 / (Math.max(...last) - Math.min(...last));
  });
  return errors.map((_, row) =>
    Math.max(...errors.subarray(Math.max(0, row - 2), row + 1).filter(Number.isFinite), 0),
  );
}

it.skipIf(!talib)('indicators of random bars are those of TA-Lib', async () => {
  const holds = async (choices: Choices) => {
    const input = barsOf(choices);
    const results = await talib!.run(input);
    const others: string[] = [];
    for (const [place, [text, { outputs, adapt, fromRow }]] of Object.entries(
      comparisons,
    ).entries()) {
      const columns = adapt ? adapt(results[place], input) : results[place];
      const { spec, params } = indicatorFromText(text.split(' ')[0], '1d', 14);
      const ours = spec.compute(input, params);
      const errors = text.startsWith('stochastic_rsi') ? stochasticRsiErrors(input) : undefined;
      // A difference of prices may be a rounding of theirs.
      const rounding = 1e-15 * Math.max(...input.high);
      const end = /^(mfi|cci)/.test(text) ? roundedRow(input) : input.close.length;
      for (const [at, output] of outputs.entries()) {
        const theirs = columns[at];
        const first = theirs.findIndex((value) => !Number.isNaN(value));
        // Of an output with bounds, such as 0 to 100, all values may be roundings of 0.
        const ends = spec.bounds[output] ?? [];
        const size = Math.max(...[...theirs, ...ends].filter(Number.isFinite).map(Math.abs), 0);
        const tolerance = (fromRow === undefined ? 1e-9 : 1e-6) * size;
        for (let row = fromRow ?? (first < 0 ? end : first); row < end; row++) {
          const [a, b] = [ours[output][row], theirs[row]];
          // Where a divisor is 0 we have no value, and it has 0.
          const isSame = Number.isNaN(a)
            ? b === 0 || !Number.isFinite(b) || UNDEFINED.includes(text)
            : Math.abs(a - b) <= tolerance + rounding + (errors?.[row] ?? 0);
          if (input.high[row] === input.low[row] && DRIFTING[text] === a) continue;
          if (!isSame) others.push(`${text} ${output}, row ${row}: ${a}, TA-Lib ${b}`);
          if (!isSame) break;
        }
      }
    }
    expect(others.join('\n')).toBe('');
  };
  for (const choices of FOUND) await holds(choices);
  await fuzz('indicators of random bars', bars, holds, [15, 1000]);
});
