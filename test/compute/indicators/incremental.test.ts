import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import {
  advanceIncremental,
  defaultIncrementalParams,
  type IncrementalColumns,
  type IncrementalParams,
  incrementalColumnNames,
  incrementalRowLength,
  incrementalState,
  previewIncremental,
  seedIncremental,
} from '../../../src/compute/indicators/incremental.ts';
import { outputColumns } from '../../../src/compute/indicators/indicator-spec.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const oddParams: IncrementalParams = {
  sma: { period: 5 },
  ema: { period: 1 },
  rsi: { period: 2 },
  macd: { fast: 3, slow: 4, signal: 1 },
  bollinger: { period: 3, k: 2.5 },
};

/** What the kernels give over the whole series. */
function recompute(closes: Float64Array, params: IncrementalParams): IncrementalColumns {
  const byName = params as Record<string, IncrementalParams['sma']>;
  const entries = defaultColumns.map(({ name, spec, output }) => [
    name,
    spec.compute({ close: closes }, byName[spec.name])[output],
  ]);
  return Object.fromEntries(entries);
}

function emptyState(symbolCount: number, params = defaultIncrementalParams) {
  const rows = new Float64Array(symbolCount * incrementalRowLength(params));
  const state = incrementalState(rows, { params });
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    seedIncremental(state, symbol, new Float64Array(0));
  }
  return state;
}

/** Seeds with the closes before `split` and advances over the others, a call for each. */
function advanceFrom(split: number, closes: Float64Array, params: IncrementalParams) {
  const state = emptyState(1, params);
  seedIncremental(state, 0, closes.subarray(0, split));
  const bar = outputColumns(incrementalColumnNames, 1);
  const columns = outputColumns(incrementalColumnNames, closes.length - split);
  for (let i = split; i < closes.length; i++) {
    advanceIncremental(
      state,
      { symbols: Int32Array.of(0), closes: closes.subarray(i, i + 1) },
      bar,
    );
    for (const name of incrementalColumnNames) columns[name][i - split] = bar[name][0];
  }
  return { state, columns };
}

const bits = (column: Float64Array) => new BigUint64Array(column.slice().buffer);

function expectSameBits(actual: IncrementalColumns, expected: IncrementalColumns, from = 0): void {
  for (const name of incrementalColumnNames) {
    expect(bits(actual[name]), name).toEqual(bits(expected[name].subarray(from)));
  }
}

const anyClose = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((cents) => cents / 100) },
  { weight: 2, arbitrary: fc.constantFrom(100, 0.1, 1e9, 1e12) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, 1e-300) },
);

/** Closes that stay for some bars: with gaps, flat runs, jumps, longer than all warm-ups. */
const anySeries = fc
  .array(fc.tuple(anyClose, fc.integer({ min: 1, max: 9 })), { maxLength: 40 })
  .map((runs) => Float64Array.from(runs.flatMap(([close, count]) => Array(count).fill(close))));

