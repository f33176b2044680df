/**
 * Loads segments of rows: the believed row of each key, ledger, changes and events in one
 * transaction. Of rows with the same key the best is believed: best by source, then as-of, then
 * content. So what is stored depends on the set of segments alone.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dataset, rowDatasets } from '../../../base/datasets/datasets.ts';
import { assert, SuspectLoadError } from '../../../base/errors.ts';
import { setThreadsFor } from '../connection/few-rows.ts';
import { findSegments, nextIds } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { writeRowChanges } from '../connection/row-changes.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { inTransaction, jsonTable, sqlTimestamp } from '../connection/sql-rows.ts';
import {
  areDoubtful,
  type Guarded,
  isDoubtful,
  type LoadOptions,
  requireFewRejected,
} from '../holds/load.ts';
import { extentOf, type LoadExtent } from '../holds/load-extent.ts';
import { countChanged, mergeRows } from '../rows/merge-rows.ts';
import { keyColumns } from '../rows/rank-rows.ts';
import { writeRowEvents } from '../rows/row-events.ts';
import type { RowSegment } from '../rows/row-segment.ts';
import { symbolColumn } from '../securities/move-rows.ts';
import { type RowPart, stageRows } from './stage-rows.ts';

export interface RowLoadResult {
  /** The segment's number in the ledger. */
  seq: number;
  /** The ledger had it: nothing was changed, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** Its rows that are new or have other values now. */
  rowsChanged: number;
  /** Undefined where the ledger had it. */
  extent?: LoadExtent;
}

/**
 * Loads a segment.
 *
 * @throws {DoubtfulLoadError} it is not believed.
 * @throws what reading the Parquet file throws; the store is then as before.
 */
export async function loadRows(
  market: MarketDb,
  segment: RowSegment,
  { nowMs, guard }: LoadOptions,
): Promise<RowLoadResult> {
  return (await loadRowBatch(market, [{ segment, guard }], nowMs))[0];
}

/**
 * Loads segments of one dataset in one transaction. What is stored is what loading one after the
 * other stores, but for numbers that are given by arrival. Of a key that several have, only the
 * row that is believed in the end has changed.
 *
 * @returns what became of each, in the same order.
 * @throws {SuspectLoadError} of several segments some must be loaded alone.
 * @throws as `loadRows`.
 */
export async function loadRowBatch(
  { connection }: MarketDb,
  inputs: readonly Guarded<RowSegment>[],
  nowMs: number,
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
    const results = await inTransaction(connection, () =>
      loadNew(connection, dataset, segments, nowMs),
    );
    for (const [i, { id }] of segments.entries()) loaded.set(id, results[i]);
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
  const isTogether = areDoubtful(guarded);
  const doubtful = guarded.filter(({ counts, guard }) =>
    isDoubtful(counts, isTogether ? { ...guard, isScheduled: true } : guard),
  );
  if (doubtful.length === 0) return;
  const places = doubtful.map(({ place }) => place);
  throw new SuspectLoadError(places, isTogether);
}

async function loadNew(
  connection: DuckDBConnection,
  dataset: Dataset,
  segments: readonly RowSegment[],
  nowMs: number,
): Promise<RowLoadResult[]> {
  const { seq: firstSeq } = await nextIds(connection);
  const parts = segments.map((segment, i) => ({ segment, seq: firstSeq + i }));
  const load = { seq: firstSeq + segments.length - 1, nowMs };
  await writeLedgerRows(connection, parts, nowMs);
  const { isRenamed, extents } = await stageRows(connection, dataset, parts, load);
  // Within a segment no key comes twice under the tickers that it states.
  await mergeRows(connection, dataset, parts.length === 1 && !isRenamed);
  const changed = await countChanged(connection);
  await recordRowChanges(connection, dataset, load.seq);
  await writeRowEvents(connection, dataset, nowMs);
  return parts.map(({ segment: { accepted, rejected }, seq }) => {
    const rowsChanged = changed.get(seq) ?? 0;
    const extent = { ...(extents.get(seq) ?? extentOf([])), rows: accepted };
    return { seq, alreadyLoaded: false, accepted, rejected, rowsChanged, extent };
  });
}

const LEDGER_COLUMNS = {
  seq: 'INTEGER',
  id: 'VARCHAR',
  dataset: 'VARCHAR',
  source: 'VARCHAR',
  asOfUs: 'BIGINT',
  origin: 'VARCHAR',
  kind: 'VARCHAR',
  accepted: 'BIGINT',
  rejected: 'BIGINT',
};

async function writeLedgerRows(
  connection: DuckDBConnection,
  parts: readonly RowPart[],
  nowMs: number,
): Promise<void> {
  const rows = parts.map(({ segment, seq }) => {
    const { id, dataset, source, asOfUs, origin, kind, accepted, rejected } = segment;
    return { seq, id, dataset, source, asOfUs: Number(asOfUs), origin, kind, accepted, rejected };
  });
  await connection.run(
    `INSERT INTO segments
     SELECT seq, id, dataset, source, NULL, NULL, make_timestamp("asOfUs"), origin, kind,
       accepted + rejected, accepted, rejected, ${sqlTimestamp(nowMs * 1000)}
     FROM ${jsonTable(LEDGER_COLUMNS)}`,
    [JSON.stringify(rows)],
  );
}

/** Notes the lists that hold the rows of `changed_rows`, or held them. */
async function recordRowChanges(
  connection: DuckDBConnection,
  dataset: Dataset,
  seq: number,
): Promise<void> {
  const listKey = symbolColumn(dataset).kind === 'symbol' ? 'symbol' : keyColumns(dataset)[0];
  await writeRowChanges(connection, dataset, `SELECT DISTINCT ${listKey} FROM changed_rows`, seq);
}
