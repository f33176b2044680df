/**
 * Rewrites the store and the published files into the fewest bytes. An interruption leaves the old
 * files or the new ones whole.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { existsSync, readdirSync, statSync } from '../../src/base/world/files.ts';
import { removeUnneeded } from '../../src/store/arrow/write/publication.ts';
import { missingStore } from '../../src/store/duckdb/connection/missing-store.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { selectRow } from '../../src/store/duckdb/connection/sql-rows.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { rewriteStore } from '../../src/store/duckdb/upkeep/rewrite-store.ts';
import type { RunDeps } from '../contract/reports.ts';
import type { PublishDeps } from '../publish/plan.ts';
import { publish } from '../publish/publish.ts';
import { compactionLimits } from './limits.ts';

export interface CompactReport {
  storeBytes: { before: number; after: number };
  servingBytes: { before: number; after: number };
  publishedVersion: number;
}

/**
 * Rewrites the store. With `isFull` publishes everything again, so that the files follow from the
 * rows alone and not from the order of loads.
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

/** Removes replaced files, as the next publish would. Readers keep the files they have open. */
async function removeReplaced(paths: ModePaths, deps: PublishDeps): Promise<void> {
  if (!existsSync(paths.serving)) return;
  using _lock = await acquireWriterLock(paths, deps);
  removeUnneeded(paths.serving);
}

function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/**
 * Returns true if a compaction would free enough.
 *
 * @throws {StoreBusyError} a load has the store.
 */
export async function isWorthCompacting(paths: ModePaths): Promise<boolean> {
  if (!existsSync(paths.market)) return false;
  using market = await openMarketForReading(paths);
  const { free, total, block } = await selectRow<Record<'free' | 'total' | 'block', number>>(
    market.connection,
    `SELECT free_blocks::DOUBLE AS free, total_blocks::DOUBLE AS total,
       block_size::DOUBLE AS block FROM pragma_database_size()`,
  );
  const { freeShareMin, freeBytesMin } = compactionLimits;
  return free * block >= freeBytesMin && free >= freeShareMin * total;
}
