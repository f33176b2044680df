/**
 * Renewal of a known segment whose files were modified since: the user confirms its content, so its
 * vintage is the new time.
 */

import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ownAsOfByFile } from '../candles/batch-ledger.ts';
import { type CandleBatch, joinSegments } from '../candles/candle-batch.ts';
import { insertRows } from '../candles/insert-rows.ts';
import { type MergeInput, mergeIncoming, mergeRawRows } from '../candles/merge-raw.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { type FreeIds, nextIds, writeCommand } from '../connection/ledger.ts';
import { deleteOrphanRows } from '../connection/orphan-rows.ts';
import {
  inTransaction,
  listsOf,
  listTable,
  runOne,
  selectRow,
  selectRows,
} from '../connection/sql-rows.ts';
import { placeFiles } from '../securities/place-loads.ts';
import { datedTickers } from '../securities/resolve-tickers.ts';
import {
  movedFiles,
  moveVintages,
  readSamePlaces,
  settledAsOf,
} from '../vintages/file-vintages.ts';
import { attributeChanges, writeCandlesUpdated } from './candle-events.ts';
import { nameSegmentSymbols, recomputeServed } from './recompute-served.ts';

export interface Renewal {
  seriesChanged: number;
}

/** A stored file that was modified since it was loaded last. */
interface RenewedFile {
  fileId: number;
  path: string;
  modifiedUs: number;
}

/** @returns undefined if no file is newer than before. */
export async function renewSegment(
  connection: DuckDBConnection,
  segment: CandleSegment,
  seq: number,
  nowMs: number,
): Promise<Renewal | undefined> {
  const renewed = await findRenewed(connection, segment, seq);
  if (renewed.length === 0) return undefined;
  await deleteOrphanRows(connection);
  return inTransaction(connection, () => renew(connection, segment, { seq, renewed, nowMs }));
}

async function findRenewed(
  connection: DuckDBConnection,
  { files }: CandleSegment,
  seq: number,
): Promise<RenewedFile[]> {
  const times = new Map(files.map(({ path, modifiedUs }) => [path, modifiedUs]));
  if (times.values().every((modifiedUs) => modifiedUs === undefined)) return [];
  const stored = await selectRows<RenewedFile>(
    connection,
    `SELECT file_id AS "fileId", path, epoch_us(modified)::DOUBLE AS "modifiedUs"
     FROM segment_files WHERE segment_seq = ${seq}`,
  );
  return stored.flatMap(({ fileId, path, modifiedUs }) => {
    const nowUs = Number(times.get(path) ?? 0n);
    return nowUs > modifiedUs ? [{ fileId, path, modifiedUs: nowUs }] : [];
  });
}

interface Known {
  seq: number;
  renewed: readonly RenewedFile[];
  nowMs: number;
}

const RENEWED_COLUMNS = { fileId: 'INTEGER', modifiedUs: 'BIGINT' } as const;

async function renew(
  connection: DuckDBConnection,
  segment: CandleSegment,
  known: Known,
): Promise<Renewal> {
  const { seq, ...ids } = await nextIds(connection);
  const batch = joinSegments([segment], seq);
  await nameSegmentSymbols(connection, segment);
  await connection.run(NEW_TOUCHED);
  await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM bars LIMIT 0');
  await writeTimes(connection, segment, known.renewed);
  const isRaw = segment.basis === 'raw';
  const mustMerge = isRaw && (await hasConflicts(connection, segment, known.renewed));
  const merge = mustMerge ? await insertAgain(connection, batch, ids, known) : undefined;
  const samePlaces = await readSamePlaces(connection, segment);
  const moved = movedFiles(samePlaces, settledAsOf(samePlaces));
  await moveVintages(connection, barTable(segment.interval), moved, isRaw);
  if (merge) await mergeRawRows(connection, segment, merge);
  else if (isRaw) await mergeIncoming(connection, barTable(segment.interval));
  await recomputeServed(connection, batch, { hasNewActions: false });
  const changes = await attributeChanges(connection, batch, []);
  const part = { ...batch.parts[0], segment: { ...segment, id: renewedId(segment, known) } };
  await writeCandlesUpdated(connection, { ...batch, parts: [part] }, changes, known.nowMs);
  const what = `${segment.origin}: modified since`;
  await writeCommand(connection, { seq, dataset: 'renewal', what, nowMs: known.nowMs });
  return { seriesChanged: changes.length };
}

