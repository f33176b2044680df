/**
 * Loads segments of records: the winning row of each key, ledger, changes and events in one
 * transaction. Rows are ranked by source, then as-of, then content, so that the order of loads does
 * not matter.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { rowDatasets } from '../../../base/datasets/datasets.ts';
import { assert, HoldCandidatesError } from '../../../base/errors.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { setThreadsFor } from '../connection/few-rows.ts';
import { type BeforeCommit, findSegments, nextIds, writeSegments } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { writeRowChanges } from '../connection/row-changes.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { inTransaction } from '../connection/sql-rows.ts';
import { extentOf } from '../holds/load-extent.ts';
import type { Guarded } from '../holds/load-guard.ts';
import { areHeld, isHeld, requireFewRejected } from '../holds/rejected-rows.ts';
import { requireNoContradiction } from '../rows/contradicting-members.ts';
import { keyColumns } from '../rows/dataset-table.ts';
import { countChanged, mergeRows } from '../rows/merge-rows.ts';
import { findOutdated } from '../rows/read-again.ts';
import { writeRowEvents } from '../rows/row-events.ts';
import type { RowSegment } from '../rows/row-segment.ts';
import { symbolColumn } from '../securities/place-rows.ts';
import type { LoadResult } from './load-candles.ts';
import { findMissingDividends } from './missing-dividends.ts';
import { settleRecords, settleUpgraded } from './settle-load.ts';
import { stageRows } from './stage-rows.ts';

type Shared = 'seq' | 'alreadyLoaded' | 'accepted' | 'rejected' | 'extent' | 'missingDividends';

export interface RowLoadResult extends Pick<LoadResult, Shared | 'loadedMs'> {
  /** Number of its rows that are new or have other values. */
  rowsChanged: number;
}

/**
 * Loads segments of one dataset in one transaction. The result is that of loading one after the
 * other, except for numbers in order of arrival.
 *
 * @throws {HeldLoadError} a sanity check holds a single one.
 * @throws {HoldCandidatesError} some of several segments must be loaded alone.
 * @throws what reading the Parquet files throws; the store is then as before.
 */
export async function loadRowBatch(
  { connection }: MarketDb,
  inputs: readonly Guarded<RowSegment>[],
  nowMs: number,
  beforeCommit?: BeforeCommit<RowLoadResult>,
): Promise<RowLoadResult[]> {
  for (const { segment } of inputs) sourcePriority(segment.source);
  const [{ segment: first }] = inputs;
  const dataset = rowDatasets.find(({ name }) => name === first.dataset);
  assert(dataset, `${first.dataset} is a dataset of rows`);
  const ids = inputs.map(({ segment }) => segment.id);
  const known = await findSegments(connection, ids);
  const isNew = (id: string, i: number) => !known.has(id) && ids.indexOf(id) === i;
  const fresh = inputs.filter(({ segment }, i) => isNew(segment.id, i));
  const loaded = new Map<string, RowLoadResult>();
  if (fresh.length > 0) {
    requireFewRejectedOf(fresh, inputs);
    const segments = fresh.map(({ segment }) => segment);
    const rowCount = segments.reduce((sum, { accepted }) => sum + accepted, 0);
    await setThreadsFor(connection, rowCount);
    await inTransaction(connection, async () => {
      const results = await loadNew(connection, dataset, segments, nowMs);
      const isGuarded = dataset.name === 'members' && fresh.some(({ guard }) => guard);
      if (isGuarded) await requireNoContradiction(connection, segments[0].origin);
      for (const [i, { id }] of segments.entries()) loaded.set(id, results[i]);
      beforeCommit?.(loaded);
    });
  }
  return ids.map((id, i) => {
    const result = { rowsChanged: 0, ...(known.get(id) ?? loaded.get(id)!) };
    if (isNew(id, i)) return loaded.get(id)!;
    return { ...result, alreadyLoaded: true, rowsChanged: 0, extent: undefined };
  });
}

function requireFewRejectedOf(
  fresh: readonly Guarded<RowSegment>[],
  inputs: readonly Guarded<RowSegment>[],
): void {
  if (inputs.length === 1) {
    const [{ segment, guard }] = inputs;
    const { origin, accepted, rejected, refusedFileLines = 0 } = segment;
    const counts = { accepted, rejected: rejected - refusedFileLines };
    if (guard) requireFewRejected(origin, counts, guard);
    return;
  }
  const guarded = fresh.flatMap((input) => {
    const { segment: counts, guard } = input;
    return guard ? [{ counts, guard, place: inputs.indexOf(input) }] : [];
  });
  const isTogether = areHeld(guarded);
  const held = guarded.filter(({ counts, guard }) =>
    isHeld(counts, isTogether ? { ...guard, isScheduled: true } : guard),
  );
  if (held.length === 0) return;
  const places = held.map(({ place }) => place);
  throw new HoldCandidatesError(places, isTogether);
}

async function loadNew(
  connection: DuckDBConnection,
  dataset: Dataset,
  segments: readonly RowSegment[],
  nowMs: number,
): Promise<RowLoadResult[]> {
  const { seq: firstSeq } = await nextIds(connection);
  const seq = firstSeq + segments.length - 1;
  await connection.run(NEW_TOUCHED);
  await settleUpgraded(connection, { seq, nowMs });
  const parts = segments.map((segment, i) => ({ segment, seq: firstSeq + i }));
  const entries = parts.map(({ segment, seq }) => {
    const { id, source, asOfUs, origin, kind, accepted, rejected, rules } = segment;
    const ledger = {
      seq,
      id,
      dataset: dataset.name,
      source,
      origin,
      kind,
      accepted,
      rejected,
      rules,
    };
    return { ...ledger, interval: null, basis: null, asOfUs: Number(asOfUs) };
  });
  await writeSegments(connection, entries, nowMs);
  const { isDated, unsettled, extents } = await stageRows(connection, dataset, parts, nowMs);
  // Within a segment each key occurs once under its stated tickers.
  const hasKeysOnce = parts.length === 1 && !isDated;
  const hasOutdated = await findOutdated(connection, dataset, parts);
  await mergeRows(connection, dataset, { hasKeysOnce, isDated, hasOutdated });
  const changed = await countChanged(connection);
  const missingDividends =
    dataset.name === 'statements' ? await findMissingDividends(connection, 'changed_rows') : [];
  await recordRowChanges(connection, dataset, { seq, hasOutdated });
  await settleRecords(connection, { unsettled, seq, nowMs });
  await writeRowEvents(connection, dataset, nowMs);
  return parts.map(({ segment: { accepted, rejected }, seq }, i) => {
    const rowsChanged = changed.get(seq) ?? 0;
    const extent = { ...(extents.get(seq) ?? extentOf([])), rows: accepted };
    const result = { seq, alreadyLoaded: false, accepted, rejected, rowsChanged, extent };
    // Reported once for the batch.
    return missingDividends.length > 0 && i === 0 ? { ...result, missingDividends } : result;
  });
}

/** Records the lists that have, or had, rows of `changed_rows` and `outdated_rows`. */
async function recordRowChanges(
  connection: DuckDBConnection,
  dataset: Dataset,
  { seq, hasOutdated }: { seq: number; hasOutdated: boolean },
): Promise<void> {
  const listKey = symbolColumn(dataset).kind === 'symbol' ? 'symbol' : keyColumns(dataset)[0];
  const changed = `SELECT DISTINCT ${listKey} FROM changed_rows`;
  const lists = hasOutdated ? `${changed} UNION SELECT symbol FROM outdated_rows` : changed;
  await writeRowChanges(connection, dataset, lists, seq);
}
