import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { long, STORE_RUNS, someOf } from '../../../support/store-runs.ts';
import { content, contentAfter, republished, servedRows } from '../support/content.ts';
import {
  actionsOf,
  dateAfter,
  freshStore,
  load,
  oneFile,
  query,
  risingBars,
  type SegmentOptions,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';

const RAW: SegmentOptions = { basis: 'raw' };

const closesOf = (db: MarketDb, symbol = 'SPY') =>
  query(
    db,
    `SELECT ts[:10], close, source FROM (SELECT ts::VARCHAR AS ts, close, source, symbol
             FROM candles) WHERE symbol = '${symbol}' ORDER BY ts`,
  );

describe('the served series', () => {
  long('is that of the source table, whichever is loaded first', async () => {
    const stooq = oneFile(risingBars('2020-01-03', 8, 87), {
      source: 'stooq',
    });
    const universe = oneFile(risingBars('2020-01-01', 9, 98));
    const db = await freshStore();
    await load(db, universe);
    expect((await closesOf(db))[0]).toEqual(['2020-01-01', 98, 'files']);
    await load(db, stooq);
    expect((await closesOf(db))[0]).toEqual(['2020-01-03', 87, 'stooq']);
    expect(await content(db)).toEqual(await contentAfter([stooq, universe]));
  });

  test('takes older bars from a vintage that agrees at the splice, scaled', async () => {
    const halves = risingBars('2020-01-01', 10, 200, 2).map(
      ([date, close]): TestBar => [date, close, 10],
    );
    const old = oneFile(halves);
    const newer = oneFile(risingBars('2020-01-04', 8, 103));
    const db = await freshStore();
    await load(db, old);
    await load(db, newer);
    expect(await query(db, 'SELECT open, close, volume FROM candles ORDER BY ts LIMIT 4')).toEqual([
      [100, 100, 20],
      [101, 101, 20],
      [102, 102, 20],
      [103, 103, 1000],
    ]);
  });

  test('merges raw files row by row, the newer file winning, older values kept', async () => {
    const old = oneFile(risingBars('2020-01-01', 3), { basis: 'raw' });
    const newer = oneFile(
      [
        ['2019-12-31', 99],
        ['2020-01-03', 77],
        ['2020-01-04', 103],
      ],
      RAW,
    );
    for (const order of [
      [old, newer],
      [newer, old],
    ]) {
      const db = await freshStore();
      for (const segment of order) await load(db, segment);
      expect((await closesOf(db)).map(([, close]) => close)).toEqual([99, 100, 101, 77, 103]);
      expect(await query(db, 'SELECT ts, close FROM rival_bars')).toEqual([
        ['2020-01-03T00:00:00.000Z', 102],
      ]);
      expect(await query(db, 'SELECT row_count, as_of FROM series')).toEqual([
        [5, '2020-01-04T00:00:00.000Z'],
      ]);
    }
  });

  test('merges raw files of one segment that name the same symbol', async () => {
    const segment = segmentOf(
      [
        { symbol: 'SPY', bars: risingBars('2020-01-01', 4, 50) },
        { symbol: 'SPY', bars: risingBars('2020-01-01', 3, 60) },
      ],
      { basis: 'raw' },
    );
    const db = await freshStore();
    expect(await load(db, segment)).toMatchObject({ accepted: 7, seriesChanged: 1 });
    expect((await closesOf(db)).map(([, close]) => close)).toEqual([50, 51, 52, 53]);
    expect(await query(db, 'SELECT count(*) FROM rival_bars')).toEqual([[3]]);
  });
});

describe('changes', () => {
  const bars = risingBars('2020-01-01', 6);
  const later: TestBar[] = [['2020-01-07', 5]];

  test.each(
    someOf(
      [
        ['bars after the last one', oneFile(bars, RAW), oneFile(later, RAW), 'append 2020-01-07'],
        [
          'a vintage that goes on',
          oneFile(bars),
          oneFile(risingBars('2020-01-01', 8)),
          'append 2020-01-07',
        ],
        // A rewrite once began at the new first bar, so that a publisher kept the older ones for ever.
        [
          'a first bar that is gone, with another basis',
          oneFile(bars, RAW),
          oneFile(risingBars('2020-01-04', 6), { basis: 'split' }),
          'rewrite 2020-01-01',
        ],
        [
          'a better source of the same bars',
          oneFile(bars),
          oneFile(bars, { source: 'stooq' }),
          'rewrite 2020-01-01',
        ],
        ['a lesser source of the same days', oneFile(bars, { source: 'stooq' }), oneFile(bars), ''],
      ],
      2,
    ),
  )('of %s', async (_, first, second, expected) => {
    const db = await freshStore();
    await load(db, first);
    await load(db, second);
    const [kind, date] = expected.split(' ');
    const change = { symbol: 'SPY', interval: '1d', kind, fromUs: Date.parse(date) * 1000 };
    expect((await readPendingChanges(db, 1)).changes).toEqual(date ? [change] : []);
  });

  test('are compacted into one for each series, and a rewrite outweighs appends', async () => {
    const db = await freshStore();
    const days = ['2020-01-05', '2020-01-03', '2020-01-06'];
    for (const day of days) {
      await load(db, oneFile([[day, 5]], { basis: 'raw' }));
    }
    expect(await readPendingChanges(db, 0)).toEqual({
      changes: [
        { symbol: 'SPY', interval: '1d', kind: 'rewrite', fromUs: Date.parse('2020-01-03') * 1000 },
      ],
      seq: 3,
    });
    expect(await readPendingChanges(db, 3)).toEqual({ changes: [], seq: 3 });
  });
});

/** Segments of two symbols that overlap, agree, disagree and are split, in all bases. */
const anySegments = fc.array(
  fc.record({
    source: fc.constantFrom('stooq', 'yahoo', 'files'),
    basis: fc.constantFrom('raw', 'split', 'all' as const),
    asOf: fc.option(fc.constantFrom('2020-02-01', '2020-02-02'), { nil: undefined }),
    files: fc.array(
      fc.record({
        symbol: fc.constantFrom('SPY', 'QQQ'),
        start: fc.nat(12),
        count: fc.integer({ min: 1, max: 12 }),
        scale: fc.constantFrom(1, 1, 1, 2, 0.25),
        wrong: fc.nat(30),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    split: fc.option(fc.record({ day: fc.nat(20), coveredTo: fc.nat(30) }), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 5 },
);

type Spec = (typeof anySegments extends fc.Arbitrary<infer T> ? T : never)[number];

function segmentFromSpec(
  { source, basis, asOf, files, split }: Spec,
  index: number,
): CandleSegment {
  return segmentOf(
    files.map(({ symbol, start, count, scale, wrong }) => ({
      symbol,
      bars: Array.from({ length: count }, (_, i): TestBar => {
        const day = start + i;
        return [dateAfter('2020-01-01', day), (100 + day) * scale * (day === wrong ? 1.5 : 1)];
      }),
    })),
    {
      source,
      basis,
      asOf,
      name: String(index),
      ...(split && {
        actions: [
          actionsOf('SPY', ['2020-01-01', dateAfter('2020-01-01', split.coveredTo)], {
            splits: [dateAfter('2020-01-01', split.day)],
          }),
        ],
      }),
    },
  );
}

describe('any set of segments', () => {
  test('gives the same content in any order and repetition', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, fc.infiniteStream(fc.nat(1000)), async (specs, picks) => {
        const segments = specs.map(segmentFromSpec);
        const shuffled = [...segments, segments[0]]
          .map((segment) => ({ segment, pick: picks.next().value as number }))
          .sort((a, b) => a.pick - b.pick)
          .map(({ segment }) => segment);
        expect(await contentAfter(shuffled)).toEqual(await contentAfter(segments));
      }),
      { seed: 13, numRuns: STORE_RUNS },
    );
  });

  test('gives changes from which a publisher keeps up', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, (specs) =>
        withStore(async (db) => {
          let published: unknown[][] = [];
          for (const [index, spec] of specs.entries()) {
            const { seq } = await load(db, segmentFromSpec(spec, index));
            const served = await servedRows(db);
            const { changes } = await readPendingChanges(db, seq - 1);
            for (const change of changes) published = republished(published, served, change);
            expect(published.sort()).toEqual(served.sort());
          }
        }),
      ),
      { seed: 8, numRuns: STORE_RUNS },
    );
  });
});

test('volumes that two vintages state alike stay, whatever factor their prices have', async () => {
  const older = risingBars('2020-01-01', 8, 200, 2).map(
    ([date, close]): TestBar => [date, close, 7000],
  );
  const newer = older.slice(3).map(([date, close]): TestBar => [date, close * 0.995, 7000]);
  const db = await freshStore();
  await load(db, oneFile(older));
  await load(db, oneFile([...newer, ['2020-01-09', 216, 9000]]));
  const first = await query(db, 'SELECT close, volume FROM candles ORDER BY ts LIMIT 1');
  expect(first).toEqual([[199, 7000]]);
});
