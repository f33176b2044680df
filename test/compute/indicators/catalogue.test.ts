/** Checks the promises of all indicators on every row of the catalogue. */

import { describe, expect, it } from 'vitest';
import { barRows } from '../../../src/base/bars.ts';
import { ParameterError } from '../../../src/base/errors.ts';
import {
  type IndicatorParams,
  type IndicatorSpec,
  outputColumns,
} from '../../../src/compute/columns/indicator-spec.ts';
import {
  defaultColumns,
  defaultParams,
  indicatorCatalogue,
} from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { barsOf, datedBars } from '../support/bars-of.ts';
import { bits, startWithSameBits } from '../support/bits.ts';
import { definitions } from '../support/definitions/definitions.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const CANONICAL_NAN = bits(Float64Array.of(Number.NaN))[0];

const cases = indicatorCatalogue.flatMap((spec) =>
  [defaultParams(spec), ...definitions[spec.name].params].map((params) => ({
    spec,
    params,
    title: [spec.name, ...Object.values(params)].join(':'),
  })),
);

function compute(spec: IndicatorSpec, close: Float64Array, params: IndicatorParams) {
  return spec.compute(barsOf(close), params);
}

/** A walk with gaps of every kind: at the start, alone, in a row, at the end. */
function walkWithGaps(length: number): Float64Array {
  const close = randomWalk(length, 7);
  close[0] = Number.NaN;
  for (let i = 9; i < length; i += 17) close[i] = Number.POSITIVE_INFINITY;
  for (let i = 40; i < 43; i++) close[i] = Number.NEGATIVE_INFINITY;
  for (let i = 60; i < length; i += 31) close[i] = Number.NaN;
  close[length - 1] = Number.NaN;
  return close;
}

const shortBars = Array.from({ length: 21 }, (_, length) => barsOf(randomWalk(length)));
const seriesOf130 = [...Object.values(hostileSeries), walkWithGaps].map((of) => datedBars(of(130)));

