import type {
  Fetched,
  FetchedFacts,
  FetchedRows,
  FetchedSegment,
} from '../../src/ingest/contract/fetch-context.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import {
  type LoadGuard,
  requireFewRejected,
  requireWholeDirectory,
} from '../../src/store/duckdb/holds/load.ts';
import { extentOfSymbols, type LoadExtent } from '../../src/store/duckdb/holds/load-extent.ts';
import { loadCandleBatch } from '../../src/store/duckdb/load/load-candles.ts';
import { loadRowBatch } from '../../src/store/duckdb/load/load-rows.ts';
import type { MissingDividends } from '../../src/store/duckdb/load/missing-dividends.ts';
import type { DirectorySnapshot } from '../../src/store/duckdb/securities/listing-spans.ts';
import { loadSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import type { Losing } from '../../src/store/duckdb/vintages/losing-bars.ts';
import type { Unserved } from '../../src/store/duckdb/vintages/unserved.ts';

export interface FetchedLoad {
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  seriesChanged: number;
  rowsChanged: number;
  extent?: LoadExtent;
  /** Rows of each file in the copy; undefined if no copy was written. */
  copiedByFile?: readonly number[];
  losing?: Losing;
  unserved?: Unserved;
  missingDividends?: readonly MissingDividends[];
  jumps?: readonly string[];
  reused?: readonly string[];
}

interface Options {
  nowMs: number;
  guard(segment: Fetched): LoadGuard | undefined;
}

/**
 * Loads a batch of `WaitingSegments` in one transaction.
 *
 * @returns the result of each segment.
 * @throws {HeldLoadError} a check held the only segment.
 * @throws {HoldCandidatesError} some of several segments must be loaded alone.
 */
export async function loadFetched(
  market: MarketDb,
  batch: readonly Fetched[],
  { nowMs, guard }: Options,
): Promise<FetchedLoad[]> {
  const guarded = <T extends Fetched>(segments: readonly Fetched[]) =>
    segments.map((segment) => ({ segment: segment as T, guard: guard(segment) }));
  if ('facts' in batch[0]) {
    return [await loadFacts(market, batch[0], { nowMs, guard: guard(batch[0]) })];
  }
  if ('parquetPath' in batch[0]) {
    const loaded = await loadRowBatch(market, guarded<FetchedRows>(batch), nowMs);
    return loaded.map((one) => ({ seriesChanged: 0, ...one }));
  }
  const loaded = await loadCandleBatch(market, guarded<FetchedSegment>(batch), nowMs);
  return loaded.map((one) => ({ rowsChanged: 0, ...one }));
}

/** Facts about all symbols that a source lists. */
export interface DirectoryFacts extends FetchedFacts {
  isDirectory: true;
  snapshots: readonly DirectorySnapshot[];
}

async function loadFacts(
  market: MarketDb,
  segment: FetchedFacts,
  { nowMs, guard }: { nowMs: number; guard: LoadGuard | undefined },
): Promise<FetchedLoad> {
  const { source, origin, asOfUs, facts, rejectedByReason, refusedFileLines = 0 } = segment;
  const rejected = rejectedByReason.values().reduce((sum, count) => sum + count, 0);
  const accepted = facts.length;
  const counts = { accepted, rejected: rejected - refusedFileLines };
  if (guard) requireFewRejected(origin, counts, guard);
  if (guard && 'isDirectory' in segment) {
    await requireWholeDirectory(market, { source, origin, accepted }, guard);
  }
  const snapshots = 'snapshots' in segment ? (segment as DirectoryFacts).snapshots : [];
  const load = { source, origin, nowMs, asOfUs, rejected, snapshots };
  const isNew = await loadSymbols(market, facts, load);
  const extent = isNew ? extentOfSymbols(facts) : undefined;
  return { alreadyLoaded: !isNew, accepted, rejected, seriesChanged: 0, rowsChanged: 0, extent };
}
