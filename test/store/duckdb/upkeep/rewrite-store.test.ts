import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type ModePaths, modePaths } from '../../../../src/base/config/data-dir.ts';
import {
  type MarketDb,
  openMarketForReading,
} from '../../../../src/store/duckdb/connection/open.ts';
import { rewriteStore } from '../../../../src/store/duckdb/upkeep/rewrite-store.ts';
import { sharedFolder } from '../../../support/folders.ts';
import {
  load,
  minuteBars,
  NOW_MS,
  query,
  risingBars,
  segmentOf,
  withStore,
} from '../support/fixtures.ts';

const OPTIONS = { verb: 'test', nowMs: NOW_MS };

const folder = sharedFolder();

/** A store with days and minutes, loaded in pieces that interleave. */
async function loadStore(db: MarketDb): Promise<void> {
  for (let day = 0; day < 3; day++) {
    const files = ['B', 'A', 'C'].map((symbol) => ({
      symbol,
      bars: risingBars('2024-01-02', 20 + day, 100 + day),
    }));
    await load(db, segmentOf(files, { basis: 'raw' }));
    const minutes = [{ symbol: 'A', bars: minuteBars('2024-03-01', 1, 100, day) }];
    await load(db, segmentOf(minutes, { interval: '1m', basis: 'raw' }));
  }
  // Space that DuckDB keeps: more than one of its blocks.
  await db.connection.run('CREATE TABLE heap AS SELECT random() AS x FROM range(700000)');
  await db.connection.run('CHECKPOINT');
  await db.connection.run('DROP TABLE heap');
  await db.connection.run('CHECKPOINT');
}

let paths: ModePaths;

beforeAll(() =>
  withStore(async (db, { market }) => {
    await loadStore(db);
    paths = modePaths(folder, 'live');
    mkdirSync(paths.root);
    copyFileSync(market, paths.market);
  }),
);

/** All rows of all tables and views, in an order of their own. */
async function contentOf(paths: ModePaths): Promise<Record<string, unknown>> {
  const db = await openMarketForReading(paths);
  try {
    const names = await query(
      db,
      `SELECT table_name AS n FROM duckdb_tables() WHERE NOT internal
       UNION SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY n`,
    );
    const content: Record<string, unknown> = {};
    for (const [name] of names)
      content[String(name)] = await query(db, `FROM ${name} ORDER BY ALL`);
    return content;
  } finally {
    db.close();
  }
}

it('a store that is rewritten holds the same, in less space and sorted', async () => {
  const before = await contentOf(paths);
  const bytes = statSync(paths.market).size;
  // What an interrupted run has left.
  writeFileSync(`${paths.market}.rewritten`, 'half');
  const report = await rewriteStore(paths, OPTIONS);
  expect(report.bytesBefore).toBe(bytes);
  expect(report.bytesAfter).toBe(statSync(paths.market).size);
  expect(report.bytesAfter).toBeLessThan(report.bytesBefore / 2);
  expect(await contentOf(paths)).toEqual(before);
  expect(Object.keys(before)).toContain('candles');
  for (const ending of ['.wal', '.rewritten', '.rewritten.wal']) {
    expect(existsSync(paths.market + ending)).toBe(false);
  }
  using db = await openMarketForReading(paths);
  const rows = await query(db, 'SELECT series_id, ts FROM intraday_bars');
  const sorted = await query(db, 'SELECT series_id, ts FROM intraday_bars ORDER BY ALL');
  expect(rows).toEqual(sorted);
});
