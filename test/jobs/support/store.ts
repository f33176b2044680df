/** Loads segments into a store and publishes it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type PublishReport, publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { type MarketDb, openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { load, NOW_MS } from '../../store/duckdb/support/fixtures.ts';
import { loadSegment } from '../../store/duckdb/support/row-fixtures.ts';

export const DEPS = { verb: 'test', nowMs: NOW_MS };

export async function inStore<T>(paths: ModePaths, work: (db: MarketDb) => Promise<T>): Promise<T> {
  using db = await openMarketForWriting(paths, DEPS);
  return await work(db);
}

/** Loads segments and does not publish them. */
export function loadAll(
  paths: ModePaths,
  ...segments: (CandleSegment | FetchedRows)[]
): Promise<void> {
  return inStore(paths, (db) => loadInto(db, segments));
}

async function loadInto(
  db: MarketDb,
  segments: readonly (CandleSegment | FetchedRows)[],
): Promise<void> {
  for (const segment of segments) {
    await ('parquetPath' in segment ? loadSegment(db, segment) : load(db, segment));
  }
}

export function run(paths: ModePaths, nowMs = NOW_MS): Promise<PublishReport> {
  return publish(paths, { verb: 'test', nowMs });
}

/** Loads segments and publishes them from the store that the load has left open, as a server does. */
export async function publishOf(
  paths: ModePaths,
  ...segments: (CandleSegment | FetchedRows)[]
): Promise<PublishReport> {
  const lock = await acquireWriterLock(paths, DEPS);
  const market = await openMarketForWriting(paths, { ...DEPS, lock });
  try {
    await loadInto(market, segments);
  } catch (error) {
    market.close();
    lock.release();
    throw error;
  }
  return publish(paths, { ...DEPS, open: { market, lock } });
}

export function published(paths: ModePaths): PublishedVersion {
  return openPublished(paths.serving) as PublishedVersion;
}

/** Expects the published version to equal a first publish of the same store. */
export async function expectAsFromScratch(
  paths: ModePaths,
  contentOf: (paths: ModePaths) => unknown,
  story?: string,
): Promise<void> {
  const scratch = { ...paths, serving: join(paths.root, 'serving-from-scratch') };
  rmSync(scratch.serving, { recursive: true, force: true });
  await run(scratch);
  expect(contentOf(paths), story).toEqual(contentOf(scratch));
}
