import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HoldCandidatesError } from '../../../../src/base/errors.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { FetchedRows } from '../../../../src/ingest/contract/fetch-context.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import type { LoadGuard } from '../../../../src/store/duckdb/holds/load-guard.ts';
import { loadRowBatch, type RowLoadResult } from '../../../../src/store/duckdb/load/load-rows.ts';
import { scaled } from '../../../faults/scale.ts';
import { STORE_RUNS } from '../../../support/store-runs.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { delist, freshStore, NOW_MS, query, withStore } from '../support/fixtures.ts';
import { article, land, loadSegment, target } from '../support/row-fixtures.ts';

function loadTogether(db: MarketDb, segments: readonly FetchedRows[]): Promise<RowLoadResult[]> {
  const inputs = segments.map((segment) => ({ segment }));
  return loadRowBatch(db, inputs, NOW_MS);
}

/**
 * Reads the content of a table without numbers of segments. If segments have the same row, source
 * and as-of, the first loaded one keeps the row.
 */
async function stored(db: MarketDb, table: string): Promise<unknown> {
  return {
    rows: await query(
      db,
      `SELECT r.* EXCLUDE segment_seq, g.source AS given_by, g.as_of AS given_as_of
       FROM ${table} r JOIN segments g ON seq = segment_seq ORDER BY ALL`,
    ),
    segments: await query(db, 'SELECT * EXCLUDE seq FROM segments ORDER BY ALL'),
    changes: await query(db, 'SELECT dataset, list_key FROM row_changes ORDER BY ALL'),
    directory: await query(db, 'FROM symbols ORDER BY ALL'),
  };
}

const eventIds = async (db: MarketDb) =>
  (await query(db, 'SELECT event_id FROM outbox ORDER BY event_id')).map(([id]) => id);

const anySegments = fc.array(
  fc.record({
    source: fc.constantFrom('files', 'fmp', 'finnhub'),
    asOf: fc.constantFrom('2026-06-28', '2026-06-29'),
    rows: fc.array(
      fc.record({
        key: fc.nat(3),
        value: fc.nat(2),
        symbol: fc.constantFrom('AAPL', 'MSFT'),
        analystName: fc.constantFrom(null, null, 'C'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 3, maxLength: scaled(5, 9) },
);

describe('segments of rows that are loaded together', () => {
  useLimits(limits.store, { eventRowsMax: 20 });

  test('leave what they leave one by one in another order', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, fc.nat(3), async (specs, firstCount) => {
        const segments: FetchedRows[] = [];
        for (const { source, asOf, rows } of specs) {
          const targets = rows.map(({ key, value, ...row }) =>
            target({ ...row, firm: `Firm ${key}`, target: 300 + value }),
          );
          segments.push(await land('analyst-targets', targets, source, asOf));
        }
        const before = segments.slice(0, firstCount);
        const after = [...segments.slice(firstCount), segments[0]];
        const together = await withStore(async (db) => {
          for (const segment of before) await loadSegment(db, segment);
          const results = await loadTogether(db, after);
          const ids = await query(db, 'SELECT segment FROM segments ORDER BY seq');
          for (const [i, { seq }] of results.entries()) expect(ids[seq - 1][0]).toBe(after[i].id);
          return { stored: await stored(db, 'analyst_targets'), events: await eventIds(db) };
        });
        const inOrder = await withStore(async (db) => {
          for (const segment of segments) await loadSegment(db, segment);
          return eventIds(db);
        });
        // Only the winning row of a key makes an event.
        expect(inOrder).toEqual(expect.arrayContaining(together.events));
        const reversed = await withStore(async (db) => {
          for (const segment of segments.toReversed()) await loadSegment(db, segment);
          return stored(db, 'analyst_targets');
        });
        expect(together.stored).toEqual(reversed);
      }),
      { seed: 50, numRuns: STORE_RUNS, endOnFailure: true },
    );
  });

  test('tell the events of one by one, in the order of their numbers', async () => {
    const segments = await Promise.all([1, 2, 3].map((i) => land('news', [article(i)])));
    const all = (db: MarketDb) => query(db, 'SELECT * FROM outbox ORDER BY seq, event_id');
    const oneByOne = await withStore(async (db) => {
      const results: RowLoadResult[] = [];
      for (const segment of segments) results.push(await loadSegment(db, segment));
      return { results, events: await all(db) };
    });
    const together = await withStore(async (db) => {
      return { results: await loadTogether(db, segments), events: await all(db) };
    });
    expect(together).toEqual(oneByOne);
    expect(together.events).toHaveLength(3);
  });

  test('tell of so many new rows of each, as one by one', async () => {
    const db = await freshStore();
    const count = limits.store.eventRowsMax;
    const many = (first: number) =>
      land(
        'analyst-targets',
        Array.from({ length: count + 1 }, (_, i) => target({ firm: `Firm ${first + i}` })),
      );
    await loadTogether(db, [await many(0), await many(2 * count)]);
    expect(await query(db, 'SELECT seq, count(*) FROM outbox GROUP BY seq ORDER BY seq')).toEqual([
      [1, count],
      [2, count],
    ]);
  });

  test('name those that might be held, and give each row to the security of its day', async () => {
    const db = await freshStore();
    const old = await land('analyst-targets', [
      target({ firm: 'Old', publishedAt: Date.parse('2026-06-19T10:00:00Z') }),
    ]);
    await loadSegment(db, old);
    await delist(db, 'AAPL', '2026-06-21');
    // The ticker is a new security's now, and the delisted one has another symbol.
    await loadSegment(db, await land('analyst-targets', [target({ firm: 'Late' })]));
    const early = Date.parse('2026-06-20T10:00:00Z');
    const segments = [
      await land('analyst-targets', [target({ symbol: 'MSFT' })]),
      await land('analyst-targets', [target({ publishedAt: early })]),
      { ...(await land('analyst-targets', [target({ symbol: 'SPY' })])), rejected: 3 },
    ];
    const guard: LoadGuard = { isScheduled: true, published: undefined, earlyRows: () => 0 };
    const guarded = segments.map((segment) => ({ segment, guard }));
    const placesOf = (work: Promise<unknown>) =>
      work.then(
        () => [],
        (error: HoldCandidatesError) => error.places,
      );
    expect(await placesOf(loadRowBatch(db, guarded, NOW_MS))).toEqual([2]);
    expect(await query(db, 'SELECT count(*) FROM analyst_targets')).toEqual([[2]]);
    expect(await placesOf(loadTogether(db, segments))).toEqual([]);
    const symbols = 'SELECT symbol, count(*)::INTEGER FROM analyst_targets GROUP BY 1 ORDER BY 1';
    expect(await query(db, symbols)).toEqual([
      ['AAPL', 1],
      ['AAPL.202606', 2],
      ['MSFT', 1],
      ['SPY', 1],
    ]);
  });
});
