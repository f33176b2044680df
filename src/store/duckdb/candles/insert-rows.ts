/**
 * Inserts a segment's rows in bulk, then reads files whose rows do not match their line counts
 * again.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { assert } from '../../../base/errors.ts';
import type { BarTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { CLOSED_ROWS_MAX, closedRowsSql } from '../connection/closed-rows.ts';
import { needLook } from '../connection/day-counts.ts';
import { onOneThread } from '../connection/few-rows.ts';
import type { FreeIds } from '../connection/ledger.ts';
import { rowBatches } from '../connection/row-batches.ts';
import { filePattern, selectRows, sqlString } from '../connection/sql-rows.ts';
import { countHolidays, type Measured, measure } from './measured-rows.ts';

/** Result of one entry of `segment.files`: one symbol in one file. */
export interface LoadedFile {
  fileIndex: number;
  /** Shared by all symbols of a file. */
  fileId: number;
  /** Own series of its rows; a raw merge replaces it. */
  seriesId: number;
  accepted: number;
  rejected: number;
  /** Microseconds; NaN without accepted rows. */
  firstUs: number;
  lastUs: number;
}

export interface InsertedRows {
  files: LoadedFile[];
  orphanSeriesIds: number[];
}

/**
 * Inserts the segment's good rows into `table` (the shape of `bars`), one parse for each group. A
 * file gets the free series id at its place in the order of reading, so that rows of a series are
 * together and nothing is joined or sorted.
 *
 * First reads of examined files stay as orphan rows: a DELETE in the transaction that inserted them
 * would make DuckDB write all of its rows again, through the WAL.
 */
export async function insertRows(
  connection: DuckDBConnection,
  segment: CandleSegment,
  table: BarTable['bars'] | 'incoming',
  ids: FreeIds,
): Promise<InsertedRows> {
  const seriesIds = readingPlaces(segment).map((place) => ids.firstSeriesId + place);
  const fileIds = physicalFileIds(segment, seriesIds, ids.firstFileId);
  await insertGroups(connection, segment, table, { seriesIds, fileIds });
  const { firstSeriesId } = ids;
  const areDays = segment.areFalseDays !== undefined;
  let measured = await measure(connection, table, { firstSeriesId, areDays });
  const isOffender = (fileIndex: number) => {
    const { rowCount = 0, isRising = true } = measured.get(seriesIds[fileIndex]) ?? {};
    return rowCount !== segment.files[fileIndex].dataLines || !isRising;
  };
  const measuring = { seriesIds, firstSeriesId, measured };
  const falseDays = await findFalseDays(connection, segment, table, measuring);
  const offenders = [...seriesIds.keys()].filter(
    (fileIndex) => isOffender(fileIndex) || falseDays.has(fileIndex),
  );
  const orphanSeriesIds = offenders.map((fileIndex) => seriesIds[fileIndex]);
  const rejected = new Map<number, number>();
  if (offenders.length > 0) {
    for (const fileIndex of offenders) seriesIds[fileIndex] += seriesIds.length;
    const examined = await segment.examine(offenders);
    for (const file of examined) rejected.set(file.fileIndex, file.rejected);
    for (const path of new Set(examined.map(({ parquetPath }) => parquetPath))) {
      // A part of the input leaves out files that were examined with it.
      const indexes = offenders.join(',');
      const rows = `(FROM read_parquet($1) WHERE file_index IN (${indexes}))`;
      await connection.run(insertSql(table, rows, seriesIds, fileIds), [filePattern(path)]);
    }
    measured = await measure(connection, table, { firstSeriesId, areDays: false });
  }
  const files = [...seriesIds].map((seriesId, fileIndex) => {
    const found = measured.get(seriesId);
    const accepted = found?.rowCount ?? 0;
    const refused = rejected.get(fileIndex) ?? 0;
    const { dataLines } = segment.files[fileIndex];
    assert(found?.isRising ?? true, `file ${fileIndex} is strictly rising`);
    assert(accepted + refused === dataLines, `file ${fileIndex}: accepted + rejected = lines`);
    return {
      fileIndex,
      fileId: fileIds[fileIndex],
      seriesId,
      accepted,
      rejected: refused,
      firstUs: found?.firstUs ?? Number.NaN,
      lastUs: found?.lastUs ?? Number.NaN,
    };
  });
  return { files, orphanSeriesIds };
}

function readingPlaces(segment: CandleSegment): Int32Array {
  const places = new Int32Array(segment.files.length).fill(-1);
  let next = 0;
  for (const fileIndex of segment.groups.flatMap((group) => group.fileIndexes)) {
    assert(places[fileIndex] === -1, `file ${fileIndex} is in one group only`);
    places[fileIndex] = next++;
  }
  return places.map((place) => (place === -1 ? next++ : place));
}

/** Returns one id for each path, consecutive in the order of reading. */
function physicalFileIds(
  segment: CandleSegment,
  seriesIds: Int32Array,
  firstFileId: number,
): Int32Array {
  const inOrder = [...seriesIds.keys()].sort((a, b) => seriesIds[a] - seriesIds[b]);
  const idByPath = new Map<string, number>();
  for (const fileIndex of inOrder) {
    const { path } = segment.files[fileIndex];
    if (!idByPath.has(path)) idByPath.set(path, firstFileId + idByPath.size);
  }
  return Int32Array.from(segment.files, ({ path }) => idByPath.get(path)!);
}