describe.each(cases)('$title', ({ spec, params }) => {
  const warmups = spec.warmups(params);

  it('names a warm-up for each output, and the first of them for the indicator', () => {
    expect(Object.keys(warmups)).toEqual([...spec.outputs]);
    expect(spec.warmup(params)).toBe(Math.min(...Object.values(warmups)));
  });

  it('gives columns of the length of the input, for sizes 0 to 20', () => {
    for (const bars of shortBars) {
      const columns = spec.compute(bars, params);
      const lengths = Object.entries(columns).map(([output, { length }]) => [output, length]);
      expect(lengths).toEqual(spec.outputs.map((output) => [output, bars.close.length]));
    }
  });

  it('gives NaN while warming up and numbers from then on', () => {
    for (const length of [0, 1, 2, 13, 14, 15, 25, 26, 33, 34, 100]) {
      const columns = compute(spec, randomWalk(length), params);
      for (const output of spec.outputs) {
        const firstValue = columns[output].findIndex((value) => Number.isFinite(value));
        const expected = length > warmups[output] ? warmups[output] : -1;
        expect(firstValue).toBe(expected);
        const rest = columns[output].subarray(warmups[output]);
        expect(rest.every(Number.isFinite)).toBe(true);
      }
    }
  });

  it('leaves its input as it was', () => {
    const close = walkWithGaps(100);
    const before = bits(close);
    compute(spec, close, params);
    expect(bits(close)).toEqual(before);
  });

  it('fills and returns the columns it is given', () => {
    const close = randomWalk(100);
    const out = outputColumns(spec.outputs, 100);
    for (const column of Object.values(out)) column.fill(7);
    expect(spec.compute(barsOf(close), params, out)).toBe(out);
    expect(startWithSameBits(out, compute(spec, close, params))).toBe(true);
  });

  it('gives the same bits when later bars are appended', () => {
    for (const bars of seriesOf130) {
      const whole = spec.compute(bars, params);
      for (let length = 0; length < 130; length += scaled(spec.isPublished ? 3 : 17, 1)) {
        const part = spec.compute(barRows(bars, 0, length), params);
        if (!startWithSameBits(whole, part)) expect.fail(`${length} bars give other bits`);
      }
    }
  });

  it('gives NaN, in its one canonical form, at a bar without a finite close', () => {
    const close = walkWithGaps(200);
    for (const column of Object.values(compute(spec, close, params))) {
      expect(column.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)).toBe(false);
      close.forEach((price, i) => {
        if (!Number.isFinite(price)) expect(column[i]).toBeNaN();
      });
      const patterns = bits(column).filter((_, i) => Number.isNaN(column[i]));
      expect(patterns.every((pattern) => pattern === CANONICAL_NAN)).toBe(true);
    }
  });

  it('gives all NaN when no close is finite', () => {
    for (const gap of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const columns = compute(spec, new Float64Array(100).fill(gap), params);
      for (const column of Object.values(columns)) expect(column.every(Number.isNaN)).toBe(true);
    }
  });

  it('goes on after a gap, with a value at the last of 300 bars', () => {
    const close = randomWalk(300, 3);
    close[100] = Number.NaN;
    const columns = compute(spec, close, params);
    for (const column of Object.values(columns)) expect(column[299]).not.toBeNaN();
  });

  it('goes on after bars without a range, a volume or a change', () => {
    const bars = barsOf(randomWalk(400, 3));
    for (const column of [bars.open, bars.high, bars.low, bars.close]) {
      column.fill(100, 0, 70).fill(100, 150, 220);
    }
    bars.volume.fill(0, 0, 70).fill(0, 150, 220);
    const columns = spec.compute(bars, params);
    for (const column of Object.values(columns)) expect(column[399]).not.toBeNaN();
  });

  it('refuses parameters that are not positive, or not whole where they count bars', () => {
    for (const param of spec.params) {
      for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, param.integer ? 1.5 : -0.5]) {
        const run = () => compute(spec, randomWalk(50), { ...params, [param.name]: bad });
        expect(run).toThrow(ParameterError);
        expect(run).toThrow(`"${bad}"`);
      }
    }
  });

  it('refuses a column of another length, and its own input as a column', () => {
    const bars = barsOf(randomWalk(50));
    for (const output of spec.outputs) {
      const out = outputColumns(spec.outputs, 50);
      const short = { ...out, [output]: new Float64Array(49) };
      expect(() => spec.compute(bars, params, short)).toThrow(ParameterError);
      const same = { ...out, [output]: bars[spec.inputs[0]]! };
      expect(() => spec.compute(bars, params, same)).toThrow(/can't overwrite its input/);
    }
  });
});

describe('the catalogue', () => {
  it('has distinct names', () => {
    const names = indicatorCatalogue.map((spec) => spec.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))(
    'has defaults within bounds for %s',
    (_, spec) => {
      for (const param of spec.params) {
        expect(param.default).toBeGreaterThanOrEqual(param.min);
        expect(param.default).toBeLessThanOrEqual(param.max);
      }
      expect(spec.conflict?.(defaultParams(spec))).toBeUndefined();
      expect(spec.outputs).toContain(spec.mainOutput);
    },
  );

  it('publishes nine columns', () => {
    expect(defaultColumns.map((column) => column.name)).toEqual([
      'sma',
      'ema',
      'rsi',
      'macd',
      'macd_signal',
      'macd_histogram',
      'bollinger_upper',
      'bollinger_middle',
      'bollinger_lower',
    ]);
  });

  it('publishes them with the parameters that the API uses by default', () => {
    const params = Object.fromEntries(defaultColumns.map((column) => [column.name, column.params]));
    expect(params.sma).toEqual({ period: 14 });
    expect(params.ema).toEqual({ period: 14 });
    expect(params.rsi).toEqual({ period: 14 });
    expect(params.macd_signal).toEqual({ fast: 12, slow: 26, signal: 9 });
    expect(params.bollinger_lower).toEqual({ period: 14, k: 2 });
  });
});
