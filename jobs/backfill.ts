/**
 * One source to the end: every segment is loaded as it is fetched, then one publish shows it.
 *
 * Resumable by construction: a segment in the ledger is not loaded again, and what was loaded but
 * not published is still pending.
 */

import type { ModePaths } from '../src/data-dir.ts';
import type { Fetched, FetchedSegment, SkippedInput } from '../src/ingest/fetch-context.ts';
import { requireFewRejected } from '../src/store/market/doubt-load.ts';
import { type LoadOptions, loadCandles } from '../src/store/market/load-candles.ts';
import { loadRows } from '../src/store/market/load-rows.ts';
import type { MarketDb } from '../src/store/market/open.ts';
import { loadSymbols } from '../src/store/market/symbols.ts';
import { Doubts } from './doubts.ts';
import { HeldStore } from './held-store.ts';
import { publish } from './publish.ts';
import { type LocalQuestion, recordSegment } from './segment-records.ts';

export interface RunDeps {
  /** What is running, as the user would say it; named to others who wait for the store. */
  verb: string;
  nowMs: number;
  onProgress?: (step: string, done: number, total: number) => void;
  /** Another process holds the store; called with who, while this run waits. */
  onWaiting?: (holder: string) => void;
  /**
   * Which loads are looked at before they are believed: those of at least `limits.doubt.rowsMin`
   * rows, all of them, or none. Default `large`.
   */
  guarded?: 'large' | 'all' | 'none';
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  /** What gave the segments, where it reads local files: kept for `rebuild`. */
  question?: LocalQuestion;
  signal?: AbortSignal;
}

export interface LoadReport {
  segments: number;
  /** Segments that the ledger had already. */
  alreadyLoaded: number;
  /** Rows of the segments that were loaded now. */
  accepted: number;
  rejected: number;
  rejectedByReason: Record<string, number>;
  skipped: SkippedInput[];
  /** Series that are served differently than before. */
  seriesChanged: number;
  /** Rows of datasets other than candles that are new or have other values than before. */
  rowsChanged: number;
}

export interface BackfillReport extends LoadReport {
  /** The version that is published now. */
  publishedVersion: number;
}

/**
 * Loads all segments of a source and publishes.
 *
 * @throws as `loadSegments`; what was loaded is published all the same.
 */
export async function backfill(
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  deps: RunDeps,
): Promise<BackfillReport> {
  const report = await loadSegments(paths, segments, deps).catch(async (error) => {
    // A source that fails halfway has given something: show it, then tell.
    if (!deps.signal?.aborted) await publish(paths, deps).catch(() => undefined);
    throw error;
  });
  const { version } = await publish(paths, deps);
  return { ...report, publishedVersion: version };
}

/**
 * Loads segments one by one; the store is closed where the next one takes a while to come, so that
 * readers get in.
 *
 * @param segments Each is released when the next is asked for.
 * @throws {DoubtfulLoadError} some of them are not believed; the others are loaded by then.
 */
export async function loadSegments(
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  deps: RunDeps,
): Promise<LoadReport> {
  const report: LoadReport = {
    segments: 0,
    alreadyLoaded: 0,
    accepted: 0,
    rejected: 0,
    rejectedByReason: {},
    skipped: [],
    seriesChanged: 0,
    rowsChanged: 0,
  };
  const skipped: SkippedInput[][] = [];
  const store = new HeldStore(paths, deps);
  const doubts = new Doubts(paths, deps);
  try {
    for await (const segment of segments) {
      deps.signal?.throwIfAborted();
      await doubts.collect(() =>
        store.use(async (market) => {
          await loadSegment(market, segment, { ...deps, doubts }, report);
          // Not before: what is not believed must not come back by a rebuild.
          await recordSegment(paths, segment, {
            ...{ loadedMs: deps.nowMs, order: report.segments, question: deps.question },
          });
        }),
      );
      skipped.push(segment.skipped);
    }
  } finally {
    store.close();
  }
  doubts.tell(report.segments);
  // Only now: a source may find out about a skipped input after the segment it belongs to.
  report.skipped = skipped.flat();
  return report;
}

async function loadSegment(
  market: MarketDb,
  segment: Fetched,
  deps: RunDeps & { doubts: Doubts },
  report: LoadReport,
): Promise<void> {
  deps.onProgress?.('load', report.segments, report.segments + 1);
  const guard = deps.doubts.guard(segment.rejectedByReason);
  const loaded = await loadOne(market, segment, { nowMs: deps.nowMs, guard });
  report.segments++;
  if (loaded.alreadyLoaded) report.alreadyLoaded++;
  else countRows(segment, loaded, report);
  deps.onProgress?.('load', report.segments, report.segments);
}

interface Loaded {
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  seriesChanged: number;
  rowsChanged: number;
}

async function loadOne(
  market: MarketDb,
  segment: Fetched,
  { nowMs, guard }: LoadOptions,
): Promise<Loaded> {
  if ('facts' in segment) {
    const { source, origin, facts, rejectedByReason } = segment;
    const rejected = rejectedByReason.values().reduce((sum, count) => sum + count, 0);
    const accepted = facts.length;
    if (guard) requireFewRejected(origin, { accepted, rejected }, guard);
    const isNew = await loadSymbols(market, facts, { source, origin, nowMs, rejected });
    return { alreadyLoaded: !isNew, accepted, rejected, seriesChanged: 0, rowsChanged: 0 };
  }
  return 'parquetPath' in segment
    ? { seriesChanged: 0, ...(await loadRows(market, segment, { nowMs, guard })) }
    : { rowsChanged: 0, ...(await loadCandles(market, segment, { nowMs, guard })) };
}

function countRows(
  { rejectedByReason }: Pick<FetchedSegment, 'rejectedByReason'>,
  loaded: Loaded,
  report: LoadReport,
): void {
  report.accepted += loaded.accepted;
  report.rejected += loaded.rejected;
  report.seriesChanged += loaded.seriesChanged;
  report.rowsChanged += loaded.rowsChanged;
  for (const [reason, count] of rejectedByReason) {
    report.rejectedByReason[reason] = (report.rejectedByReason[reason] ?? 0) + count;
  }
}