function renewedId({ id }: CandleSegment, { renewed }: Known): string {
  const times = renewed.map(({ path, modifiedUs }) => [path, modifiedUs]);
  return createHash('sha256')
    .update(JSON.stringify([id, times]))
    .digest('hex');
}

async function writeTimes(
  connection: DuckDBConnection,
  { interval }: CandleSegment,
  renewed: readonly RenewedFile[],
): Promise<void> {
  const { bars, superseded } = barTable(interval);
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE renewed_files AS
     SELECT "fileId" AS file_id, make_timestamp("modifiedUs") AS modified
     FROM ${listTable(RENEWED_COLUMNS)}`,
    listsOf<keyof typeof RENEWED_COLUMNS>(renewed, RENEWED_COLUMNS),
  );
  await connection.run(`
    UPDATE segment_files SET modified = n.modified FROM renewed_files n
    WHERE segment_files.file_id = n.file_id`);
  await connection.run(`
    UPDATE series SET modified = greatest(series.modified, n.modified)
    FROM (SELECT series_id, max(modified) AS modified
          FROM (FROM ${bars} UNION ALL FROM ${superseded}) JOIN renewed_files USING (file_id)
          GROUP BY series_id) n
    WHERE series.series_id = n.series_id`);
}

/** Returns true if other files have claimed some of the bars; else each row is stored as its own. */
async function hasConflicts(
  connection: DuckDBConnection,
  { interval }: CandleSegment,
  renewed: readonly RenewedFile[],
): Promise<boolean> {
  const { bars } = barTable(interval);
  const { held, accepted } = await selectRow<{ held: number; accepted: number }>(
    connection,
    `SELECT (SELECT count(*) FROM ${bars} SEMI JOIN renewed_files USING (file_id))::DOUBLE AS held,
       sum(accepted)::DOUBLE AS accepted
     FROM segment_files WHERE file_id IN (${renewed.map(({ fileId }) => fileId).join(',')})`,
  );
  return held !== accepted;
}

/** Reads the rows of renewed files into `incoming` again, under the ids of the stored files. */
async function insertAgain(
  connection: DuckDBConnection,
  batch: CandleBatch,
  ids: FreeIds,
  { renewed }: Known,
): Promise<MergeInput> {
  const { joined } = batch;
  const { files, orphanSeriesIds } = await insertRows(connection, joined, 'incoming', ids);
  const storedIds = new Map(renewed.map(({ path, fileId }) => [path, fileId]));
  const places = files.map(({ fileId, fileIndex }) => {
    return { insertedId: fileId, fileId: storedIds.get(joined.files[fileIndex].path) ?? -1 };
  });
  const columns = { insertedId: 'INTEGER', fileId: 'INTEGER' } as const;
  await runOne(
    connection,
    `UPDATE incoming SET file_id = p."fileId"
     FROM (SELECT DISTINCT * FROM ${listTable(columns)}) p WHERE incoming.file_id = p."insertedId"`,
    listsOf(places, columns),
  );
  await connection.run('DELETE FROM incoming WHERE file_id = -1');
  const dated = await datedTickers(
    connection,
    joined.files.map(({ symbol }) => symbol),
  );
  const freeSeriesId = ids.firstSeriesId + 2 * files.length;
  const { parts } = await placeFiles(connection, joined, files, { dated, freeSeriesId });
  return { parts, ownAsOf: ownAsOfByFile(batch, files), orphanSeriesIds };
}
