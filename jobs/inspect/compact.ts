/**
 * Brings what is stored and served into the fewest bytes and parts. Nothing of it changes, and
 * readers go on meanwhile; interrupted, what was there or what was made is whole.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { removeUnneeded } from '../../src/store/arrow/write/publication.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { missingStore } from '../../src/store/duckdb/schema/missing-store.ts';
import { rewriteStore } from '../../src/store/duckdb/schema/rewrite-store.ts';
import type { RunDeps } from '../load/backfill.ts';
import { type PublishDeps, publish } from '../publish/publish.ts';

export interface CompactReport {
  /** Of `market.duckdb`. */
  storeBytes: { before: number; after: number };
  /** Of the published files. */
  servingBytes: { before: number; after: number };
  /** The version that is published now. */
  publishedVersion: number;
}

/**
 * Rewrites the store; with `isFull` publishes all of it anew too, so that the published files
 * follow from the rows alone, whatever came in which order.
 *
 * @throws {StoreMissingError} nothing was ever loaded.
 */
export async function compact(
  paths: ModePaths,
  { isFull }: { isFull: boolean },
  deps: RunDeps,
): Promise<CompactReport> {
  if (!existsSync(paths.market)) throw missingStore(paths);
  const servingBefore = bytesOf(paths.serving);
  const store = await rewriteStore(paths, deps);
  const { version } = await publish(paths, { ...deps, isWhole: isFull });
  await removeReplaced(paths, deps);
  return {
    storeBytes: { before: store.bytesBefore, after: store.bytesAfter },
    servingBytes: { before: servingBefore, after: bytesOf(paths.serving) },
    publishedVersion: version,
  };
}

/** What readers have open they keep; a publish would remove the rest only as the next one begins. */
async function removeReplaced(paths: ModePaths, deps: PublishDeps): Promise<void> {
  if (!existsSync(paths.serving)) return;
  const lock = await acquireWriterLock(paths, deps);
  try {
    removeUnneeded(paths.serving);
  } finally {
    lock.release();
  }
}

function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
