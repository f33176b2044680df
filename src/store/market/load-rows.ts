/**
 * Loads segments of rows: the believed row of each key, ledger, changes and events in one
 * transaction. Of rows with the same key the best is believed: best by source, then as-of, then
 * content. So what is stored depends on the set of segments alone.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dataset, rowDatasets } from '../../datasets.ts';
import { assert, SuspectLoadError } from '../../errors.ts';
import { tableColumns } from './dataset-table.ts';
import { areDoubtful, isDoubtful, requireFewRejected } from './doubt-load.ts';
import { filePattern } from './file-pattern.ts';
import { findSegments, nextIds } from './ledger.ts';
import type { Guarded, LoadOptions } from './load-candles.ts';
import { knownDaySql, renameIn, symbolColumn } from './move-rows.ts';
import type { MarketDb } from './open.ts';
import { keyColumns, keyed, rankedSql } from './rank-rows.ts';
import { addHolders, type Load, resolveTickers } from './resolve-tickers.ts';
import { writeRowChanges } from './row-changes.ts';
import { writeRowEvents } from './row-events.ts';
import type { RowSegment } from './row-segment.ts';
import { sourcePriority } from './source-priority.ts';
import { inTransaction, jsonTable, selectRows, sqlString, sqlTimestamp } from './sql-rows.ts';
import { nameSymbols } from './symbols.ts';

export interface RowLoadResult {
  /** The segment's number in the ledger. */
  seq: number;
  /** The ledger had it: nothing was changed, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** Its rows that are new or have other values now. */
  rowsChanged: number;
}

/** A segment and its number in the ledger. */
interface RowPart {
  segment: RowSegment;
  seq: number;
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
    const results = await inTransaction(connection, () =>
      loadNew(connection, dataset, segments, nowMs),
    );
    for (const [i, { id }] of segments.entries()) loaded.set(id, results[i]);
  }
  return ids.map((id, i) => {
    const result = { rowsChanged: 0, ...(known.get(id) ?? loaded.get(id)!) };
    return isNew(id, i) ? loaded.get(id)! : { ...result, alreadyLoaded: true, rowsChanged: 0 };
  });
}

