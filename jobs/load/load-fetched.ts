import type {
  Fetched,
  FetchedFacts,
  FetchedRows,
  FetchedSegment,
} from '../../src/ingest/contract/fetch-context.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { extentOfSymbols } from '../../src/store/duckdb/holds/load-extent.ts';
import type { LoadGuard } from '../../src/store/duckdb/holds/load-guard.ts';
import { requireWholeDirectory } from '../../src/store/duckdb/holds/missing-symbols.ts';
import { requireFewRejected } from '../../src/store/duckdb/holds/rejected-rows.ts';
import { type LoadResult, loadCandleBatch } from '../../src/store/duckdb/load/load-candles.ts';
import { loadRowBatch, type RowLoadResult } from '../../src/store/duckdb/load/load-rows.ts';
import {
  type DirectorySnapshot,
  shortSnapshots,
} from '../../src/store/duckdb/securities/listing-spans.ts';
import { doubtsOf, type Removal } from '../../src/store/duckdb/securities/removals.ts';
import { loadSymbols } from '../../src/store/duckdb/securities/symbols.ts';

export interface FetchedLoad extends Omit<LoadResult, 'seq'> {
  rowsChanged: number;
  /** Number of notices of removal, and those of them that mean no security for certain. */
  removals?: number;
  doubts?: readonly string[];
  /** Snapshots of directories that may be cut short. */
  short?: readonly string[];
}

interface Options {
  nowMs: number;
  guard(segment: Fetched): LoadGuard | undefined;
  /** Receives the results of new segments of the batch before their transaction is committed. */
  beforeCommit?(segment: Fetched, result: FetchedLoad): void;
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
  { nowMs, guard, beforeCommit }: Options,
): Promise<FetchedLoad[]> {
  const guarded = <T extends Fetched>(segments: readonly Fetched[]) =>
    segments.map((segment) => ({ segment: segment as T, guard: guard(segment) }));
  const [first] = batch;
  if ('facts' in first) {
    const options = { nowMs, guard: guard(first), beforeCommit };
    return [await loadFacts(market, first, options)];
  }
  const segmentById = new Map(
    (batch as (FetchedRows | FetchedSegment)[]).map((one) => [one.id, one]),
  );
  const committing = (loaded: ReadonlyMap<string, StoreResult>) => {
    for (const [id, one] of loaded) beforeCommit?.(segmentById.get(id)!, { ...NO_CHANGES, ...one });
  };
  const loaded: StoreResult[] =
    'parquetPath' in first
      ? await loadRowBatch(market, guarded<FetchedRows>(batch), nowMs, committing)
      : await loadCandleBatch(market, guarded<FetchedSegment>(batch), nowMs, committing);
  return loaded.map((one) => ({ ...NO_CHANGES, ...one }));
}

type StoreResult = LoadResult | RowLoadResult;

const NO_CHANGES = { seriesChanged: 0, rowsChanged: 0 };

/** Facts about all symbols that a source lists (`isDirectory`), or notices of removals. */
export interface DirectoryFacts extends FetchedFacts {
  isDirectory?: true;
  snapshots?: readonly DirectorySnapshot[];
  removals?: readonly Removal[];
}

interface FactsOptions extends Pick<Options, 'nowMs' | 'beforeCommit'> {
  guard: LoadGuard | undefined;
}

async function loadFacts(
  market: MarketDb,
  segment: FetchedFacts,
  { nowMs, guard, beforeCommit }: FactsOptions,
): Promise<FetchedLoad> {
  const { source, origin, asOfUs, facts, rejectedByReason, refusedFileLines = 0 } = segment;
  const rejected = rejectedByReason.values().reduce((sum, count) => sum + count, 0);
  const { snapshots, removals } = segment as DirectoryFacts;
  const noticed = (removals ?? []).map(({ ticker, id }) => ({ symbol: ticker ?? id }));
  const accepted = facts.length + (removals?.length ?? 0);
  if (guard) {
    requireFewRejected(origin, { accepted, rejected: rejected - refusedFileLines }, guard);
  }
  if (guard && 'isDirectory' in segment) {
    await requireWholeDirectory(market, { source, origin, accepted }, guard);
  }
  const result = { ...NO_CHANGES, alreadyLoaded: false, accepted, rejected };
  const loaded = {
    ...result,
    extent: extentOfSymbols([...facts, ...noticed]),
    removals: removals?.length,
  };
  const load = { source, origin, nowMs, asOfUs, rejected, snapshots, removals };
  const isNew = await loadSymbols(market, facts, {
    ...load,
    beforeCommit: () => beforeCommit?.(segment, loaded),
  });
  const doubts = removals ? await doubtsOf(market.connection, removals) : [];
  const counts = isNew ? loaded : { ...result, alreadyLoaded: true, removals: removals?.length };
  const short = snapshots?.length ? await shortSnapshots(market.connection, snapshots) : [];
  return { ...counts, doubts, short };
}
