import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { MarketDb } from './open.ts';
import { jsonTable, runOne, selectRows, selectValue, sqlTimestamp } from './sql-rows.ts';

export interface LedgerEntry {
  seq: number;
  accepted: number;
  rejected: number;
}

/** A segment of the ledger, and the time of its load. */
export interface KnownSegment extends LedgerEntry {
  loadedMs: number;
}

/** Receives the results of new segments by id, before their transaction is committed. */
export type BeforeCommit<T> = (loaded: ReadonlyMap<string, T>) => void;

export async function findSegments(
  connection: DuckDBConnection,
  segmentIds: readonly string[],
): Promise<Map<string, KnownSegment>> {
  const rows = await selectRows<KnownSegment & { segment: string }>(
    connection,
    `SELECT segment, seq, accepted::DOUBLE AS accepted, rejected::DOUBLE AS rejected,
       epoch_ms(loaded_at)::DOUBLE AS "loadedMs"
     FROM segments WHERE kind <> 'command' AND segment IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(segmentIds)],
  );
  return new Map(rows.map(({ segment, ...entry }) => [segment, entry]));
}

/** Counts the rows of all loads: at least as many as are stored. */
export function countLoadedRows({ connection }: MarketDb): Promise<number> {
  return selectValue(connection, 'SELECT coalesce(sum(accepted), 0)::DOUBLE FROM segments');
}

export async function findSegment(
  connection: DuckDBConnection,
  segmentId: string,
): Promise<KnownSegment | undefined> {
  return (await findSegments(connection, [segmentId])).get(segmentId);
}

/** Ids from which on all are free. */
export interface FreeIds {
  firstFileId: number;
  firstSeriesId: number;
}

export async function nextIds(connection: DuckDBConnection): Promise<FreeIds & { seq: number }> {
  // A row for each table: as columns of one row they are joined, which takes twice as long.
  const newest = await selectRows<{ name: keyof FreeIds | 'seq'; id: number | null }>(
    connection,
    `SELECT 'seq' AS name, max(seq) AS id FROM segments
     UNION ALL SELECT 'firstFileId', max(file_id) FROM segment_files
     UNION ALL SELECT 'firstSeriesId', max(series_id) FROM series`,
  );
  const idOf = (wanted: string) => (newest.find(({ name }) => name === wanted)?.id ?? 0) + 1;
  return {
    seq: idOf('seq'),
    firstFileId: idOf('firstFileId'),
    firstSeriesId: idOf('firstSeriesId'),
  };
}

export interface SegmentRow extends LedgerEntry {
  id: string;
  dataset: string;
  source: string;
  /** Null for records, like the basis. */
  interval: string | null;
  basis: string | null;
  asOfUs: number | null;
  origin: string;
  kind: 'external' | 'parquet';
  /** Number of the rules that made its rows of filings; absent for others. */
  rules?: number;
}

const SEGMENT_COLUMNS = {
  seq: 'INTEGER',
  id: 'VARCHAR',
  dataset: 'VARCHAR',
  source: 'VARCHAR',
  interval: 'VARCHAR',
  basis: 'VARCHAR',
  asOfUs: 'BIGINT',
  origin: 'VARCHAR',
  kind: 'VARCHAR',
  accepted: 'BIGINT',
  rejected: 'BIGINT',
  rules: 'INTEGER',
};

export async function writeSegments(
  connection: DuckDBConnection,
  rows: readonly SegmentRow[],
  nowMs: number,
): Promise<void> {
  await runOne(
    connection,
    `INSERT INTO segments
     SELECT seq, id, dataset, source, interval, basis, make_timestamp("asOfUs"), origin, kind,
       accepted + rejected, accepted, rejected, ${sqlTimestamp(nowMs * 1000)}, rules
     FROM ${jsonTable(SEGMENT_COLUMNS)}`,
    [JSON.stringify(rows)],
  );
}

/** A command in the ledger; a publish continues from its number, as from a load's. */
export interface LedgerCommand {
  seq: number;
  dataset: 'securities' | 'renewal' | 'drop';
  what: string;
  nowMs: number;
}

export async function writeCommand(
  connection: DuckDBConnection,
  { seq, dataset, what, nowMs }: LedgerCommand,
): Promise<void> {
  const id = createHash('sha256').update(`${dataset} ${seq}\n${what}`).digest('hex');
  const now = sqlTimestamp(nowMs * 1000);
  await runOne(
    connection,
    `INSERT INTO segments
     VALUES (${seq}, $1, '${dataset}', NULL, NULL, NULL, ${now}, $2, 'command', 0, 0, 0, ${now}, NULL)`,
    [id, what],
  );
}
