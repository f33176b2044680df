import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { intradayBarEndMs, newYorkDay, sessionEndMs } from '../../../base/time/calendar.ts';
import type { StoredIntraday } from '../../../base/time/intervals.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { chunksOf, columnOfChunk } from '../connection/chunk-columns.ts';
import { sqlTimestamp } from '../connection/sql-rows.ts';

/** A new price as it would be served; times are ends of bars, in milliseconds. */
export interface PriceOfLoad {
  symbol: string;
  before: number;
  beforeMs: number;
  price: number;
  timestampMs: number;
}

const MINUTE_MS = 60_000;

/**
 * Reads for each symbol the first new close at or after the newest published bar of all, within
 * `limits.sanity.gapDaysMax` days. Leaves out symbols whose published price is older by more than
 * that.
 *
 * @param rowsSql The new rows: series_id, ts, close.
 */
export async function readPricesOfLoad(
  connection: DuckDBConnection,
  segment: CandleSegment,
  rowsSql: string,
  published: PublishedQuotes,
): Promise<PriceOfLoad[]> {
  const { endMs, gapMs, fromUs, toUs } = comparison(segment, published);
  const result = await connection.stream(`
    SELECT epoch_us(min(r.ts))::DOUBLE, arg_min(r.close * w.factor, r.ts), any_value(w.symbol)
    FROM ${rowsSql} r JOIN winners w USING (series_id)
    WHERE r.ts BETWEEN w.from_ts AND w.to_ts AND w.interval = '${storedInterval(segment)}'
      AND r.ts BETWEEN ${sqlTimestamp(fromUs)} AND ${sqlTimestamp(toUs)}
    GROUP BY series_id`);
  const prices: PriceOfLoad[] = [];
  for await (const chunk of chunksOf(result)) {
    const startsUs = columnOfChunk<Float64Array>(chunk, 0);
    const closes = columnOfChunk<Float64Array>(chunk, 1);
    const symbols = chunk.getColumnValues(2) as string[];
    for (const [i, symbol] of symbols.entries()) {
      const quote = published.quote(symbol);
      const timestampMs = endMs(startsUs[i]);
      if (!quote || timestampMs - quote.timestampMs > gapMs) continue;
      const { price: before, timestampMs: beforeMs } = quote;
      prices.push({ symbol, before, beforeMs, price: closes[i], timestampMs });
    }
  }
  return prices;
}

/** Returns the times in microseconds between which compared bars start. */
export function comparison(segment: CandleSegment, { newestMs }: PublishedQuotes) {
  const fromUs = MICROS_PER_MILLI * newestStartMs(segment, newestMs);
  const gapMs = limits.sanity.gapDaysMax * MILLIS_PER_DAY;
  return { endMs: endOfBar(segment), gapMs, fromUs, toUs: fromUs + MICROS_PER_MILLI * gapMs };
}

/** Returns a function from a bar's start in microseconds to its end in milliseconds. */
function endOfBar({ interval }: CandleSegment): (startUs: number) => number {
  const ends = new Map<number, number>();
  return (startUs) => {
    const known = ends.get(startUs);
    if (known !== undefined) return known;
    const startMs = startUs / MICROS_PER_MILLI;
    const endMs =
      interval === '1d'
        ? sessionEndMs(startMs / MILLIS_PER_DAY)
        : intradayBarEndMs(startMs, interval as StoredIntraday);
    ends.set(startUs, endMs);
    return endMs;
  };
}

/** Returns the start of the newest published bar, or of one that has ended by then. */
function newestStartMs({ interval }: CandleSegment, newestEndMs: number): number {
  return interval === '1d' ? newYorkDay(newestEndMs) * MILLIS_PER_DAY : newestEndMs - MINUTE_MS;
}
