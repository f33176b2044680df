import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoldCandidatesError } from '../../../../src/base/errors.ts';
import type { PublishedQuotes } from '../../../../src/base/published-quotes.ts';
import type { FetchedSegment } from '../../../../src/ingest/contract/fetch-context.ts';
import { batchKey } from '../../../../src/store/duckdb/candles/candle-batch.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import type { LoadGuard } from '../../../../src/store/duckdb/holds/load-guard.ts';
import {
  type LoadResult,
  loadCandleBatch,
} from '../../../../src/store/duckdb/load/load-candles.ts';
import { scaled } from '../../../faults/scale.ts';
import { freshFolder } from '../../../support/folders.ts';
import { long, STORE_RUNS, someOf } from '../../../support/store-runs.ts';
import { content, republished, servedRows } from '../support/content.ts';
import {
  actionsOf,
  dateAfter,
  delist,
  freshStore,
  load,
  minuteBars,
  NOW_MS,
  query,
  risingBars,
  type SegmentOptions,
  type TestBar,
  type TestFile,
  withStore,
} from '../support/fixtures.ts';
import { landedOf } from '../support/landed.ts';

function loadTogether(db: MarketDb, segments: readonly CandleSegment[]): Promise<LoadResult[]> {
  const inputs = segments.map((segment) => ({ segment }));
  return loadCandleBatch(db, inputs, NOW_MS);
}

/** Batches as a run puts them together. */
function batchesOf(folder: string, segments: readonly FetchedSegment[]): FetchedSegment[][] {
  const batches = Map.groupBy(segments, (segment) =>
    batchKey(segment, join(folder, `${segment.id}.parquet`)),
  );
  expect(batches.has(undefined)).toBe(false);
  return [...batches.values()];
}

/**
 * Reads all content that must not depend on what was loaded together: everything but numbers given
 * by arrival.
 */
async function stored(db: MarketDb): Promise<unknown> {
  return {
    content: await content(db),
    segments: await query(db, 'SELECT * EXCLUDE seq FROM segments ORDER BY ALL'),
    files: await query(
      db,
      `SELECT f.* EXCLUDE (file_id, segment_seq), segment
       FROM segment_files f JOIN segments ON seq = segment_seq ORDER BY ALL`,
    ),
    series: await query(
      db,
      'SELECT * EXCLUDE series_id FROM series WHERE row_count > 0 ORDER BY ALL',
    ),
    coverage: await query(
      db,
      `SELECT c.* EXCLUDE (statement_id, segment_seq), segment
       FROM action_coverage c JOIN segments ON seq = segment_seq ORDER BY ALL`,
    ),
    rows: await query(
      db,
      `SELECT b.* EXCLUDE (series_id, file_id), ticker, s.source, s.interval, segment
       FROM (FROM bars UNION ALL FROM intraday_bars) b JOIN series s USING (series_id)
       JOIN segment_files f USING (file_id) JOIN segments g ON g.seq = segment_seq ORDER BY ALL`,
    ),
    directory: await query(db, 'FROM symbols ORDER BY ALL'),
    dead: await query(db, 'FROM dead_series'),
  };
}

const events = (db: MarketDb) =>
  query(db, 'SELECT event_id, type, payload, created_at FROM outbox ORDER BY event_id');

const SYMBOLS = ['SPY', 'QQQ', 'IWM'];

const anySegments = fc.array(
  fc.record({
    source: fc.constantFrom('tiingo', 'tiingo', 'massive'),
    basis: fc.constantFrom('raw', 'raw', 'raw', 'split' as const),
    isMinutes: fc.constantFrom(false, false, true),
    hours: fc.constantFrom('regular', 'extended' as const),
    asOf: fc.constantFrom('2026-06-28', '2026-06-29', '2026-06-30'),
    symbols: fc.uniqueArray(fc.constantFrom(...SYMBOLS), { minLength: 1 }),
    first: fc.nat(8),
    count: fc.integer({ min: 1, max: 8 }),
    close: fc.constantFrom(100, 100, 100, 130),
    splitAfter: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
  }),
  { minLength: 4, maxLength: scaled(5, 12) },
);

type Spec = typeof anySegments extends fc.Arbitrary<(infer One)[]> ? One : never;

function land(folder: string, spec: Spec, index: number): Promise<FetchedSegment> {
  const { source, basis, asOf, first, count, close, splitAfter, isMinutes } = spec;
  const date = dateAfter('2020-06-01', first);
  const bars = risingBars(date, count, close + first).flatMap(([day, price]) =>
    isMinutes ? minuteBars(day, 2, price, first % 2) : ([[day, price]] satisfies TestBar[]),
  );
  const options: SegmentOptions = { source, basis, asOf, name: String(index) };
  if (isMinutes) Object.assign(options, { interval: '1m', hours: spec.hours });
  if (splitAfter !== undefined) {
    const day = dateAfter(date, splitAfter);
    const covered = [dateAfter(day, -20), dateAfter(day, 20)] as const;
    options.actions = spec.symbols.map((symbol) => actionsOf(symbol, covered, { splits: [day] }));
  }
  return landedOf(
    folder,
    spec.symbols.map((symbol) => ({ symbol, bars })),
    options,
  );
}

