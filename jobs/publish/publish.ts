/**
 * Publishes what was loaded since the last publish: reads pending changes, derives what is served
 * of each changed symbol, adds it to the serving files, folds them when due.
 *
 * Nothing is visible before the manifest is swapped, so an interrupted publish is simply run
 * again. With nothing pending it writes nothing.
 */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
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
import { requireStoreNotLost } from '../../src/store/duckdb/connection/missing-store.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { type LedgerEnd, readLedgerEnd } from '../../src/store/duckdb/connection/outbox.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { beginRelay, relay } from '../events/relay.ts';
import { canContinue, openCheckpoints } from './checkpoints.ts';
import { type PublishPlan, planPublish } from './publish-plan.ts';

export interface PublishDeps {
  /** What is running, named to others who wait for the store. */
  verb: string;
  nowMs: number;
  onProgress?: (step: string, done: number, total: number) => void;
  onWaiting?: (holder: string) => void;
  signal?: AbortSignal;
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  /**
   * Whether all of it is read from the store and written anew, in an order that depends on the
   * rows alone: equal rows then give equal files.
   */
  isWhole?: boolean;
}

export interface PublishReport {
  /** The version that is published now; 0 while none is. */
  version: number;
  /** `none`: nothing was pending; else what the plan was. */
  kind: PublishPlan['kind'];
  /** Symbols that changed. */
  symbols: number;
  /** Which fold followed. */
  folded: 'newest' | 'all' | undefined;
  /** The size of the intraday layer that newer ones were then put together into. */
  foldedIntraday: IntradayTier | undefined;
}

/**
 * Publishes one mode under its writer lock, then hands over the events of what is visible now.
 *
 * @throws {CorruptDataError} the published files are damaged; not thrown by a whole publish, which
 *   replaces them.
 * @throws {CorruptDataError} or the store is gone that they were published from.
 * @throws {StoreBusyError} all is published, and events could not be handed over: the next publish
 *   does it.
 */
export async function publish(paths: ModePaths, deps: PublishDeps): Promise<PublishReport> {
  const lock = await acquireWriterLock(paths, deps);
  try {
    requireStoreNotLost(paths);
    const written = await write(paths, deps).catch((error) => {
      throw deps.isWhole ? error : withCure(error, paths);
    });
    const { before, version, end, kind, symbols, folded, foldedIntraday } = written;
    // Compared, not inferred: a crash may have come between a manifest and its status.
    if (version && !isStatusOf(paths.serving, version.id)) {
      await writeServingStatus(paths.serving, servingStatus(version));
    }
    if (version && end) await relay(paths, { before, version, end }, { ...deps, lock });
    return { version: version?.manifest.version ?? 0, kind, symbols, folded, foldedIntraday };
  } finally {
    lock.release();
  }
}

/** Of a whole publish nothing that was published is read: it may be damaged. */
async function write(paths: ModePaths, deps: PublishDeps) {
  const before = deps.isWhole ? undefined : openForUpdate(paths.serving);
  const pending = await publishPending(paths, before, deps);
  const daily = await foldIfDue(paths, before, deps);
  const folded = await compactIntradayIfDue(paths, daily.version, deps);
  return { before, ...pending, ...daily, ...folded };
}

/** @returns undefined where a program with other states has published: all is made anew. */
function openForUpdate(serving: string): PublishedVersion | undefined {
  const published = openPublished(serving)?.requireWhole();
  return published && canContinue(published) ? published : undefined;
}

/** The store has everything; but to make it all anew takes long, so somebody has to ask for it. */
function withCure(error: unknown, { serving }: ModePaths): unknown {
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
): Promise<Pick<PublishReport, 'kind' | 'symbols'> & { end?: LedgerEnd }> {
  if (!existsSync(paths.market)) return { kind: 'none', symbols: 0 };
  const market = await openMarketForReading(paths, deps);
  try {
    const plan = await planPublish(market, before);
    const { kind } = plan;
    if (!before && kind !== 'none') beginRelay(paths);
    // What writes is loaded when there is something to write.
    if (kind === 'base') {
      const { publishBase } = await import('./publish-base.ts');
      await publishBase(market, paths, plan, deps);
    } else if (kind === 'layer') {
      const { publishLayer } = await import('./publish-layer.ts');
      await publishLayer(market, paths.serving, plan, deps);
    } else if (kind === 'directory') {
      const { publishDirectory } = await import('./publish-directory.ts');
      await publishDirectory(market, paths.serving, plan, deps);
    }
    const symbols = new Set([...plan.rewritten, ...plan.appended.keys()]);
    for (const { symbol } of plan.intraday) symbols.add(symbol);
    return { kind, symbols: symbols.size, end: await readLedgerEnd(market) };
  } finally {
    market.close();
  }
}

async function foldIfDue(
  { serving }: ModePaths,
  before: PublishedVersion | undefined,
  { nowMs, epoch, onProgress, isWhole }: PublishDeps,
): Promise<{ version: PublishedVersion | undefined; folded: PublishReport['folded'] }> {
  const version = openPublished(serving, before);
  const currentYear = new Date(nowMs).getUTCFullYear();
  const folded = version && (isWhole ? 'all' : neededCompaction(version, currentYear));
  if (!folded) return { version, folded };
  onProgress?.('fold', 0, version.symbols.length);
  const states = openCheckpoints(serving, version).rows;
  await compact(serving, version, folded, { createdMs: nowMs, currentYear, epoch, states });
  onProgress?.('fold', version.symbols.length, version.symbols.length);
  return { version: openPublished(serving, version), folded };
}

async function compactIntradayIfDue(
  { serving }: ModePaths,
  version: PublishedVersion | undefined,
  { nowMs, epoch }: PublishDeps,
): Promise<{ version: PublishedVersion | undefined; foldedIntraday: IntradayTier | undefined }> {
  const compaction = neededIntradayCompaction(version?.manifest.intraday?.layers ?? []);
  if (!version || !compaction) return { version, foldedIntraday: undefined };
  await compactIntraday(serving, version, compaction, { createdMs: nowMs, epoch });
  return { version: openPublished(serving, version), foldedIntraday: compaction.tier };
}
