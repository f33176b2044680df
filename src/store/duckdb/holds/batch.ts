/**
 * Finds segments of a batch that a sanity check might hold, which are then loaded alone: large
 * ones, and small ones if all of them together would be held. This check may not miss a segment
 * that would be held alone.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { SuspectLoadError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { type CandleBatch, type CandlePart, filesOfPart } from '../candles/candle-batch.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { LedgerEntry } from '../connection/ledger.ts';
import { selectRows, sqlTimestamp } from '../connection/sql-rows.ts';
import {
  areHeld,
  type Guarded,
  holdForRejected,
  holdForUniverse,
  isLaterVintage,
  isLookedAt,
  isMoved,
  sumOf,
} from './load.ts';
import { comparison } from './prices.ts';
import type { SeriesHold } from './splices.ts';

export interface LoadedBatch {
  files: readonly LoadedFile[];
  symbols: readonly string[];
  entries: readonly LedgerEntry[];
  newFromSeriesId: number | undefined;
  holds: readonly SeriesHold[];
}

/** @throws {SuspectLoadError} names the indexes of parts that might be held. */
export async function requireNoSuspects(
  connection: DuckDBConnection,
  batch: CandleBatch,
  rows: LoadedBatch,
  inputs: readonly Guarded<CandleSegment>[],
): Promise<void> {
  const guarded = batch.parts.flatMap((part, place) => {
    const { guard } = inputs[place];
    return guard ? [{ part, place, guard, counts: rows.entries[place] }] : [];
  });
  requireNoSeriesHold(guarded, rows);
  const alone = guarded.filter(({ counts, guard }) => isLookedAt(counts, guard));
  const isLarge = isLookedAt(sumOf(guarded.map(({ counts }) => counts)), { isScheduled: false });
  if (alone.length === 0 && !isLarge) return;
  const { published } = guarded[0].guard;
  const moved = published && (await readMoved(connection, batch, rows, published));
  const { movedShareMax } = limits.doubt;
  const haveMoved = moved !== undefined && moved.count > moved.comparedCount * movedShareMax;
  const isTogether = isLarge && (haveMoved || areHeld(guarded));
  const suspects = (isTogether ? guarded : alone).filter(({ part, guard, counts }) => {
    const files = partFiles(part, rows.files);
    if (holdForRejected(counts, guard) !== undefined) return true;
    if (!published || !moved) return false;
    if (holdForUniverse(part.segment, files, published) !== undefined) return true;
    return mightMove(part, files, { moved, rows, published });
  });
  if (suspects.length === 0) return;
  const places = suspects.map(({ place }) => place);
  throw new SuspectLoadError(places, isTogether);
}

/** Has parts with held series loaded alone, so that the others are loaded together. */
function requireNoSeriesHold(
  guarded: readonly { part: CandlePart; place: number }[],
  { symbols, holds }: LoadedBatch,
): void {
  const held = new Set(holds.flatMap((hold) => hold.symbols));
  if (held.size === 0) return;
  const places = guarded
    .filter(({ part }) => filesOfPart(part, symbols).some((symbol) => held.has(symbol)))
    .map(({ place }) => place);
  if (places.length > 0) throw new SuspectLoadError(places, false);
}

function partFiles(part: CandlePart, files: readonly LoadedFile[]): LoadedFile[] {
  return filesOfPart(part, files).map((file) => {
    return { ...file, fileIndex: file.fileIndex - part.firstFile };
  });
}

interface Moved {
  fileIds: ReadonlySet<number>;
  symbols: ReadonlySet<string>;
  /** Number of symbols with a compared new price, and of those whose price has moved. */
  comparedCount: number;
  count: number;
}

function mightMove(
  { segment, firstFile }: CandlePart,
  files: readonly LoadedFile[],
  { moved, rows, published }: { moved: Moved; rows: LoadedBatch; published: PublishedQuotes },
): boolean {
  if (segment.hours === 'extended' || isLaterVintage(segment, files, published)) return false;
  return files.some(
    ({ fileId, fileIndex }) =>
      moved.fileIds.has(fileId) || moved.symbols.has(rows.symbols[firstFile + fileIndex]),
  );
}

/**
 * Reads the compared new rows that are far from the published price, served or not, and the rows
 * that superseded them. All adjusted rows count as far: their factor depends on other series.
 */
async function readMoved(
  connection: DuckDBConnection,
  { joined }: CandleBatch,
  { newFromSeriesId }: LoadedBatch,
  published: PublishedQuotes,
): Promise<Moved> {
  const { endMs, gapMs, fromUs, toUs } = comparison(joined, published);
  const rowsSql =
    newFromSeriesId === undefined
      ? `(SELECT series_id, file_id, ts, close, false AS is_old FROM incoming UNION ALL
          SELECT series_id, file_id, ts, close, true FROM conflicts WHERE place = 1)`
      : `(SELECT series_id, file_id, ts, close, false AS is_old
          FROM ${barTable(joined.interval).bars} WHERE series_id >= ${newFromSeriesId})`;
  const rows = await selectRows<Compared>(
    connection,
    `SELECT s.symbol, file_id AS "fileId", epoch_us(ts)::DOUBLE AS "startUs", close, is_old AS "isOld"
     FROM ${rowsSql} JOIN series s USING (series_id)
     WHERE ts BETWEEN ${sqlTimestamp(fromUs)} AND ${sqlTimestamp(toUs)}`,
  );
  const compared = rows.filter(({ symbol, startUs }) => {
    const quote = published.quote(symbol);
    return quote !== undefined && endMs(startUs) - quote.timestampMs <= gapMs;
  });
  const isFar = ({ symbol, close }: Compared) =>
    isMoved({ before: published.quote(symbol)!.price, price: close });
  const far = joined.basis === 'raw' ? compared.filter(isFar) : compared;
  const fresh = compared.filter(({ isOld }) => !isOld);
  return {
    fileIds: new Set(far.filter(({ isOld }) => !isOld).map(({ fileId }) => fileId)),
    symbols: new Set(far.filter(({ isOld }) => isOld).map(({ symbol }) => symbol)),
    comparedCount: new Set(fresh.map(({ symbol }) => symbol)).size,
    count: new Set(fresh.filter(isFar).map(({ symbol }) => symbol)).size,
  };
}

interface Compared {
  symbol: string;
  fileId: number;
  startUs: number;
  close: number;
  isOld: boolean;
}
