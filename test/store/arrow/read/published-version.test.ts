import { beforeEach, describe, expect, it } from 'vitest';
import { ParameterError } from '../../../../src/base/errors.ts';
import type { DailyInterval } from '../../../../src/base/time/intervals.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import type { LayerWriter } from '../../../../src/store/arrow/write/layer-writer.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import type { SeriesRows } from '../../../../src/store/arrow/write/volume-writer.ts';
import { freshFolder } from '../../../support/folders.ts';
import {
  dayUs,
  FIRST_DAY,
  factsOf,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  quoteOf,
  rowsOf,
  universeOf,
} from '../support/published-fixture.ts';

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

function published(): PublishedVersion {
  return openPublished(dir) as PublishedVersion;
}

/** Publishes a layer over what is there; symbols stay as they are. */
async function publishLayer(add: (layer: LayerWriter) => void): Promise<PublishedVersion> {
  const publication = new Publication(dir, { indicatorColumns: INDICATORS });
  add(publication.layer);
  await publication.commit(LAYER_ADDED);
  return published();
}

function expectRows(
  version: PublishedVersion,
  symbol: string,
  interval: DailyInterval,
  expected: readonly SeriesRows[],
) {
  const joined = (pick: (rows: SeriesRows) => Float64Array | BigInt64Array) =>
    expected.flatMap((rows) => [...pick(rows)]);
  const bars = version.bars(symbol, interval);
  expect([...bars.timestampUs]).toEqual(joined((rows) => rows.bars.timestampUs));
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
    expect([...bars[name]]).toEqual(joined((rows) => rows.bars[name]));
  }
  version.indicators(symbol, interval, INDICATORS).forEach((column, i) => {
    expect([...column]).toEqual(joined((rows) => rows.indicators[i]));
  });
}

describe('a base', () => {
  it('reads back every series, closed years and current year as one', async () => {
    const universe = universeOf(3, 500);
    await publishBase(dir, universe);
    const version = published();
    for (const [name, series] of Object.entries(universe)) {
      for (const interval of ['1d', '1w', '1M'] as const) {
        expectRows(version, name, interval, [series[interval]]);
      }
    }
  });

  it('reads any range of rows, also across a new year', async () => {
    await publishBase(dir, universeOf(2, 500));
    const version = published();
    const all = version.bars('A1', '1d');
    const ranges = [
      [0, 500],
      [0, 1],
      [88, 91],
      [89, 90],
      [499, 500],
      [250, 250],
    ];
    for (const [start, end] of ranges) {
      const bars = version.bars('A1', '1d', { start, end });
      expect(bars.timestampUs).toEqual(all.timestampUs.slice(start, end));
      expect(bars.close).toEqual(all.close.slice(start, end));
    }
    expect(() => version.bars('A1', '1d', { start: 1, end: 501 })).toThrow('rows 1 to 501 of 500');
  });

  it('finds the first row at or after a moment', async () => {
    await publishBase(dir, universeOf(1, 500));
    const version = published();
    const rowAt = (us: bigint) => version.rowAt('A0', '1d', us);
    expect(rowAt(0n)).toBe(0);
    expect(rowAt(dayUs(FIRST_DAY))).toBe(0);
    expect(rowAt(dayUs(FIRST_DAY) + 1n)).toBe(1);
    expect(rowAt(dayUs(FIRST_DAY + 89))).toBe(89);
    expect(rowAt(dayUs(FIRST_DAY + 90))).toBe(90);
    expect(rowAt(dayUs(FIRST_DAY + 499))).toBe(499);
    expect(rowAt(dayUs(FIRST_DAY + 499) + 1n)).toBe(500);
  });

  it('returns the facts of a symbol', async () => {
    await publishBase(dir, universeOf(2, 500));
    expect(published().symbol('A1')).toEqual({
      ...factsOf('A1'),
      firstBarUs: dayUs(FIRST_DAY),
      lastBarUs: dayUs(FIRST_DAY + 499),
    });
    expect(published().quote('A1')).toEqual(quoteOf('A1', rowsOf(2, 500).bars.close[499]));
  });

  it('returns nothing for an unknown symbol and rejects an unknown column', async () => {
    await publishBase(dir, universeOf(1, 10));
    const version = published();
    expect(version.symbol('NONE')).toBeUndefined();
    expect(version.quote('NONE')).toBeUndefined();
    expect(version.rowCount('NONE', '1d')).toBe(0);
    expect(version.bars('NONE', '1d').close).toHaveLength(0);
    expect(() => version.indicators('A0', '1d', ['sma', 'nope'])).toThrow(ParameterError);
  });

  it('can be empty', async () => {
    await publishBase(dir, {});
    expect(published().symbols).toEqual([]);
  });
});

