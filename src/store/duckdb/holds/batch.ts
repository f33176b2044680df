/**
 * Finds segments of a batch that a sanity check might hold, which are then loaded alone: large
 * ones, and small ones if all of them together would be held. This check may not miss a segment
 * that would be held alone.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { HoldCandidatesError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { type CandleBatch, type CandlePart, filesOfPart } from '../candles/candle-batch.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { LedgerEntry } from '../connection/ledger.ts';
import { selectRows, sqlTimestamp } from '../connection/sql-rows.ts';
import type { Guarded, LoadGuard } from './load-guard.ts';
import { holdForUniverse } from './missing-symbols.ts';
import { isLaterVintage, isMoved } from './moved-prices.ts';
import { comparison } from './prices.ts';
import { areHeld, holdForRejected, isLookedAt, sumOf } from './rejected-rows.ts';
import { type SeriesHold, symbolsOf, withoutAccepted } from './series-hold.ts';

export interface LoadedBatch {
  files: readonly LoadedFile[];
  symbols: readonly string[];
  entries: readonly LedgerEntry[];
  newFromSeriesId: number | undefined;
  holds: readonly SeriesHold[];
}

/** @throws {HoldCandidatesError} names the indexes of parts that might be held. */
export async function requireNoHolds(
  connection: DuckDBConnection,
  batch: CandleBatch,
  rows: LoadedBatch,
  inputs: readonly Guarded<CandleSegment>[],
): Promise<void> {
  const guarded = batch.parts.flatMap((part, place) => {
    const { guard } = inputs[place];
    return guard ? [{ part, place, guard, counts: rows.entries[place] }] : [];
  });
  const held = heldPlaces(guarded, rows);
  const alone = guarded.filter(({ counts, guard }) => isLookedAt(counts, guard));
  const isLarge = isLookedAt(sumOf(guarded.map(({ counts }) => counts)), { isScheduled: false });
  if (alone.length === 0 && !isLarge) return requireNone(held, false);
  const { published } = guarded[0].guard;
  const moved = published && (await readMoved(connection, batch, rows, published));
  const { movedShareMax } = limits.sanity;
  const haveMoved = moved !== undefined && moved.count > moved.comparedCount * movedShareMax;
  const isTogether = isLarge && (haveMoved || areHeld(guarded));
  const candidates = (isTogether ? guarded : alone).filter(({ part, guard, counts }) => {
    const files = partFiles(part, rows.files);
    if (holdForRejected(counts, guard) !== undefined) return true;
    if (!published || !moved) return false;
    if (holdForUniverse(part.segment, files, published) !== undefined) return true;
    return mightMove(part, files, { moved, rows, published });
  });
  const places = new Set([...held, ...candidates.map(({ place }) => place)]);
  requireNone(
    [...places].sort((a, b) => a - b),
    isTogether,
  );
}

function requireNone(places: readonly number[], isTogether: boolean): void {
  if (places.length > 0) throw new HoldCandidatesError(places, isTogether);
}

/** Returns the places of parts with held series, which are loaded alone. */
function heldPlaces(
  guarded: readonly { part: CandlePart; place: number; guard: LoadGuard }[],
  { symbols, holds }: LoadedBatch,
): number[] {
  const [first] = guarded;
  const held = new Set(
    holds.flatMap((hold) => withoutAccepted(hold, first?.guard ?? {}).flatMap(symbolsOf)),
  );
  if (held.size === 0) return [];
  return guarded
    .filter(({ part }) => filesOfPart(part, symbols).some((symbol) => held.has(symbol)))
    .map(({ place }) => place);
}

function partFiles(part: CandlePart, files: readonly LoadedFile[]): LoadedFile[] {
  return filesOfPart(part, files).map((file) => {
    return { ...file, fileIndex: file.fileIndex - part.firstFile };
  });
}

/** Symbols with a compared price far from the published one. */
interface Moved {
  symbols: ReadonlySet<string>;
  /** Number of symbols with a compared price, and of those whose price has moved. */
  comparedCount: number;
  count: number;
}

/** Returns true for a part with such a symbol; prices of a later vintage may contain splits. */
function mightMove(
  part: CandlePart,
  files: readonly LoadedFile[],
  { moved, rows, published }: { moved: Moved; rows: LoadedBatch; published: PublishedQuotes },
): boolean {
  const { segment } = part;
  if (segment.hours === 'extended' || isLaterVintage(segment, files, published)) return false;
  return filesOfPart(part, rows.symbols).some((symbol) => moved.symbols.has(symbol));
}

/**
 * Reads the compared new rows, served or not, and the rows that superseded them. All adjusted rows
 * count as far from the published price: their factor depends on other series.
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
      ? `(SELECT series_id, ts, close FROM incoming UNION ALL
          SELECT series_id, ts, close FROM conflicts WHERE place = 1)`
      : `(FROM ${barTable(joined.interval).bars} WHERE series_id >= ${newFromSeriesId})`;
  const rows = await selectRows<{ symbol: string; startUs: number; close: number }>(
    connection,
    `SELECT s.symbol, epoch_us(ts)::DOUBLE AS "startUs", close
     FROM ${rowsSql} JOIN series s USING (series_id)
     WHERE ts BETWEEN ${sqlTimestamp(fromUs)} AND ${sqlTimestamp(toUs)}`,
  );
  const compared = rows.flatMap(({ symbol, startUs, close }) => {
    const quote = published.quote(symbol);
    if (!quote || endMs(startUs) - quote.timestampMs > gapMs) return [];
    return { symbol, isFar: isMoved({ before: quote.price, price: close }) };
  });
  const all = new Set(compared.map(({ symbol }) => symbol));
  const far = new Set(compared.filter(({ isFar }) => isFar).map(({ symbol }) => symbol));
  const symbols = joined.basis === 'raw' ? far : all;
  return { symbols, comparedCount: all.size, count: far.size };
}
