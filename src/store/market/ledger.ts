/** The ledger: which segments were loaded, from which files, under which ids. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from './bar-table.ts';
import type { CandleSegment } from './candle-segment.ts';
import type { LandedFile, LandingIds } from './land-rows.ts';
import { jsonTable, selectRow, selectRows, sqlTimestamp } from './sql-rows.ts';

export interface LedgerEntry {
  /** Number of the segment in order of loading, from 1. */
  seq: number;
  accepted: number;
  rejected: number;
}

/** The entry of a segment that was loaded before. */
export async function findSegment(
  connection: DuckDBConnection,
  segmentId: string,
): Promise<LedgerEntry | undefined> {
  const rows = await selectRows<LedgerEntry>(
    connection,
    `SELECT seq, accepted::DOUBLE AS accepted, rejected::DOUBLE AS rejected
     FROM segments WHERE segment = $1`,
    [segmentId],
  );
  return rows[0];
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
 * As-of of each landed file, in microseconds: the segment's, else the newest bar of the whole
 * file, whose rows may belong to many symbols. NaN for a file without rows.
 */
export function asOfByFile(segment: CandleSegment, files: readonly LandedFile[]): Float64Array {
  if (segment.asOfUs !== undefined) {
    return new Float64Array(files.length).fill(Number(segment.asOfUs));
  }
  const newest = new Map<number, number>();
  for (const { fileId, accepted, lastUs } of files) {
    if (accepted > 0) newest.set(fileId, Math.max(newest.get(fileId) ?? lastUs, lastUs));
  }
  return Float64Array.from(files, ({ fileId }) => newest.get(fileId) ?? Number.NaN);
}

/** Writes the segment's row and one per physical file. */
export async function writeLedger(
  connection: DuckDBConnection,
  segment: CandleSegment,
  {
    seq,
    files,
    asOf,
    nowMs,
  }: {
    seq: number;
    files: readonly LandedFile[];
    asOf: Float64Array;
    nowMs: number;
  },
): Promise<LedgerEntry> {
  const rows = [...Map.groupBy(files, ({ fileId }) => fileId)].map(([fileId, parts]) => {
    const { fileIndex } = parts[0];
    const { path, sha256 } = segment.files[fileIndex];
    const accepted = parts.reduce((sum, part) => sum + part.accepted, 0);
    const rejected = parts.reduce((sum, part) => sum + part.rejected, 0);
    return { fileId, path, sha256, asOf: asOf[fileIndex], accepted, rejected };
  });
  await connection.run(
    `INSERT INTO segment_files
     SELECT "fileId", ${seq}, path, sha256, make_timestamp("asOf"), accepted + rejected, accepted,
       rejected
     FROM ${jsonTable({
       fileId: 'INTEGER',
       path: 'VARCHAR',
       sha256: 'VARCHAR',
       asOf: 'BIGINT',
       accepted: 'BIGINT',
       rejected: 'BIGINT',
     })}`,
    [JSON.stringify(rows)],
  );
  const asOfSql =
    segment.asOfUs === undefined
      ? `(SELECT max(as_of) FROM segment_files WHERE segment_seq = ${seq})`
      : sqlTimestamp(segment.asOfUs);
  const refusedBefore = segment.rejectedLines ?? 0;
  const accepted = files.reduce((sum, file) => sum + file.accepted, segment.acceptedLines ?? 0);
  const rejected = files.reduce((sum, file) => sum + file.rejected, refusedBefore);
  await connection.run(
    `INSERT INTO segments
     SELECT ${seq}, $1, $2, $3, $4, $5, ${asOfSql}, $6, $7, ${accepted + rejected}, ${accepted},
       ${rejected}, ${sqlTimestamp(nowMs * 1000)}`,
    [
      segment.id,
      segment.dataset,
      segment.source,
      storedInterval(segment),
      segment.basis,
      segment.origin,
      segment.kind,
    ],
  );
  return { seq, accepted, rejected };
}