describe('layers', () => {
  it('a slice appends a bar to every series', async () => {
    const universe = universeOf(3, 500);
    await publishBase(dir, universe);
    const version = await publishLayer((layer) => {
      for (const number of [0, 1, 2]) {
        layer.addToSlice(number, '1d', rowsOf(number + 50, 1, { firstRow: 500 }));
      }
    });
    for (const number of [0, 1, 2]) {
      const expected = [universe[`A${number}`]['1d'], rowsOf(number + 50, 1, { firstRow: 500 })];
      expectRows(version, `A${number}`, '1d', expected);
    }
    expectRows(version, 'A1', '1w', [universe.A1['1w']]);
    expect(version.symbol('A2')?.lastBarUs).toBe(dayUs(FIRST_DAY + 500));
    expect(version.rowAt('A2', '1d', dayUs(FIRST_DAY + 500))).toBe(500);
  });

  it('a slice replaces the bars it repeats, such as the running week', async () => {
    await publishBase(dir, universeOf(2, 500));
    await publishLayer((layer) => layer.addToSlice(1, '1w', rowsOf(60, 2, { firstRow: 99 })));
    const version = await publishLayer((layer) =>
      layer.addToSlice(1, '1w', rowsOf(61, 1, { firstRow: 100 })),
    );
    expectRows(version, 'A1', '1w', [
      rowsOf(2.25, 99),
      rowsOf(60, 1, { firstRow: 99 }),
      rowsOf(61, 1, { firstRow: 100 }),
    ]);
  });

  it('a patch replaces a whole series, and slices continue it', async () => {
    await publishBase(dir, universeOf(2, 500));
    await publishLayer((layer) => layer.addToSlice(0, '1d', rowsOf(70, 1, { firstRow: 500 })));
    await publishLayer((layer) => layer.addBatch(0, '1d', 'patches', rowsOf(71, 300)));
    const version = await publishLayer((layer) =>
      layer.addToSlice(0, '1d', rowsOf(72, 3, { firstRow: 300 })),
    );
    expectRows(version, 'A0', '1d', [rowsOf(71, 300), rowsOf(72, 3, { firstRow: 300 })]);
    expectRows(version, 'A1', '1d', [rowsOf(2, 500)]);
  });

  it('a new symbol gets the next number', async () => {
    await publishBase(dir, universeOf(2, 10));
    const publication = new Publication(dir, { indicatorColumns: INDICATORS });
    publication.layer.addBatch(2, '1d', 'patches', rowsOf(90, 7));
    await publication.commit({
      ...LAYER_ADDED,
      symbols: ['A0', 'A1', 'A'].map(factsOf),
      quotes: [quoteOf('A0', 1), undefined, quoteOf('A', 3)],
    });
    expect(published().symbols).toEqual(['A', 'A0', 'A1']);
    expectRows(published(), 'A', '1d', [rowsOf(90, 7)]);
    expect(published().quote('A')?.price).toBe(3);
    expect(published().quote('A1')).toBeUndefined();
  });

  it('shared with an older snapshot leave it unchanged', async () => {
    await publishBase(dir, universeOf(2, 500));
    const before = published();
    const beforeId = before.id;
    await publishLayer((layer) => layer.addToSlice(0, '1d', rowsOf(70, 1, { firstRow: 500 })));
    const after = openPublished(dir, before) as PublishedVersion;
    expect(after.id).not.toBe(beforeId);
    expect([before.rowCount('A0', '1d'), after.rowCount('A0', '1d')]).toEqual([500, 501]);
    expect(after.layers[0]).toBe(before.layers[0]);
    expectRows(before, 'A0', '1d', [rowsOf(1, 500)]);
  });
});
