/**
 * Which segments of a batch might be doubtful: large ones by themselves, and small ones where all
 * of them together would be, as a load of many symbols whose prices halve. Whether one is depends
 * on what is stored before it, so it is decided when it is loaded alone; here none may be missed that
 * would be refused then.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { SuspectLoadError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { type CandleBatch, type CandlePart, filesOfPart } from '../candles/candle-batch.ts';
import type { LandedFile } from '../candles/insert-rows.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { LedgerEntry } from '../connection/ledger.ts';
import { selectRows, sqlTimestamp } from '../connection/sql-rows.ts';
import {
  areDoubtful,
  doubtOfRejected,
  doubtOfUniverse,
  type Guarded,
  isLaterVintage,
  isLookedAt,
  isMoved,
  sumOf,
} from './load.ts';
import { comparison } from './prices.ts';
import type { SeriesDoubt } from './splices.ts';

export interface LoadedBatch {
  /** In the order of the batch's files. */
  files: readonly LandedFile[];
  /** By file: the symbol of the security it is of. */
  symbols: readonly string[];
  /** By part. */
  entries: readonly LedgerEntry[];
  /** As of `LoadedRows`. */
  newFromSeriesId: number | undefined;
  doubts: readonly SeriesDoubt[];
}

/**
 * To be called when all rows of the batch are stored as far as the transaction sees.
 *
 * @throws {SuspectLoadError} names the places of parts that might be doubtful.
 */
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
  requireNoSeriesDoubt(guarded, rows);
  const alone = guarded.filter(({ counts, guard }) => isLookedAt(counts, guard));
  const isLarge = isLookedAt(sumOf(guarded.map(({ counts }) => counts)), { isScheduled: false });
  if (alone.length === 0 && !isLarge) return;
  const { published } = guarded[0].guard;
  const moved = published && (await readMoved(connection, batch, rows, published));
  const { movedShareMax } = limits.doubt;
  const haveMoved = moved !== undefined && moved.count > moved.comparedCount * movedShareMax;
  const isTogether = isLarge && (haveMoved || areDoubtful(guarded));
  const suspects = (isTogether ? guarded : alone).filter(({ part, guard, counts }) => {
    const files = partFiles(part, rows.files);
    if (doubtOfRejected(counts, guard) !== undefined) return true;
    if (!published || !moved) return false;
    if (doubtOfUniverse(part.segment, files, published) !== undefined) return true;
    return mightMove(part, files, { moved, rows, published });
  });
  if (suspects.length === 0) return;
  const places = suspects.map(({ place }) => place);
  throw new SuspectLoadError(places, isTogether);
}

/** Parts that bring symbols with doubtful series are loaded alone, so that the others are loaded. */
function requireNoSeriesDoubt(
  guarded: readonly { part: CandlePart; place: number }[],
  { symbols, doubts }: LoadedBatch,
): void {
  const doubtful = new Set(doubts.flatMap((doubt) => doubt.symbols));
  if (doubtful.size === 0) return;
  const places = guarded
    .filter(({ part }) => filesOfPart(part, symbols).some((symbol) => doubtful.has(symbol)))
    .map(({ place }) => place);
  if (places.length > 0) throw new SuspectLoadError(places, false);
}

/** Of one part, with the places that its files have in their own segment. */
function partFiles(part: CandlePart, files: readonly LandedFile[]): LandedFile[] {
  return filesOfPart(part, files).map((file) => {
    return { ...file, fileIndex: file.fileIndex - part.firstFile };
  });
}

interface Moved {
  fileIds: ReadonlySet<number>;
  symbols: ReadonlySet<string>;
  /** Of new prices: how many symbols' are compared, and are far as they are stored. */
  comparedCount: number;
  count: number;
}

function mightMove(
  { segment, firstFile }: CandlePart,
  files: readonly LandedFile[],
  { moved, rows, published }: { moved: Moved; rows: LoadedBatch; published: PublishedQuotes },
): boolean {
  if (segment.hours === 'extended' || isLaterVintage(segment, files, published)) return false;
  return files.some(
    ({ fileId, fileIndex }) =>
      moved.fileIds.has(fileId) || moved.symbols.has(rows.symbols[firstFile + fileIndex]),
  );
}

/**
 * The new rows that are compared and are far from the published price, whether they are served or
 * not; and those that they have lost to. Of adjusted ones any: which factor they are served with
 * depends on what else there is.
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
          SELECT series_id, file_id, ts, close, true FROM contest WHERE place = 1)`
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
