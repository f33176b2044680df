import type { DuckDBConnection } from '@duckdb/node-api';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { isWithin } from './facts/ticker-facts.ts';
import { loadingIntervals, recordMoves } from './moved-series.ts';
import { datedTickers, type NamedPlace, readPlaces } from './resolve-tickers.ts';
import { settleTickers } from './settle-tickers.ts';
import { addFacts } from './stored-facts.ts';

/**
 * Returns the symbol that each ticker had on a day. A directory makes a security of a ticker that
 * nobody is said to have any more, and of one of which nothing else is loaded.
 */
export async function nameOnDay(
  connection: DuckDBConnection,
  tickers: readonly string[],
  { day, seq, nowMs }: { day: number; seq: number; nowMs: number },
): Promise<string[]> {
  const dated = await datedTickers(connection, tickers);
  if (dated.size === 0) return [...tickers];
  const placeOf = (places: ReadonlyMap<string, NamedPlace[]>, ticker: string) =>
    places.get(ticker)?.find((place) => isWithin(day, place));
  let places = await readPlaces(connection, dated);
  const unknown = [...dated].filter((ticker) => {
    const place = placeOf(places, ticker);
    return place && (!place.isKnown || (place.role === 'free' && !place.isSettled));
  });
  if (unknown.length > 0) {
    const none = { endDay: null, other: null, otherDay: null, source: 'directory' };
    const facts = unknown.map((ticker) => ({ kind: 'listed' as const, ticker, day, ...none }));
    await addFacts(connection, facts, nowMs);
    await connection.run(NEW_TOUCHED);
    await settleTickers(connection, unknown, nowMs);
    for (const interval of await loadingIntervals(connection)) {
      await recomputeWinners(connection, interval);
    }
    await recordMoves(connection, seq);
    places = await readPlaces(connection, dated);
  }
  return tickers.map((ticker) => placeOf(places, ticker)?.symbol ?? ticker);
}
