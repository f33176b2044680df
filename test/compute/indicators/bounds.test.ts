/** Outputs keep the bounds that the catalogue states, to the last bit. */

import { describe, expect, it } from 'vitest';
import type { Bounds, IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { definitions } from '../support/definitions/definitions.ts';
import { seededRandom } from '../support/hostile-series.ts';

const ROWS = 400;
const [UP, DOWN, HIGH, LOW] = [1, -1, 'at the high', 'at the low'] as const;

interface Shape {
  /** Runs up or down only; both by default. */
  runs?: typeof UP | typeof DOWN;
  closes?: typeof HIGH | typeof LOW;
  unit?: number;
  /** Shares of bars that do not move, that have no volume, and that open far away. */
  still?: number;
  quiet?: number;
  jumps?: number;
}

/** Valid bars in tenths of a unit, whose sums and differences round. */
function bars(seed: number, shape: Shape): IndicatorInput {
  const { runs, closes, unit = 1, still = 0, quiet = 0, jumps = 0 } = shape;
  const random = seededRandom(seed);
  const tenths = (most: number) => Math.floor(random() * most) * 0.1 * unit;
  let last = (runs === DOWN ? 5000 : 50) * unit;
  const rows = Array.from({ length: ROWS }, () => {
    if (random() < still) return [last, last, last, last, 0];
    const far = random() < jumps ? 1000 * unit : 0;
    const move = far + tenths(12);
    const sign = runs ?? (random() < 0.5 && last > move + 10 * unit ? DOWN : UP);
    const close = last + sign * move;
    const open = runs === undefined ? last + tenths(3) : last;
    const high = Math.max(open, close) + (closes === HIGH || runs ? 0 : tenths(5));
    const low = Math.min(open, close) - (closes === LOW || runs ? 0 : tenths(5));
    last = closes === HIGH ? high : closes === LOW ? low : close;
    return [open, high, low, last, random() < quiet ? 0 : Math.floor(random() * 1e6)];
  });
  const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map((column) =>
    Float64Array.from(rows, (row) => row[column]),
  );
  return { open, high, low, close, volume };
}

const shapes: Record<string, Shape> = {
  'a walk': {},
  'a rise': { runs: UP },
  'a fall': { runs: DOWN },
  'a rise with still bars': { runs: UP, still: 0.7 },
  'a walk with still bars': { still: 0.9, quiet: 0.5 },
  'still bars': { still: 1 },
  'closes at the high': { closes: HIGH },
  'closes at the low': { closes: LOW, quiet: 0.3 },
  'jumps of the price': { jumps: 0.05 },
  'huge prices': { unit: 1e12, closes: HIGH },
  'tiny prices': { unit: 1e-12, jumps: 0.02 },
};

const bounded = indicatorCatalogue.filter((spec) => Object.keys(spec.bounds).length > 0);

describe.each(bounded.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
  const outputs = Object.entries(spec.bounds) as [string, Bounds][];
  const some = [defaultParams(spec), ...definitions[name].params];

  it.each(Object.entries(shapes))('keeps its bounds over %s', (_, shape) => {
    for (let seed = 1; seed <= scaled(1, 40); seed++) {
      const input = bars(seed, shape);
      for (const params of some) {
        const columns = spec.compute(input, params);
        for (const [output, [min, max]] of outputs) {
          const outside = columns[output].findIndex((value) => value < min || value > max);
          if (outside < 0) continue;
          expect.fail(`${output} ${columns[output][outside]} of seed ${seed}, row ${outside}`);
        }
      }
    }
  });
});

const LONG = 300;

it('keeps the same bounds in fused code', () => {
  const expressions = bounded.flatMap((spec) => spec.expressions(defaultParams(spec)));
  const bounds = bounded.flatMap((spec) => spec.outputs.map((output) => spec.bounds[output]));
  const program = new Program(expressions);
  const lanes = Array.from({ length: 8 }, (_, i) => bars(i, Object.values(shapes)[i]));
  const columns = lanes.map(() => expressions.map(() => new Float64Array(ROWS)));
  // Code is fused once a program has run 100,000 bars.
  for (let run = 0; run < 100; run++) program.run(lanes, ROWS, columns);
  for (const lane of columns) {
    for (const [place, bound] of bounds.entries()) {
      const [min, max] = bound ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      expect(lane[place].filter((value) => value < min || value > max)).toEqual(new Float64Array());
    }
  }
});

it('states values at a bound where the text-book has them', () => {
  const rise = Float64Array.of(10, 10.1, 10.3, 10.6, 11.1, 11.3, 12.4, 12.9);
  const input = { open: rise, high: rise, low: rise, close: rise, volume: rise };
  const last = (name: string, params: Record<string, number>, output = name) => {
    const spec = indicatorCatalogue.find((one) => one.name === name)!;
    return spec.compute(input, { ...defaultParams(spec), ...params })[output].at(-1);
  };
  expect(last('tsi', { long: 3, short: 2, signal: 2 })).toBe(100);
  expect(last('tsi', { long: 3, short: 2, signal: 2 }, 'signal')).toBe(100);
  expect(last('adx', { period: 3 })).toBe(100);
  expect(last('adx', { period: 3 }, 'plus_di')).toBe(100);
  expect(last('rsi', { period: 3 })).toBe(100);
  expect(last('mfi', { period: 3 })).toBe(100);
  expect(last('ultimate', { short: 2, medium: 3, long: 4 })).toBe(100);
});

it('gives the price itself for equal prices: close > vwap matched a price that stood still', () => {
  const random = seededRandom(3);
  const volume = Float64Array.from({ length: LONG }, () => 1 + Math.floor(random() * 1e6));
  for (const price of [10.1, 0.07, 1 / 3, 0.9999990000000001, 100.1 / 3, 123.456 / 20]) {
    const of = new Float64Array(LONG).fill(price);
    const input = { open: of, high: of, low: of, close: of, volume };
    for (const spec of indicatorCatalogue) {
      // Its weights are rounded, and do not add up to 1.
      if (spec.name === 'rma') continue;
      const columns = spec.compute(input, defaultParams(spec));
      const last = spec.priceOutputs.map((output) => [output, columns[output].at(-1)]);
      expect([spec.name, last.filter(([, value]) => value !== price)]).toEqual([spec.name, []]);
    }
  }
});

it('gives no choppiness above 100 to bars that all cross the same range', () => {
  const chop = indicatorCatalogue.find(({ name }) => name === 'chop')!;
  const BARS = 60;
  for (const [low, high] of [
    [10, 10.1],
    [99.3, 101.7],
    [0.07, 0.11],
  ]) {
    const of = (price: number) => new Float64Array(BARS).fill(price);
    const input = { open: of(low), high: of(high), low: of(low), close: of(high), volume: of(1) };
    for (let period = 2; period <= 50; period++) {
      const value = chop.compute(input, { period }).chop.at(-1)!;
      expect(value, `${low} ${period}`).toBeLessThanOrEqual(100);
      expect(value).toBeCloseTo(100, 12);
    }
  }
});
