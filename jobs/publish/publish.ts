/**
 * Publishes what was loaded since the last publish, and compacts the files when due. Nothing is
 * visible before the manifest is swapped, so an interrupted publish is run again.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { type ObjectPlace, snapshotsPlace } from '../../src/base/config/object-place.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { IntradayTier } from '../../src/store/arrow/format/manifest-types.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import {
  isStatusOf,
  servingStatus,
  writeServingStatus,
} from '../../src/store/arrow/read/serving-status.ts';
import { compact, neededCompaction } from '../../src/store/arrow/write/compact.ts';
import {
  compactIntraday,
  neededIntradayCompaction,
} from '../../src/store/arrow/write/compact-intraday.ts';
import { countLoadedRows } from '../../src/store/duckdb/connection/ledger.ts';
import { isOutOfMemory } from '../../src/store/duckdb/connection/little-memory.ts';
import { requireStoreNotLost } from '../../src/store/duckdb/connection/missing-store.ts';
import { type MarketDb, openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { type LedgerEnd, readLedgerEnd } from '../../src/store/duckdb/connection/outbox.ts';
import {
  acquireWriterLock,
  type WriterLock,
} from '../../src/store/duckdb/connection/writer-lock.ts';
import { storeFirstMatches } from '../events/first-matches.ts';
import { beginRelay, type Published, relay } from '../events/relay.ts';
import { canContinue, openCheckpoints } from './checkpoints.ts';
import { type PublishDeps, type PublishPlan, planPublish } from './plan.ts';

/** A store that loads have left open for writing, and their lock. A publish closes both. */
export interface StoreLeftOpen {
  market: MarketDb;
  lock: WriterLock;
}

export interface PublishReport {
  /** Published version; 0 if there is none. */
  version: number;
  kind: PublishPlan['kind'];
  symbols: number;
  /** Compaction that followed. */
  compacted: 'newest' | 'all' | undefined;
  /** Level into which intraday layers were merged. */
  compactedIntraday: IntradayTier | undefined;
}

/**
 * Publishes one mode under its writer lock, then writes the serving status, then relays the events
 * of the new version. Where versions are uploaded, events wait until theirs is.
 *
 * @throws {CorruptDataError} the published files are damaged and the publish is not whole, or the
 *   store is gone.
 * @throws {StoreBusyError} everything is published, but events wait for the next publish.
 */
export async function publish(
  paths: ModePaths,
  deps: PublishDeps & { open?: StoreLeftOpen },
): Promise<PublishReport> {
  const place = snapshotsPlace();
  using lock = deps.open?.lock ?? (await acquireWriterLock(paths, deps));
  requireStoreNotLost(paths);
  const written = await write(paths, deps, deps.open?.market).catch((error) => {
    throw deps.isWhole ? error : withRemedy(error, paths);
  });
  const { before, version, end, kind, symbols, compacted, compactedIntraday } = written;
  // Compared, not inferred: a crash can come between a manifest and its status.
  if (version && !isStatusOf(paths.serving, version.id)) {
    await writeServingStatus(paths.serving, servingStatus(version));
  }
  if (version && end) {
    const published = { before, version, end };
    if (place) lock.release();
    if (place) await relayUploaded(paths, published, place, deps);
    else await relay(paths, published, { ...deps, lock });
  }
  const number = version?.manifest.version ?? 0;
  return { version: number, kind, symbols, compacted, compactedIntraday };
}

/**
 * Relays the events of a version once it is uploaded. A version that another data folder keeps out
 * of the storage is never served, so its events stay in the outbox. An upload may take long and
 * raise the number of the version, so it runs without the writer lock.
 */
async function relayUploaded(
  paths: ModePaths,
  published: Published,
  place: ObjectPlace,
  deps: PublishDeps,
): Promise<void> {
  const { isAccepted } = await import('../../src/fleet/replicas/run-uploads.ts');
  if (!(await isAccepted(paths, place, deps.signal))) return;
  using lock = await acquireWriterLock(paths, deps);
  const version = openPublished(paths.serving, published.version);
  // The publish of a newer version relays the events of this one, too.
  if (!version || !isSameButNumber(version, published.version)) return;
  await relay(paths, { ...published, version }, { ...deps, lock });
}

function isSameButNumber(a: PublishedVersion, b: PublishedVersion): boolean {
  const unnumbered = { epoch: 0, version: 0 };
  return isDeepStrictEqual({ ...a.manifest, ...unnumbered }, { ...b.manifest, ...unnumbered });
}

