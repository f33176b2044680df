/** Folds the facts of tickers with the bars that are stored. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { NAMED, selectRows } from '../connection/sql-rows.ts';
import { findContradicted } from './contradicting-prices.ts';
import { dateRemovals } from './dated-removals.ts';
import { foldTickers } from './facts/fold-tickers.ts';
import {
  type Place,
  PRICES,
  placedBy,
  type TickerFact,
  type TickerUse,
} from './facts/ticker-facts.ts';
import { type FilePart, namePlaces, readParts } from './place-series.ts';
import { type ResolvedJoins, resolveJoins } from './resolve-joins.ts';

/** Days after a ticker was left on which records of it still mean who left it. */
const LATE_DAYS = 7;

const EPOCH = "DATE '1970-01-01'";

export interface ValidFacts {
  facts: TickerFact[];
  /** Facts that prices gave about tickers of which something else is stated. */
  overruled: TickerFact[];
}

/** Leaves out facts that prices gave where others count, and dates delistings of filings and lists. */
export async function validFacts(
  connection: DuckDBConnection,
  all: readonly TickerFact[],
): Promise<ValidFacts> {
  const isFound = ({ source }: TickerFact) => source === PRICES;
  const named = new Set(all.filter((fact) => !isFound(fact)).flatMap(placedBy));
  const overruled = all.filter((fact) => isFound(fact) && named.has(fact.ticker));
  const valid = all.filter((fact) => !overruled.includes(fact));
  const removals = await dateRemovals(connection, valid);
  const facts = valid.flatMap((fact) => {
    const removal = removals.get(fact);
    if (removal === undefined) return [fact];
    return removal.overruled === undefined ? [removal.dated] : [];
  });
  return { facts, overruled };
}

export interface PlacedStore {
  places: Place[];
  parts: FilePart[];
  use: TickerUse;
  /** Joins without effect. */
  refuted: ResolvedJoins['refuted'];
}

/**
 * Folds facts, and parts places whose prices contradict those of who gets the ticker next. Leaves
 * the temporary table `places`.
 */
export async function foldStored(
  connection: DuckDBConnection,
  { facts: all, tickers }: { facts: readonly TickerFact[]; tickers: readonly string[] },
): Promise<PlacedStore> {
  const use = await readUse(connection, tickers);
  const input = { tickers, use };
  const facts = all.filter(({ kind }) => kind !== 'join');
  let placed = await foldPrices(connection, facts, input);
  let refuted: ResolvedJoins['refuted'] = new Map();
  if (facts.length < all.length) {
    const joins = all.filter(({ kind }) => kind === 'join');
    const resolved = await resolveJoins(connection, joins, placed);
    refuted = resolved.refuted;
    placed = await foldPrices(connection, [...placed.facts, ...resolved.facts], input);
  }
  const settled = withLatePlaces(placed);
  await namePlaces(connection, settled.places);
  return { ...settled, use, refuted };
}

interface PlacedPrices extends SettledPlaces {
  /** With those that prices give. */
  facts: TickerFact[];
}

async function foldPrices(
  connection: DuckDBConnection,
  facts: readonly TickerFact[],
  { tickers, use }: { tickers: readonly string[]; use: TickerUse },
): Promise<PlacedPrices> {
  const places = foldTickers(facts, tickers, use);
  await namePlaces(connection, places);
  const parts = await readParts(connection);
  const filled = new Set(parts.map(({ place }) => place));
  const contradicted = await findContradicted(connection, places, filled);
  const found = contradicted.map((place): TickerFact => {
    const { ticker, toDay } = places[place];
    const none = { endDay: null, other: null, otherDay: null };
    return { kind: 'part', ticker, day: toDay! + 1, ...none, source: PRICES };
  });
  const all = [...facts, ...found];
  if (found.length === 0) return { places, parts, facts: all };
  // The cuts are the same, and so are the parts.
  return { places: foldTickers(all, tickers, use), parts, facts: all };
}

interface SettledPlaces {
  places: Place[];
  parts: FilePart[];
}

async function readUse(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<TickerUse> {
  const rows = await selectRows<{ ticker: string; first: number; last: number }>(
    connection,
    `SELECT ticker, min(first_ts::DATE - ${EPOCH})::INTEGER AS first,
       max(last_ts::DATE - ${EPOCH})::INTEGER AS last
     FROM series WHERE row_count > 0 AND ticker IN ${NAMED} GROUP BY ticker`,
    [JSON.stringify(tickers)],
  );
  return new Map(rows.map(({ ticker, ...days }) => [ticker, days]));
}

/**
 * After a security has left a ticker, keeps the days up to the next security's first bar for it:
 * filings and news use the old ticker some days longer.
 */
function withLatePlaces({ places, parts }: SettledPlaces): SettledPlaces {
  const byPlace = Map.groupBy(parts, ({ place }) => place);
  const numbers: number[] = [];
  const split: Place[] = [];
  for (const [i, place] of places.entries()) {
    const left = places[i - 1];
    const isLeft = place.role === 'free' && left?.ticker === place.ticker && left.role === 'held';
    const bars = isLeft ? (byPlace.get(i) ?? []) : [];
    const firstBar = Math.min(...bars.map(({ firstDay }) => firstDay));
    const toDay = isLeft ? Math.min(place.fromDay! + LATE_DAYS, firstBar) - 1 : undefined;
    if (toDay !== undefined && toDay >= place.fromDay!) {
      split.push({ ...place, toDay, role: 'late', owner: left.owner });
      split.push({ ...place, fromDay: toDay + 1 });
    } else {
      split.push(place);
    }
    numbers.push(split.length - 1);
  }
  return { places: split, parts: parts.map((part) => ({ ...part, place: numbers[part.place] })) };
}
