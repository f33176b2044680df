/**
 * Vintages of files: of two files of one source the one with the greater (as-of, modification time,
 * SHA-256) is the newer vintage.
 *
 * A file that replaces an older one at its place is newer for all of its bars, even if it ends
 * earlier. So its as-of is at least that of every older file of the place, unless it was stated. A
 * file that is loaded later may thus raise or lower the as-of of stored files.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type CandleBatch, filesOfPart } from '../candles/candle-batch.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { type BarTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { jsonTable, listsOf, listTable, runOne, selectRows } from '../connection/sql-rows.ts';

export interface FileVintage {
  fileId: number;
  /** Path of the file, or of the folder or zip and the name in it. */
  place: string;
  /** 0: unknown. */
  modifiedUs: number;
  /** Newest bar; null if the as-of was stated. */
  newestUs: number | null;
  /** Null for a file without rows. */
  asOfUs: number | null;
}

/** Returns the place of a file: its origin alone if the file itself was given. */
export function placeOf(origin: string, path: string): string {
  return `/${origin}`.endsWith(`/${path}`) ? origin : `${origin}/${path}`;
}

/** SQL of the place of a file `f` of a segment `g`. */
const PLACE = `CASE WHEN ends_with('/' || g.origin, '/' || f.path) THEN g.origin
  ELSE g.origin || '/' || f.path END`;

/** SQL of the columns of a `FileVintage`. */
const VINTAGE = `f.file_id AS "fileId", ${PLACE} AS place,
  epoch_us(f.modified)::DOUBLE AS "modifiedUs", epoch_us(f.newest)::DOUBLE AS "newestUs",
  epoch_us(f.as_of)::DOUBLE AS "asOfUs"`;

/** Reads the stored files at the places of a batch's files; vendors' files have no place. */
export async function readSamePlaces(
  connection: DuckDBConnection,
  { source, interval, hours, basis, origin, files }: CandleSegment,
): Promise<FileVintage[]> {
  const paths = files.filter(({ modifiedUs }) => modifiedUs !== undefined).map(({ path }) => path);
  if (paths.length === 0) return [];
  const places = [...new Set(paths)].map((path) => ({ place: placeOf(origin, path) }));
  return selectRows(
    connection,
    `SELECT ${VINTAGE}
     FROM segment_files f JOIN segments g ON g.seq = f.segment_seq
     WHERE g.source = $2 AND g.interval = $3 AND g.basis = $4
       AND ${PLACE} IN (SELECT place FROM ${jsonTable({ place: 'VARCHAR' })})`,
    [JSON.stringify(places), source, storedInterval({ interval, hours }), basis],
  );
}

/** Reads the files of a stored segment, and other files that are or were at their places. */
export async function readPlacesOfSegment(
  connection: DuckDBConnection,
  seq: number,
): Promise<(FileVintage & { isOther: boolean })[]> {
  return selectRows(
    connection,
    `SELECT ${VINTAGE}, g.seq <> ${seq} AS "isOther"
     FROM segment_files f JOIN segments g ON g.seq = f.segment_seq
     JOIN (FROM segments WHERE seq = ${seq}) m
       ON m.source = g.source AND m.interval = g.interval AND m.basis = g.basis
     WHERE ${PLACE} IN (
       SELECT ${PLACE} FROM segment_files f JOIN segments g ON g.seq = f.segment_seq
       WHERE g.seq = ${seq})`,
  );
}

/** Returns the vintages of a batch's files. */
export function loadedVintages(
  { parts }: CandleBatch,
  files: readonly LoadedFile[],
  asOf: Float64Array,
): FileVintage[] {
  return parts.flatMap((part) =>
    filesOfPart(part, files).map(({ fileId, fileIndex }) => {
      const { segment, firstFile } = part;
      const { path, modifiedUs = 0n } = segment.files[fileIndex - firstFile];
      const asOfUs = Number.isNaN(asOf[fileIndex]) ? null : asOf[fileIndex];
      return {
        fileId,
        place: placeOf(segment.origin, path),
        modifiedUs: Number(modifiedUs),
        newestUs: segment.asOfUs === undefined ? asOfUs : null,
        asOfUs,
      };
    }),
  );
}

/**
 * Returns the as-of of each file in microseconds, by its id: the stated one, else the time of the
 * newest bar of the file and of earlier files at its place.
 */
export function settledAsOf(files: readonly FileVintage[]): Map<number, number> {
  const settled = new Map<number, number>();
  for (const ofPlace of Map.groupBy(files, ({ place }) => place).values()) {
    // Files with the same time do not replace each other.
    const times = Map.groupBy(ofPlace, ({ modifiedUs }) => modifiedUs);
    let earlierUs = Number.NEGATIVE_INFINITY;
    for (const modifiedUs of [...times.keys()].sort((a, b) => a - b)) {
      const dated = times.get(modifiedUs)!.filter(({ asOfUs }) => asOfUs !== null);
      for (const { fileId, newestUs, asOfUs } of dated) {
        settled.set(fileId, newestUs === null ? asOfUs! : Math.max(newestUs, earlierUs));
      }
      for (const { newestUs, asOfUs } of dated) {
        earlierUs = Math.max(earlierUs, newestUs ?? asOfUs!);
      }
    }
  }
  return settled;
}

/** A stored file with a new as-of. */
export interface MovedFile {
  fileId: number;
  asOfUs: number;
}

export function movedFiles(
  stored: readonly FileVintage[],
  settled: ReadonlyMap<number, number>,
): MovedFile[] {
  return stored.flatMap(({ fileId, asOfUs }) => {
    const now = settled.get(fileId);
    return now === undefined || now === asOfUs ? [] : [{ fileId, asOfUs: now }];
  });
}

const MOVED_COLUMNS = { fileId: 'INTEGER', asOfUs: 'BIGINT' } as const;

/**
 * Stores the new as-of of files, and adds their symbols to `loading_symbols` and their raw rows
 * with conflicts to `incoming`.
 */
export async function moveVintages(
  connection: DuckDBConnection,
  { bars, superseded }: BarTable,
  moved: readonly MovedFile[],
  isRaw: boolean,
): Promise<void> {
  if (moved.length === 0) return;
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE moved_files AS
     SELECT "fileId" AS file_id, make_timestamp("asOfUs") AS as_of FROM ${listTable(MOVED_COLUMNS)}`,
    listsOf(moved, MOVED_COLUMNS),
  );
  await connection.run(
    `UPDATE segment_files SET as_of = m.as_of FROM moved_files m
     WHERE segment_files.file_id = m.file_id`,
  );
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE moved_series AS
    SELECT DISTINCT series_id, file_id FROM (FROM ${bars} UNION ALL FROM ${superseded})
    SEMI JOIN moved_files USING (file_id)`);
  await connection.run(`
    INSERT INTO loading_symbols
    SELECT DISTINCT symbol FROM series SEMI JOIN moved_series USING (series_id)
    ANTI JOIN loading_symbols USING (symbol)`);
  if (isRaw) {
    await connection.run(`
      INSERT INTO incoming
      FROM ${superseded} SEMI JOIN moved_files USING (file_id) UNION ALL
      FROM ${bars} SEMI JOIN moved_files USING (file_id) SEMI JOIN ${superseded} USING (series_id, ts)`);
  } else {
    await connection.run(`
      UPDATE series SET as_of = m.as_of FROM moved_series s JOIN moved_files m USING (file_id)
      WHERE series.series_id = s.series_id`);
  }
}