/** A whole publish reads no published file, as it may be damaged. */
async function write(paths: ModePaths, deps: PublishDeps, open: MarketDb | undefined) {
  const before = deps.isWhole ? undefined : openForUpdate(paths.serving);
  const pending = await publishPending(paths, before, deps, { open }).catch((error) => {
    if (!isOutOfMemory(error)) throw error;
    const { duckdbMegabytesMax: megabytesMax } = limits.store;
    return publishPending(paths, before, deps, { megabytesMax });
  });
  const daily = await compactIfDue(paths, before, deps);
  const intraday = await compactIntradayIfDue(paths, daily.version, deps);
  return { before, ...pending, ...daily, ...intraday };
}

/** @returns undefined if the saved checkpoints have another layout: all is published again. */
function openForUpdate(serving: string): PublishedVersion | undefined {
  const published = openPublished(serving)?.requireWhole();
  return published && canContinue(published) ? published : undefined;
}

/** Adds the remedy to an error. A whole publish is slow, so it must be requested explicitly. */
function withRemedy(error: unknown, { serving }: ModePaths): unknown {
  if (!(error instanceof CorruptDataError)) return error;
  return new CorruptDataError(
    `The published files in "${serving}" are damaged: run compact --full, ` +
      'which publishes all of it from the store',
    { cause: error },
  );
}

async function publishPending(
  paths: ModePaths,
  before: PublishedVersion | undefined,
  deps: PublishDeps,
  {
    open,
    megabytesMax = limits.store.passingMegabytesMax,
  }: { open?: MarketDb; megabytesMax?: number },
): Promise<Pick<PublishReport, 'kind' | 'symbols'> & { end?: LedgerEnd }> {
  if (!existsSync(paths.market)) return { kind: 'none', symbols: 0 };
  using market = open ?? (await openMarketForReading(paths, { ...deps, megabytesMax }));
  const plan = await planPublish(market, before);
  const { kind } = plan;
  if (open && kind === 'base' && (await countLoadedRows(market)) > limits.store.publishedOpenRows) {
    // Many series take long, and readers of the store would wait for its writer.
    open.close();
    return publishPending(paths, before, deps, { megabytesMax });
  }
  if (!before && kind !== 'none') await beginRelay(paths);
  // Modules that write are loaded only when there is something to write.
  if (kind !== 'none') {
    if (before) await storeFirstMatches(paths, before);
    const { publishVersion } = await import('./version.ts');
    await publishVersion(market, paths, plan, deps);
  }
  const symbols = new Set([...plan.rewritten, ...plan.appended.keys()]);
  for (const { symbol } of plan.intraday) symbols.add(symbol);
  return { kind, symbols: symbols.size, end: await readLedgerEnd(market) };
}

async function compactIfDue(
  { serving }: ModePaths,
  before: PublishedVersion | undefined,
  { nowMs, clock, epoch, onProgress, isWhole }: PublishDeps,
): Promise<{ version: PublishedVersion | undefined; compacted: PublishReport['compacted'] }> {
  const version = openPublished(serving, before);
  const currentYear = new Date(nowMs).getUTCFullYear();
  const compacted = version && (isWhole ? 'all' : neededCompaction(version, currentYear));
  if (!compacted) return { version, compacted };
  onProgress?.('compact', 0, version.symbols.length);
  const states = openCheckpoints(serving, version).rows;
  const createdMs = clock?.() ?? nowMs;
  await compact(serving, version, compacted, { createdMs, currentYear, epoch, states });
  onProgress?.('compact', version.symbols.length, version.symbols.length);
  return { version: openPublished(serving, version), compacted };
}

async function compactIntradayIfDue(
  { serving }: ModePaths,
  version: PublishedVersion | undefined,
  { nowMs, clock, epoch }: PublishDeps,
): Promise<{ version: PublishedVersion | undefined; compactedIntraday: IntradayTier | undefined }> {
  const compaction = neededIntradayCompaction(version?.manifest.intraday?.layers ?? []);
  if (!version || !compaction) return { version, compactedIntraday: undefined };
  await compactIntraday(serving, version, compaction, { createdMs: clock?.() ?? nowMs, epoch });
  return { version: openPublished(serving, version), compactedIntraday: compaction.tier };
}