function requireFewRejectedOf(
  fresh: readonly Guarded<RowSegment>[],
  inputs: readonly Guarded<RowSegment>[],
): void {
  if (inputs.length === 1) {
    const [{ segment, guard }] = inputs;
    if (guard) requireFewRejected(segment.origin, segment, guard);
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
  const isRenamed = await stage(connection, dataset, parts, load);
  // Within a segment no key comes twice under the tickers that it states.
  const isFirst = parts.length === 1 && !isRenamed && (await isEmpty(connection, dataset.table));
  await (isFirst ? insertAll : merge)(connection, dataset);
  const changed = await countChanged(connection);
  await recordRowChanges(connection, dataset, load.seq);
  await writeRowEvents(connection, dataset, nowMs);
  return parts.map(({ segment: { accepted, rejected }, seq }) => {
    const rowsChanged = changed.get(seq) ?? 0;
    return { seq, alreadyLoaded: false, accepted, rejected, rowsChanged };
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

/**
 * Makes the temporary table `incoming` of the segments' rows, under the symbols of today.
 *
 * @returns whether some stated ticker is not the symbol of today.
 * @throws {SuspectLoadError} that is so of several segments.
 */
async function stage(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly RowPart[],
  load: Load,
): Promise<boolean> {
  const symbols = symbolColumn(dataset);
  await readIncoming(connection, dataset, parts);
  const ticker = symbols.kind === 'symbols' ? `unnest(${symbols.column})` : symbols.column;
  const stated = await selectRows<{ seq: number; ticker: string } & Days>(
    connection,
    `SELECT seq, ticker, min(day) AS "firstDay", max(day) AS "lastDay"
     FROM (SELECT segment_seq::INTEGER AS seq, ${ticker} AS ticker,
             ${knownDaySql(dataset)} AS day FROM incoming)
     GROUP BY seq, ticker ORDER BY seq, ticker`,
  );
  const tickers = [...new Set(stated.map((one) => one.ticker))];
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE loading_symbols AS SELECT symbol FROM ${jsonTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify(tickers.map((symbol) => ({ symbol })))],
  );
  await addHolders(connection);
  await nameSymbols(connection, load.nowMs);
  const resolved = await resolveTickers(connection, stated, load);
  const moved = stated.flatMap(({ seq, ticker: from }, i) =>
    from === resolved[i] ? [] : [{ seq, from, to: resolved[i] }],
  );
  if (moved.length > 0 && parts.length > 1) {
    // A ticker may be another security's in each of them.
    const seqs = new Set(moved.map(({ seq }) => seq));
    throw new SuspectLoadError(
      [...parts.keys()].filter((i) => seqs.has(parts[i].seq)),
      false,
    );
  }
  await renameIn(connection, 'incoming', symbols, moved);
  return moved.length > 0;
}

interface Days {
  firstDay: number;
  lastDay: number;
}

/** Each row with its segment, and the tickers that it states. */
async function readIncoming(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly RowPart[],
): Promise<void> {
  const symbols = symbolColumn(dataset);
  const fields = tableColumns(dataset).map(({ column }) => column);
  const isList = symbols.kind === 'symbols';
  const tickers = `${symbols.column} AS ${isList ? 'tickers' : 'ticker'}`;
  const paths = parts.map(({ segment }) => segment.parquetPath);
  const patterns = paths.map((path) => sqlString(filePattern(path)));
  const rows =
    parts.length === 1
      ? `SELECT *, ${parts[0].seq} AS segment_seq FROM read_parquet(${patterns[0]})`
      : `SELECT * FROM read_parquet([${patterns.join(', ')}], filename = true)
         JOIN (SELECT unnest([${paths.map(sqlString).join(', ')}]) AS filename,
                 unnest([${parts.map(({ seq }) => seq).join(', ')}]) AS segment_seq)
           USING (filename)`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT ${fields.join(', ')}, ${tickers}, segment_seq FROM (${rows})`);
}

async function isEmpty(connection: DuckDBConnection, table: string): Promise<boolean> {
  return (await selectRows(connection, `SELECT 1 AS found FROM ${table} LIMIT 1`)).length === 0;
}

/** What `merge` does where there is nothing to compare with: the first segment of a dataset. */
async function insertAll(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE changed_rows AS
     SELECT ${keyed(dataset)} FROM incoming ORDER BY ${keyColumns(dataset).join(', ')}`,
  );
  await connection.run(
    `INSERT INTO ${dataset.table} BY NAME
     SELECT * EXCLUDE (${keyColumns(dataset).join(', ')}) FROM changed_rows`,
  );
}

/**
 * Brings `incoming` into the dataset's table.
 *
 * Leaves the temporary table `changed_rows`: rows that are new or have other values. A row that
 * differs in nothing but when it was so, is as it was.
 */
async function merge(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  const { table } = dataset;
  const keys = keyColumns(dataset);
  const sameKey = keys.map((key) => `o.${key} IS NOT DISTINCT FROM w.${key}`).join(' AND ');
  const rows = `
    WITH new_rows AS (SELECT ${keyed(dataset)} FROM incoming),
      old_rows AS (
        SELECT * FROM (SELECT rowid AS old_row, ${keyed(dataset)} FROM ${table}) o
        WHERE EXISTS (FROM new_rows w WHERE ${sameKey}))
    FROM old_rows UNION ALL BY NAME FROM new_rows`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE rivals AS ${rankedSql(dataset, rows)}`);
  const isOfKey = dataset.key.flat().includes('asOf');
  const values = tableColumns(dataset)
    .filter(({ field }) => field !== 'asOf' || isOfKey)
    .map(({ column }) => `o.${column} IS NOT DISTINCT FROM w.${column}`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE changed_rows AS
    FROM rivals w WHERE place = 1 AND old_row IS NULL
      AND NOT EXISTS (FROM rivals o WHERE o.old_row IS NOT NULL AND ${values.join(' AND ')})`);
  await connection.run(
    `DELETE FROM ${table} WHERE rowid IN (
       SELECT old_row FROM rivals WHERE place > 1 AND old_row IS NOT NULL)`,
  );
  await connection.run(`
    INSERT INTO ${table} BY NAME
    SELECT * EXCLUDE (old_row, place, ${keys.join(', ')}) FROM rivals
    WHERE place = 1 AND old_row IS NULL ORDER BY ${keys.join(', ')}`);
}

/** By the number of the segment that they are of. */
async function countChanged(connection: DuckDBConnection): Promise<Map<number, number>> {
  const rows = await selectRows<{ seq: number; count: number }>(
    connection,
    `SELECT segment_seq::INTEGER AS seq, count(*)::DOUBLE AS count
     FROM changed_rows GROUP BY segment_seq`,
  );
  return new Map(rows.map(({ seq, count }) => [seq, count]));
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
