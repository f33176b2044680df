import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from '../connection/bar-table.ts';
import { type LedgerEntry, type SegmentRow, writeSegments } from '../connection/ledger.ts';
import { listsOf, listTable, runOne } from '../connection/sql-rows.ts';
import { type CandleBatch, type CandlePart, filesOfPart } from './candle-batch.ts';
import type { LoadedFile } from './insert-rows.ts';

/**
 * Returns the own as-of of each file in microseconds: the segment's, else the newest bar of all
 * symbols of the file; NaN without rows.
 */
export function ownAsOfByFile({ parts }: CandleBatch, files: readonly LoadedFile[]): Float64Array {
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

interface LedgerInput {
  files: readonly LoadedFile[];
  /** Vintages by file, in microseconds: the as-of that ranks it, and its own. */
  asOf: Float64Array;
  ownAsOf: Float64Array;
  nowMs: number;
}

/** @returns the entries in the order of the batch's parts. */
export async function writeLedger(
  connection: DuckDBConnection,
  { parts }: CandleBatch,
  { files, asOf, ownAsOf, nowMs }: LedgerInput,
): Promise<LedgerEntry[]> {
  const fileRows = parts.map((part) => fileRowsOf(part, files, { asOf, ownAsOf }));
  await runOne(
    connection,
    `INSERT INTO segment_files
     SELECT "fileId", seq, path, sha256, make_timestamp("asOf"), accepted + rejected, accepted,
       rejected, make_timestamp(modified), make_timestamp(newest), reading
     FROM ${listTable(FILE_COLUMNS)}`,
    listsOf(fileRows.flat(), FILE_COLUMNS),
  );
  const rows = parts.map((part, i) => segmentRowOf(part, fileRows[i]));
  await writeSegments(connection, rows, nowMs);
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
  reading: 'VARCHAR',
} as const;

/** Returns a row for each physical file; `asOf` is NaN without rows, which JSON writes as null. */
function fileRowsOf(
  part: CandlePart,
  files: readonly LoadedFile[],
  { asOf, ownAsOf }: Pick<LedgerInput, 'asOf' | 'ownAsOf'>,
) {
  const { segment, seq, firstFile } = part;
  return [...Map.groupBy(filesOfPart(part, files), ({ fileId }) => fileId)].map(([fileId, all]) => {
    const { fileIndex } = all[0];
    const { path, sha256, modifiedUs = 0n, reading = null } = segment.files[fileIndex - firstFile];
    const newest = segment.asOfUs === undefined ? ownAsOf[fileIndex] : null;
    const accepted = all.reduce((sum, file) => sum + file.accepted, 0);
    const rejected = all.reduce((sum, file) => sum + file.rejected, 0);
    const times = { asOf: asOf[fileIndex], modified: Number(modifiedUs), newest };
    return { fileId, seq, path, sha256, ...times, accepted, rejected, reading };
  });
}

function segmentRowOf(
  { segment, seq }: CandlePart,
  files: readonly { asOf: number; newest: number | null; accepted: number; rejected: number }[],
): SegmentRow {
  const { id, dataset, source, basis, origin, kind, asOfUs } = segment;
  const { acceptedLines = 0, rejectedLines = 0 } = segment;
  const known = files.map((file) => file.newest ?? file.asOf).filter((us) => !Number.isNaN(us));
  const newest = known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : null;
  return {
    ...{ seq, id, dataset, source, interval: storedInterval(segment), basis, origin, kind },
    asOfUs: asOfUs === undefined ? newest : Number(asOfUs),
    accepted: files.reduce((sum, file) => sum + file.accepted, acceptedLines),
    rejected: files.reduce((sum, file) => sum + file.rejected, rejectedLines),
  };
}
