/**
 * Drops a load: afterwards the other loads alone decide what is served.
 *
 * Its rows are deleted, or the store is rebuilt without it if rows of other loads are merged with
 * them. Its record is moved away first, so after a kill the same command finishes.
 */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UsageError } from '../../src/base/errors.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { nextIds } from '../../src/store/duckdb/connection/ledger.ts';
import { missingStore } from '../../src/store/duckdb/connection/missing-store.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../src/store/duckdb/connection/open.ts';
import {
  canDropInPlace,
  dropInPlace,
  noteDrop,
  wasDropped,
} from '../../src/store/duckdb/segments/drop.ts';
import {
  countServed,
  findLoaded,
  type LoadedSegment,
  type ServedCounts,
} from '../../src/store/duckdb/segments/list.ts';
import { moveToDropped } from '../load/segment-records.ts';
import { publish } from '../publish/publish.ts';
import { rebuild } from './rebuild.ts';
import type { RebuildDeps } from './records.ts';

export interface DropReport {
  /** Undefined if it was dropped before and only had to be published. */
  segment?: LoadedSegment;
  /** True if the drop needs a rebuild of the store without the segment. */
  isRebuilt: boolean;
  before: ServedCounts;
  /** Undefined for a dry run. */
  after?: ServedCounts;
  publishedVersion?: number;
}

/**
 * Drops a segment and publishes.
 *
 * @param which Number of a load, or an id or its prefix.
 * @param isPlan True for a dry run.
 * @throws {UsageError} no segment or several match, or the mode is the sandbox.
 * @throws {TapeworksError} a rebuild is needed, and an input is missing.
 */
export async function dropSegment(
  paths: ModePaths,
  { which, isPlan }: { which: string; isPlan: boolean },
  deps: RebuildDeps,
): Promise<DropReport> {
  if (paths.mode === 'sandbox') {
    throw new UsageError(
      `segments of the sandbox can't be dropped: move "${paths.root}" away and it is filled again`,
    );
  }
  if (!existsSync(paths.market)) throw missingStore(paths);
  const planned = await planDrop(paths, which);
  if (isPlan) return planned;
  const { segment, isRebuilt } = planned;
  const isDropped = !segment || (!isRebuilt && (await dropFromStore(paths, segment.id, deps)));
  const publishedVersion = isDropped
    ? (await publish(paths, deps)).version
    : await dropByRebuild(paths, segment, deps);
  using market = await openMarketForReading(paths);
  return { ...planned, after: await countServed(market), publishedVersion };
}

async function planDrop(paths: ModePaths, which: string): Promise<DropReport> {
  using market = await openMarketForReading(paths);
  const [segment, other] = await findLoaded(market, which);
  const before = await countServed(market);
  const isKnown = await wasDropped(market, which);
  if (segment && isKnown && which === String(segment.seq)) {
    throw new UsageError(
      `"${which}" was dropped, and segment ${segment.seq} is another one: give its id, ${segment.id}`,
    );
  }
  if (!segment && isKnown) return { isRebuilt: false, before };
  if (!segment) {
    throw new UsageError(`no segment has the number or id "${which}": see segments list`);
  }
  if (other) throw new UsageError(`"${which}" may be several segments: give more of the id`);
  const isRebuilt = !(await canDropInPlace(market, segment));
  return { segment, isRebuilt, before };
}

async function dropByRebuild(
  paths: ModePaths,
  segment: LoadedSegment,
  deps: RebuildDeps,
): Promise<number> {
  const beforeReplace = async ({ connection }: MarketDb) => {
    await noteDrop(
      connection,
      segment,
      (await nextIds(connection)).seq,
      deps.clock?.() ?? deps.nowMs,
    );
    await moveToDropped(paths, segment.id);
  };
  const asked = { isPartial: false, without: segment.id, beforeReplace };
  return (await rebuild(paths, asked, deps)).publishedVersion;
}

/** Deletes its rows. @returns false if a newer load makes that impossible. */
async function dropFromStore(paths: ModePaths, id: string, deps: RebuildDeps): Promise<boolean> {
  using market = await openMarketForWriting(paths, deps);
  const [segment] = await findLoaded(market, id);
  if (!segment || !(await canDropInPlace(market, segment))) return false;
  await moveToDropped(paths, id);
  await dropInPlace(market, segment, deps.clock?.() ?? deps.nowMs);
  return true;
}
