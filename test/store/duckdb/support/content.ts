/** Content of a store, to compare stores that were loaded in different ways. */

import { expect } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { Change } from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { load, query, withStore } from './fixtures.ts';

/** Everything that must depend only on the set of segments, without ids given by arrival. */
export async function content(db: MarketDb): Promise<unknown> {
  return {
    candles: await query(db, 'FROM candles ORDER BY ALL'),
    extended: await query(db, 'FROM extended_candles ORDER BY ALL'),
    winners: await query(
      db,
      `SELECT w.* EXCLUDE (series_id), s.* EXCLUDE (series_id, symbol, interval)
       FROM winners w JOIN series s USING (series_id) ORDER BY ALL`,
    ),
    rivals: await query(
      db,
      `SELECT r.* EXCLUDE (series_id, file_id), s.source, s.interval, f.sha256
       FROM (FROM rival_bars UNION ALL FROM intraday_rival_bars) r
       JOIN series s USING (series_id) JOIN segment_files f USING (file_id) ORDER BY ALL`,
    ),
    actions: await query(db, 'SELECT * EXCLUDE segment_seq FROM corporate_actions ORDER BY ALL'),
  };
}

/** Content of a store of its own after these loads. */
export function contentAfter(segments: readonly CandleSegment[]): Promise<unknown> {
  return withStore(async (db) => {
    for (const segment of segments) await load(db, segment);
    return content(db);
  });
}

/** Served bars, each with what is published once per series. */
export function servedRows(db: MarketDb): Promise<unknown[][]> {
  return query(
    db,
    `SELECT c.* EXCLUDE (source, basis), best.* FROM candles c
     JOIN (SELECT symbol, interval, arg_min(c.source, priority) AS source, min(basis) AS basis
           FROM candles c JOIN source_priority p ON p.source = c.source GROUP BY ALL) best
       USING (symbol, interval)`,
  );
}

/** Published rows after a change, taking from the served ones only what it names. */
export function republished(
  published: unknown[][],
  served: unknown[][],
  { symbol, interval, kind, fromUs }: Change,
): unknown[][] {
  const from = new Date(fromUs / 1000).toISOString();
  const isNamed = (row: unknown[]) =>
    row[0] === symbol && row[1] === interval && (row[2] as string) >= from;
  if (kind === 'append') expect(published.some(isNamed)).toBe(false);
  return published.filter((row) => !isNamed(row)).concat(served.filter(isNamed));
}