describe('segments that are loaded together', () => {
  test('leave what they leave one by one in another order, and changes that say all of it', async () => {
    const folder = freshFolder();
    await fc.assert(
      fc.asyncProperty(anySegments, fc.nat(4), async (specs, firstCount) => {
        const segments = await Promise.all(specs.map((spec, i) => land(folder, spec, i)));
        const before = segments.slice(0, firstCount);
        const after = [...segments.slice(firstCount), segments[0]];
        const together = await withStore(async (db) => {
          for (const segment of before) await load(db, segment);
          const { seq } = await readPendingChanges(db, 0);
          let published = await servedRows(db);
          for (const batch of batchesOf(folder, after)) await loadTogether(db, batch);
          const { changes } = await readPendingChanges(db, seq);
          const served = await servedRows(db);
          for (const change of changes) published = republished(published, served, change);
          expect(published.sort()).toEqual(served.sort());
          return stored(db);
        });
        const oneByOne = await withStore(async (db) => {
          for (const segment of segments.toReversed()) await load(db, segment);
          return stored(db);
        });
        expect(together).toEqual(oneByOne);
      }),
      { seed: 49, numRuns: STORE_RUNS },
    );
  });
});

describe('events of segments that are loaded together', () => {
  const oneDay = (days: number) =>
    SYMBOLS.map((symbol): TestFile => {
      return { symbol, bars: [[dateAfter('2020-01-01', days), 100 + days]] };
    });
  const cases: [string, (i: number) => [TestFile[], SegmentOptions?]][] = [
    [
      'of different symbols',
      (i) => [
        [
          { symbol: `A${i}`, bars: risingBars('2020-01-01', 3) },
          { symbol: `B${i}`, bars: risingBars('2020-01-02', 2) },
        ],
      ],
    ],
    ['of days that follow one another', (i) => [oneDay(i)]],
    ['of days in reverse', (i) => [oneDay(-i)]],
    [
      'of minutes',
      (i) => [
        [{ symbol: 'SPY', bars: minuteBars('2020-01-02', 2, 100, 2 * i) }],
        { interval: '1m' },
      ],
    ],
    [
      'of newer and newer adjusted files; the last is served, except for bars that it lacks',
      (i) => [
        [{ symbol: `A${i}`, bars: risingBars('2020-01-01', 6) }],
        { basis: 'split', asOf: dateAfter('2026-01-01', i) },
      ],
    ],
  ];

  test.each(someOf(cases, 5))('%s are those of one by one', async (_, filesOf) => {
    const folder = freshFolder();
    const segments = await Promise.all([0, 1, 2].map((i) => landedOf(folder, ...filesOf(i))));
    const [first, ...rest] = segments;
    const oneByOne = await withStore(async (db) => {
      const results = [await load(db, first)];
      for (const segment of rest) results.push(await load(db, segment));
      return { results, events: await events(db) };
    });
    const together = await withStore(async (db) => {
      const results = [await load(db, first), ...(await loadTogether(db, rest))];
      return { results, events: await events(db) };
    });
    expect(together).toEqual(oneByOne);
    expect(together.events).toHaveLength(3);
  });

  long('tell of a bar that several have only for the one that is served', async () => {
    const folder = freshFolder();
    const db = await freshStore();
    const at = (close: number, asOf: string) => {
      const bars: TestBar[] = [['2020-01-01', close]];
      return landedOf(folder, [{ symbol: 'SPY', bars }], { asOf });
    };
    const segments = [
      await at(1, '2026-06-28'),
      await at(2, '2026-06-30'),
      await at(3, '2026-06-29'),
    ];
    const results = await loadTogether(db, segments);
    expect(results.map(({ seriesChanged }) => seriesChanged)).toEqual([0, 1, 0]);
    expect(await query(db, 'SELECT seq FROM outbox')).toEqual([[2]]);
    expect(await query(db, 'SELECT close FROM candles')).toEqual([[2]]);
  });

  test('tell of a split for the segment that states it', async () => {
    const folder = freshFolder();
    const db = await freshStore();
    const bars = risingBars('2020-01-01', 10);
    const stating = (symbol: string, date: string, splits: string[]) =>
      landedOf(folder, [{ symbol, bars: [[date, 110]] }], {
        actions: [actionsOf(symbol, ['2020-01-01', '2020-02-01'], { splits })],
      });
    await load(
      db,
      await landedOf(
        folder,
        SYMBOLS.map((symbol) => ({ symbol, bars })),
      ),
    );
    const rest = [
      await stating('SPY', '2020-01-11', ['2020-01-05']),
      await stating('QQQ', '2020-01-12', []),
    ];
    await loadTogether(db, rest);
    const told = await query(db, 'SELECT seq, payload FROM outbox WHERE seq > 1 ORDER BY seq');
    const from = Date.parse('2020-01-01T00:00:00Z');
    expect(told.map(([seq, payload]) => [seq, JSON.parse(payload as string)])).toEqual([
      [2, { source: 'tiingo', interval: '1d', from, symbols: ['SPY'] }],
      [3, { source: 'tiingo', interval: '1d', from, symbols: ['QQQ'] }],
    ]);
  });
});

