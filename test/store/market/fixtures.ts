/** Stores in folders of their own, and how to load and look into them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/data-dir.ts';
import type { CandleSegment } from '../../../src/store/market/candle-segment.ts';
import { type LoadResult, loadCandles } from '../../../src/store/market/load-candles.ts';
import { type MarketDb, openMarketForWriting } from '../../../src/store/market/open.ts';
import { runReadOnlySql } from '../../../src/store/market/query.ts';

export * from './segments.ts';

export const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

/** A folder that is removed when the test ends. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Paths of a mode in a folder of its own, removed when the test ends. */
export function freshPaths(): ModePaths {
  return modePaths(freshFolder(), 'live');
}

/** An open store in a folder of its own, closed when the test ends. */
export async function freshStore(): Promise<MarketDb> {
  const db = await openMarketForWriting(freshPaths(), { verb: 'test', nowMs: NOW_MS });
  onTestFinished(() => db.close());
  return db;
}

/** What `work` gives for a store of its own, closed and removed right after it. */
export async function withStore<T>(work: (db: MarketDb) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const db = await openMarketForWriting(modePaths(folder, 'live'), { verb: 'test', nowMs: NOW_MS });
  try {
    return await work(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function load(db: MarketDb, segment: CandleSegment): Promise<LoadResult> {
  return loadCandles(db, segment, { nowMs: NOW_MS });
}

/** Rows of a query as arrays. */
export async function query(db: MarketDb, sql: string): Promise<unknown[][]> {
  const { columns, rows } = await runReadOnlySql(db, sql);
  return rows.map((row) => columns.map((column) => row[column]));
}