describe('incremental columns', () => {
  it('are the published ones, with their parameters', () => {
    expect(incrementalColumnNames).toEqual(defaultColumns.map(({ name }) => name));
    for (const { spec, params } of defaultColumns) {
      expect(defaultIncrementalParams).toHaveProperty(spec.name, params);
    }
  });

  for (const [label, params] of Object.entries({ default: defaultIncrementalParams, oddParams })) {
    it(`have the bits of the kernels from any bar on (${label})`, () => {
      fc.assert(
        fc.property(anySeries, fc.double({ min: 0, max: 1, noNaN: true }), (closes, share) => {
          const split = Math.floor(share * closes.length);
          const { columns } = advanceFrom(split, closes, params);
          expectSameBits(columns, recompute(closes, params), split);
        }),
        { seed: 20261120, numRuns: 300 },
      );
    });
  }

  for (const [name, series] of Object.entries(hostileSeries)) {
    it(`have the bits of the kernels on ${name}`, () => {
      const closes = series(1000);
      const expected = recompute(closes, defaultIncrementalParams);
      for (const split of [3, 701]) {
        const { columns } = advanceFrom(split, closes, defaultIncrementalParams);
        expectSameBits(columns, expected, split);
      }
    });
  }

  it('hold RSI through a run of ten thousand equal closes as the kernel does', () => {
    const closes = new Float64Array(10_040).fill(100);
    closes.set([99, 101.5, 100], 30);
    closes[10_030] = 100.25;
    const { columns } = advanceFrom(0, closes, defaultIncrementalParams);
    expectSameBits(columns, recompute(closes, defaultIncrementalParams));
  });

  it('are those of each symbol alone when many of different ages advance at once', () => {
    const series = Array.from({ length: 60 }, (_, i) => randomWalk(i + 1, i));
    const state = emptyState(series.length);
    series.forEach((closes, symbol) => {
      seedIncremental(state, symbol, closes.subarray(0, -1));
    });
    const symbols = Int32Array.from(series, (_, entry) => series.length - 1 - entry);
    const out = outputColumns(incrementalColumnNames, symbols.length);
    advanceIncremental(state, { symbols, closes: lastCloses(series, symbols) }, out);
    symbols.forEach((symbol, entry) => {
      const whole = recompute(series[symbol], defaultIncrementalParams);
      for (const name of incrementalColumnNames) expect(out[name][entry]).toBe(whole[name][symbol]);
    });
  });

  it('go on from saved bytes, on shared memory, with room for more symbols', () => {
    const closes = randomWalk(300);
    const saved = emptyState(2);
    seedIncremental(saved, 1, closes.subarray(0, 299));
    const bytes = new Uint8Array(saved.rows.buffer);

    const shared = new Uint8Array(new SharedArrayBuffer((bytes.length / 2) * 3));
    shared.set(bytes);
    const state = incrementalState(new Float64Array(shared.buffer));
    seedIncremental(state, 2, closes.subarray(0, 299));
    const out = outputColumns(incrementalColumnNames, 2);
    advanceIncremental(
      state,
      { symbols: Int32Array.of(1, 2), closes: Float64Array.of(closes[299], closes[299]) },
      out,
    );
    const whole = recompute(closes, defaultIncrementalParams);
    for (const name of incrementalColumnNames) {
      expect(Array.from(out[name])).toEqual([whole[name][299], whole[name][299]]);
    }
  });

  it('refuse a symbol without a row', () => {
    const out = outputColumns(incrementalColumnNames, 1);
    const bars = { symbols: Int32Array.of(2), closes: Float64Array.of(100) };
    expect(() => advanceIncremental(emptyState(2), bars, out)).toThrow(/symbol 2 has a state row/);
  });

  it('refuse rows of other parameters', () => {
    expect(() => incrementalState(new Float64Array(41))).toThrow(/state rows have 40 fields/);
  });
});

function lastCloses(series: Float64Array[], symbols: Int32Array): Float64Array {
  return Float64Array.from(symbols, (symbol) => series[symbol].at(-1)!);
}

describe('preview of running bars', () => {
  const symbolCount = 700;
  const series = Array.from({ length: symbolCount }, (_, i) => randomWalk((i % 90) + 1, i));
  const symbols = Int32Array.from(series, (_, symbol) => symbol);
  const closes = lastCloses(series, symbols);
  const seeded = () => {
    const state = emptyState(symbolCount);
    series.forEach((history, symbol) => {
      seedIncremental(state, symbol, history.subarray(0, -1));
    });
    return state;
  };

  it('gives the values of a complete bar', () => {
    const expected = outputColumns(incrementalColumnNames, symbolCount);
    advanceIncremental(seeded(), { symbols, closes }, expected);
    const out = outputColumns(incrementalColumnNames, symbolCount);
    previewIncremental(seeded(), { symbols, closes }, out);
    expectSameBits(out, expected);
  });

  it('leaves the state as it is, so that a bar can be revised again and again', () => {
    const state = seeded();
    const out = outputColumns(incrementalColumnNames, symbolCount);
    const higher = closes.map((close) => close * 1.5);
    previewIncremental(state, { symbols, closes: higher }, out);
    const none = new Float64Array(symbolCount).fill(Number.NaN);
    previewIncremental(state, { symbols, closes: none }, out);
    expect(bits(state.rows)).toEqual(bits(seeded().rows));
  });

  it('takes some symbols in any order', () => {
    const state = seeded();
    const some = Int32Array.of(650, 3, 88);
    const out = outputColumns(incrementalColumnNames, some.length);
    previewIncremental(state, { symbols: some, closes: lastCloses(series, some) }, out);
    some.forEach((symbol, entry) => {
      const whole = recompute(series[symbol], defaultIncrementalParams);
      for (const name of incrementalColumnNames) expect(out[name][entry]).toBe(whole[name].at(-1));
    });
  });
});