describe('a batch', () => {
  const one = (folder: string, i: number) =>
    landedOf(folder, [{ symbol: `S${i}`, bars: risingBars('2020-01-01', 3) }]);

  long('leaves out what is loaded already, and the second of two that are the same', async () => {
    const folder = freshFolder();
    const db = await freshStore();
    const segments = await Promise.all([0, 1, 2].map((i) => one(folder, i)));
    await load(db, segments[1]);
    const results = await loadTogether(db, [...segments, segments[2]]);
    const extent = expect.objectContaining({ rows: 3 });
    const loaded = { alreadyLoaded: true, loadedMs: NOW_MS };
    expect(results).toEqual([
      { seq: 2, alreadyLoaded: false, accepted: 3, rejected: 0, seriesChanged: 1, extent },
      { seq: 1, ...loaded, accepted: 3, rejected: 0, seriesChanged: 0 },
      { seq: 3, alreadyLoaded: false, accepted: 3, rejected: 0, seriesChanged: 1, extent },
      { seq: 3, alreadyLoaded: true, accepted: 3, rejected: 0, seriesChanged: 0 },
    ]);
    expect(await query(db, 'SELECT count(*) FROM bars')).toEqual([[9]]);
  });

  test('leaves the store as it was where one of its files does not hold what it should', async () => {
    const folder = freshFolder();
    const db = await freshStore();
    const good = await one(folder, 0);
    const short = await one(folder, 1);
    short.files[0] = { ...short.files[0], dataLines: 4 };
    await expect(loadTogether(db, [good, short])).rejects.toThrow('good rows');
    expect(await query(db, 'SELECT count(*), (SELECT count(*) FROM segments) FROM bars')).toEqual([
      [0, 0],
    ]);
    expect(await loadTogether(db, [good])).toMatchObject([{ seq: 1, accepted: 3 }]);
  });

  long('gives bars of a ticker that was left to a new security, as one by one', async () => {
    const folder = freshFolder();
    const bars = (date: string) => [{ symbol: 'SPY', bars: risingBars(date, 5) }];
    const old = await landedOf(folder, bars('2020-01-01'));
    const later = [
      await landedOf(folder, bars('2022-01-01')),
      await landedOf(folder, bars('2022-02-01')),
    ];
    const afterDelisting = (work: (db: MarketDb) => Promise<unknown>) =>
      withStore(async (db) => {
        await load(db, old);
        await delist(db, 'SPY', '2020-01-05');
        await work(db);
        const { content, rows, directory } = (await stored(db)) as Record<string, unknown>;
        return { content, rows, directory };
      });
    const together = await afterDelisting((db) => loadTogether(db, later));
    const oneByOne = await afterDelisting(async (db) => {
      for (const segment of later.toReversed()) await load(db, segment);
    });
    expect(together).toEqual(oneByOne);
  });

  test('names what might be held, and is stored without it', async () => {
    const folder = freshFolder();
    const db = await freshStore();
    const day = (symbol: string, close: number, rejectedLines = 0) =>
      landedOf(folder, [{ symbol, bars: [['2026-06-30', close]] }]).then((segment) => ({
        ...segment,
        rejectedLines,
      }));
    const quote = { price: 100, timestampMs: Date.parse('2026-06-29T20:00:00Z') };
    const published = {
      newestMs: quote.timestampMs,
      quote: (symbol: string) => (symbol === 'NEW' ? undefined : quote),
      newestSession: () => undefined,
    } as unknown as PublishedQuotes;
    const guard: LoadGuard = { isScheduled: true, published, earlyRows: () => 0 };
    const segments = [
      await day('GOOD', 101),
      await day('HALF', 49),
      await day('NEW', 1),
      await day('BAD', 100, 3),
    ];
    const inputs = segments.map((segment) => ({ segment, guard }));
    const refused = await loadCandleBatch(db, inputs, NOW_MS).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(HoldCandidatesError);
    expect((refused as HoldCandidatesError).places).toEqual([1, 3]);
    const rest = inputs.filter((_, i) => i % 2 === 0);
    expect(await loadCandleBatch(db, rest, NOW_MS)).toHaveLength(2);
    const unlooked = inputs.map((input) => ({ ...input, guard: { ...guard, isScheduled: false } }));
    expect(await loadCandleBatch(db, unlooked, NOW_MS)).toMatchObject([
      { alreadyLoaded: true },
      { alreadyLoaded: false },
      { alreadyLoaded: true },
      { alreadyLoaded: false },
    ]);
  });
});
