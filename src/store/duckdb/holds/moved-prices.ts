/** Holds loads whose prices lie far from the published ones. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { COUNTED, type LoadedRows, overShare } from './load-guard.ts';
import { type PriceOfLoad, readPricesOfLoad } from './prices.ts';
import type { SeriesHold } from './series-hold.ts';

/** Names the symbols whose prices move by half or more, if they are too many and no split tells why. */
export async function holdForPrices(
  connection: DuckDBConnection,
  segment: CandleSegment,
  loaded: LoadedRows,
  published: PublishedQuotes,
): Promise<SeriesHold | undefined> {
  const { files, newFromSeriesId } = loaded;
  if (segment.hours === 'extended' || isLaterVintage(segment, files, published)) return undefined;
  const rowsSql =
    newFromSeriesId === undefined
      ? '(SELECT series_id, ts, close FROM fresh UNION ALL SELECT series_id, ts, close FROM conflicts WHERE place = 1)'
      : `(FROM ${barTable(segment.interval).bars} WHERE series_id >= ${newFromSeriesId})`;
  const prices = await readPricesOfLoad(connection, segment, rowsSql, published);
  const moved = prices.filter(isMoved);
  const { movedShareMax: most } = limits.sanity;
  const count = Math.max(prices.length, countPublished(segment, files, published));
  if (moved.length <= count * most) return undefined;
  const all = await withoutSplits(connection, segment, moved);
  // A factor to the common days explains a few moved prices. Those of most symbols may be in
  // another unit, which splits of a week never are.
  const { heldSymbolsMax, heldShareMax } = limits.sanity;
  const isFew = all.length <= Math.max(heldSymbolsMax, count * heldShareMax);
  const unexplained = isFew ? withoutOwnHistory(all, segment, loaded) : all;
  if (unexplained.length <= count * most) return undefined;
  const share = overShare(unexplained.length / count, most);
  const text = `${unexplained.length} of ${count} prices move by half or more (${share})`;
  const found = unexplained.map(({ symbol, before, price }) => {
    return { symbol, detail: `from ${before} to ${price}` };
  });
  return { check: COUNTED[1], text, found };
}

/**
 * Leaves out prices of adjusted series that the load brings with their past. Their common days show
 * the basis, and were compared.
 */
function withoutOwnHistory(
  moved: readonly PriceOfLoad[],
  segment: CandleSegment,
  { files, symbols }: LoadedRows,
): PriceOfLoad[] {
  if (segment.basis === 'raw') return [...moved];
  const pastMs = limits.sanity.ownPastDaysMin * MILLIS_PER_DAY;
  return moved.filter(({ symbol, beforeMs }) => {
    const startsBefore = files.some(
      ({ fileIndex, firstUs }) =>
        symbols[fileIndex] === symbol && firstUs / MICROS_PER_MILLI <= beforeMs - pastMs,
    );
    return !startsBefore;
  });
}

/** Returns true for adjusted prices of a later time, which contain splits that no source states. */
export function isLaterVintage(
  { basis }: CandleSegment,
  files: readonly LoadedFile[],
  { newestMs }: PublishedQuotes,
): boolean {
  if (basis === 'raw') return false;
  const latestUs = (newestMs + limits.sanity.gapDaysMax * MILLIS_PER_DAY) * MICROS_PER_MILLI;
  return files.some(({ lastUs }) => lastUs > latestUs);
}

function countPublished(
  segment: CandleSegment,
  files: readonly LoadedFile[],
  published: PublishedQuotes,
): number {
  const loaded = files.filter(({ accepted }) => accepted > 0);
  const symbols = new Set(loaded.map(({ fileIndex }) => segment.files[fileIndex].symbol));
  return symbols.values().reduce((sum, one) => sum + Number(published.quote(one) !== undefined), 0);
}

export function isMoved({ before, price }: Pick<PriceOfLoad, 'before' | 'price'>): boolean {
  return Math.abs(price / before - 1) >= limits.sanity.movedMin;
}

/** Leaves out prices that a known split explains. */
async function withoutSplits(
  connection: DuckDBConnection,
  { basis }: CandleSegment,
  moved: readonly PriceOfLoad[],
): Promise<PriceOfLoad[]> {
  const splits = await selectRows<{ symbol: string; exDay: number; ratio: number }>(
    connection,
    `SELECT symbol, (ex_date - DATE '1970-01-01')::INTEGER AS "exDay",
       (numerator / denominator)::DOUBLE AS ratio
     FROM corporate_actions WHERE type = 'split'
       AND symbol IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(moved.map(({ symbol }) => symbol))],
  );
  const ofSymbol = Map.groupBy(splits, ({ symbol }) => symbol);
  return moved.filter(({ symbol, before, beforeMs, price, timestampMs }) => {
    // Adjusted prices are those of the time when they were stated: later splits are in them too.
    const throughDay = basis === 'raw' ? newYorkDay(timestampMs) : Number.POSITIVE_INFINITY;
    const ratio = (ofSymbol.get(symbol) ?? [])
      .filter(({ exDay }) => exDay > newYorkDay(beforeMs) && exDay <= throughDay)
      .reduce((product, split) => product * split.ratio, 1);
    return isMoved({ before: before / ratio, price });
  });
}
