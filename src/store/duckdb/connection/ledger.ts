/** The ledger: which segments were loaded, from which files, under which ids. */

import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleBatch, CandlePart } from '../candles/candle-batch.ts';
import type { LandedFile, LandingIds } from '../candles/land-rows.ts';
import { storedInterval } from './bar-table.ts';
import { jsonTable, selectRow, selectRows, sqlTimestamp } from './sql-rows.ts';

export interface LedgerEntry {
  /** Number of the segment in order of loading, from 1. */
  seq: number;
  accepted: number;
  rejected: number;
}

/** The entries of segments that were loaded before, by segment. */
export async function findSegments(
  connection: DuckDBConnection,
  segmentIds: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const rows = await selectRows<LedgerEntry & { segment: string }>(
    connection,
    `SELECT segment, seq, accepted::DOUBLE AS accepted, rejected::DOUBLE AS rejected
     FROM segments WHERE kind <> 'command' AND segment IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(segmentIds)],
  );
  return new Map(rows.map(({ segment, ...entry }) => [segment, entry]));
}

/** The entry of a segment that was loaded before. */
export async function findSegment(
  connection: DuckDBConnection,
  segmentId: string,
): Promise<LedgerEntry | undefined> {
  return (await findSegments(connection, [segmentId])).get(segmentId);
}

/** The first ids that no segment, file or series has. */
export async function nextIds(connection: DuckDBConnection): Promise<LandingIds & { seq: number }> {
  return selectRow(
    connection,
    `SELECT (SELECT coalesce(max(seq), 0) + 1 FROM segments)::INTEGER AS seq,
       (SELECT coalesce(max(file_id), 0) + 1 FROM segment_files)::INTEGER AS "firstFileId",
       (SELECT coalesce(max(series_id), 0) + 1 FROM series)::INTEGER AS "firstSeriesId"`,
  );
}

/**
 * As-of that each landed file of a batch has by itself, in microseconds: its segment's, else the
 * newest bar of the whole file, whose rows may belong to many symbols. NaN for a file without rows.
 */
export function ownAsOfByFile({ parts }: CandleBatch, files: readonly LandedFile[]): Float64Array {
  const newest = new Map<number, number>();
  for (const { fileId, accepted, lastUs } of files) {
    if (accepted > 0) newest.set(fileId, Math.max(newest.get(fileId) ?? lastUs, lastUs));
  }
  const asOf = new Float64Array(files.length);
  for (const part of parts) {
    const { asOfUs } = part.segment;
    for (const { fileId, fileIndex } of filesOfPart(part, files)) {
      asOf[fileIndex] = asOfUs === undefined ? (newest.get(fileId) ?? Number.NaN) : Number(asOfUs);
    }
  }
  return asOf;
}

export function filesOfPart<T>({ segment, firstFile }: CandlePart, files: readonly T[]): T[] {
  return files.slice(firstFile, firstFile + segment.files.length);
}

interface LedgerInput {
  files: readonly LandedFile[];
  /** By file, microseconds: what ranks it, and what it has by itself. */
  asOf: Float64Array;
  ownAsOf: Float64Array;
  nowMs: number;
}

/**
 * Writes a row for each segment and one for each physical file.
 *
 * @returns the entries in the order of the batch's parts.
 */
export async function writeLedger(
  connection: DuckDBConnection,
  { parts }: CandleBatch,
  { files, asOf, ownAsOf, nowMs }: LedgerInput,
): Promise<LedgerEntry[]> {
  const fileRows = parts.map((part) => fileRowsOf(part, files, { asOf, ownAsOf }));
  await connection.run(
    `INSERT INTO segment_files
     SELECT "fileId", seq, path, sha256, make_timestamp("asOf"), accepted + rejected, accepted,
       rejected, make_timestamp(modified), make_timestamp(newest)
     FROM ${jsonTable(FILE_COLUMNS)}`,
    [JSON.stringify(fileRows.flat())],
  );
  const rows = parts.map((part, i) => segmentRowOf(part, fileRows[i]));
  await connection.run(
    `INSERT INTO segments
     SELECT seq, id, dataset, source, interval, basis, make_timestamp("asOf"), origin, kind,
       accepted + rejected, accepted, rejected, ${sqlTimestamp(nowMs * 1000)}
     FROM ${jsonTable(SEGMENT_COLUMNS)}`,
    [JSON.stringify(rows)],
  );
  return rows.map(({ seq, accepted, rejected }) => ({ seq, accepted, rejected }));
}

const FILE_COLUMNS = {
  fileId: 'INTEGER',
  seq: 'INTEGER',
  path: 'VARCHAR',
  sha256: 'VARCHAR',
  asOf: 'BIGINT',
  modified: 'BIGINT',
  newest: 'BIGINT',
  accepted: 'BIGINT',
  rejected: 'BIGINT',
};

const SEGMENT_COLUMNS = {
  seq: 'INTEGER',
  id: 'VARCHAR',
  dataset: 'VARCHAR',
  source: 'VARCHAR',
  interval: 'VARCHAR',
  basis: 'VARCHAR',
  asOf: 'BIGINT',
  origin: 'VARCHAR',
  kind: 'VARCHAR',
  accepted: 'BIGINT',
  rejected: 'BIGINT',
};

/** One for each physical file; `asOf` is NaN, which JSON has as null, without rows. */
function fileRowsOf(
  part: CandlePart,
  files: readonly LandedFile[],
  { asOf, ownAsOf }: Pick<LedgerInput, 'asOf' | 'ownAsOf'>,
) {
  const { segment, seq, firstFile } = part;
  return [...Map.groupBy(filesOfPart(part, files), ({ fileId }) => fileId)].map(([fileId, all]) => {
    const { fileIndex } = all[0];
    const { path, sha256, modifiedUs = 0n } = segment.files[fileIndex - firstFile];
    const newest = segment.asOfUs === undefined ? ownAsOf[fileIndex] : null;
    const accepted = all.reduce((sum, file) => sum + file.accepted, 0);
    const rejected = all.reduce((sum, file) => sum + file.rejected, 0);
    const times = { asOf: asOf[fileIndex], modified: Number(modifiedUs), newest };
    return { fileId, seq, path, sha256, ...times, accepted, rejected };
  });
}

function segmentRowOf(
  { segment, seq }: CandlePart,
  files: readonly { asOf: number; newest: number | null; accepted: number; rejected: number }[],
) {
  const { id, dataset, source, basis, origin, kind, asOfUs } = segment;
  const { acceptedLines = 0, rejectedLines = 0 } = segment;
  const known = files.map((file) => file.newest ?? file.asOf).filter((us) => !Number.isNaN(us));
  const newest = known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : null;
  return {
    ...{ seq, id, dataset, source, interval: storedInterval(segment), basis, origin, kind },
    asOf: asOfUs === undefined ? newest : Number(asOfUs),
    accepted: files.reduce((sum, file) => sum + file.accepted, acceptedLines),
    rejected: files.reduce((sum, file) => sum + file.rejected, rejectedLines),
  };
}

/** What stands in the ledger beside loads: publishing goes on from its number, as from a load's. */
export interface LedgerCommand {
  seq: number;
  /** What kind of command it is. */
  dataset: 'securities' | 'renewal' | 'drop';
  /** As the ledger keeps it. */
  what: string;
  nowMs: number;
}

export async function writeCommand(
  connection: DuckDBConnection,
  { seq, dataset, what, nowMs }: LedgerCommand,
): Promise<void> {
  const id = createHash('sha256').update(`${dataset} ${seq}\n${what}`).digest('hex');
  const now = sqlTimestamp(nowMs * 1000);
  await connection.run(
    `INSERT INTO segments
     VALUES (${seq}, $1, '${dataset}', NULL, NULL, NULL, ${now}, $2, 'command', 0, 0, 0, ${now})`,
    [id, what],
  );
}