async function insertGroups(
  connection: DuckDBConnection,
  { groups }: CandleSegment,
  table: string,
  { seriesIds, fileIds }: { seriesIds: Int32Array; fileIds: Int32Array },
): Promise<void> {
  for (const { selectSql, fileIndexes, isText } of groups) {
    const idsOf = (all: Int32Array) => Int32Array.from(fileIndexes, (index) => all[index]);
    const sql = insertSql(table, `(${selectSql})`, idsOf(seriesIds), idsOf(fileIds));
    if (isText) await connection.run(sql);
    // Several threads leave parts of row groups, and the checkpoint would write the rows again.
    else await onOneThread(connection, () => connection.run(sql));
  }
}

function insertSql(
  table: string,
  rowsSql: string,
  seriesIds: Int32Array,
  fileIds: Int32Array,
): string {
  return `INSERT INTO ${table}
    SELECT ${idSql(seriesIds)}, ${idSql(fileIds)}, ts, open, high, low, close, volume
    FROM ${rowsSql}`;
}

/** Returns SQL of the id for a row's `file_index`. A lookup costs 50 ns a row, so the usual cases add. */
function idSql(ids: Int32Array): string {
  if (ids.every((id) => id === ids[0])) return String(ids[0]);
  if (ids.every((id, i) => id === ids[0] + i)) return `(${ids[0]} + file_index)::INTEGER`;
  return `[${ids.join(',')}][file_index + 1]::INTEGER`;
}

/** Finds files whose dates daily bars cannot have. Reads the dates of a few, chosen by counts. */
async function findFalseDays(
  connection: DuckDBConnection,
  segment: CandleSegment,
  table: string,
  {
    seriesIds,
    ...rows
  }: { seriesIds: Int32Array; firstSeriesId: number; measured: ReadonlyMap<number, Measured> },
): Promise<Set<number>> {
  const falseDays = new Set<number>();
  const { areFalseDays } = segment;
  if (areFalseDays === undefined) return falseDays;
  const holidays = await countHolidays(connection, table, rows);
  const closedOf = (id: number) => {
    return (rows.measured.get(id)?.weekend ?? 0) + (holidays.get(id) ?? 0);
  };
  const toLook = [...seriesIds.keys()].filter((fileIndex) => {
    // A file that lost rows is read again, so that its number of lines is that of its dates.
    const id = seriesIds[fileIndex];
    const { slow = 0, weekend = 0, far } = rows.measured.get(id) ?? {};
    const days = segment.files[fileIndex].dataLines;
    return needLook({ days, slow, weekends: weekend, far, holidays: holidays.get(id) });
  });
  if (toLook.length === 0) return falseDays;
  const dates = await selectRows<{ seriesId: number; days: number[] }>(
    connection,
    `SELECT series_id AS "seriesId", list((epoch(ts) / 86400)::INTEGER ORDER BY ts) AS days
     FROM ${table} WHERE series_id IN (${toLook.map((index) => seriesIds[index])}) GROUP BY 1`,
  );
  const daysById = new Map(dates.map(({ seriesId, days }) => [seriesId, days]));
  const closed = toLook
    .map((fileIndex) => seriesIds[fileIndex])
    .filter((id) => closedOf(id) > 0)
    .map((id) => ({ id, rowCount: daysById.get(id)?.length ?? 0 }));
  const filledById = await filledDays(connection, table, closed);
  for (const fileIndex of toLook) {
    const id = seriesIds[fileIndex];
    const days = daysById.get(id) ?? [];
    if (areFalseDays(fileIndex, days, filledById.get(id) ?? [])) falseDays.add(fileIndex);
  }
  return falseDays;
}

/** Reads the days without a session that a row only fills, some series at a time. */
async function filledDays(
  connection: DuckDBConnection,
  table: string,
  series: readonly { id: number; rowCount: number }[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const batch of rowBatches(series, CLOSED_ROWS_MAX)) {
    const rows = `SELECT series_id AS series, 0 AS line, (epoch(ts) / 86400)::INTEGER AS day,
        open, high, low, close, volume, NULL::VARCHAR AS reason
      FROM ${table} WHERE series_id IN (${batch.map(({ id }) => id)})`;
    const filled = await selectRows<{ seriesId: number; days: number[] }>(
      connection,
      `SELECT series AS "seriesId", list(day) AS days FROM (${closedRowsSql(rows)})
       WHERE is_filled GROUP BY 1`,
    );
    for (const { seriesId, days } of filled) found.set(seriesId, days);
  }
  return found;
}

/** Writes the rows that were inserted, before any merge, as (file_index, ts, open … volume). */
export async function copyRows(
  connection: DuckDBConnection,
  table: BarTable['bars'] | 'incoming',
  { files, orphanSeriesIds }: InsertedRows,
  path: string,
): Promise<void> {
  const filled = files.filter(({ accepted }) => accepted > 0);
  const first = filled.reduce(
    (least, { seriesId }) => Math.min(least, seriesId),
    Number.MAX_SAFE_INTEGER,
  );
  const indexes: number[] = [];
  for (const { seriesId, fileIndex } of filled) indexes[seriesId - first] = fileIndex;
  const list = Array.from(indexes, (index) => index ?? 'NULL');
  // Rows that were inserted in this order need no sort, whose memory would grow with them.
  const isInOrder =
    orphanSeriesIds.length === 0 &&
    filled.every(({ seriesId }, i) => i === 0 || seriesId > filled[i - 1].seriesId);
  // A join would keep all rows in memory, since the optimizer counts none of its own transaction;
  // several threads keep more of them until those before are written.
  const sql = `
    COPY (SELECT ([${list}]::INTEGER[])[series_id - ${first} + 1] AS file_index,
        ts, open, high, low, close, volume
      FROM ${table} WHERE series_id >= ${first} AND file_index IS NOT NULL
      ${isInOrder ? '' : 'ORDER BY 1, 2'})
    TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`;
  await onOneThread(connection, () => connection.run(sql));
}
