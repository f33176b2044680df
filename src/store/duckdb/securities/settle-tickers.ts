/**
 * Gives every stored row of some tickers to the security of its day. What comes out follows from the
 * facts and the rows, in whatever order they came.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import {
  jsonTable,
  NAMED,
  runOne,
  selectColumn,
  selectValue,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import { storedDatasets } from '../rows/dataset-table.ts';
import { restoreShadowed } from '../rows/shadowed-rows.ts';
import { fromOf, isWithin, type Place, placedBy, type TickerFact } from './facts/ticker-facts.ts';
import { foldStored, validFacts } from './fold-stored.ts';
import { listedPlaces, nameByDirectories } from './listing-spans.ts';
import { rememberPlaces } from './moved-series.ts';
import { type NamedSecurity, nameOwners } from './name-securities.ts';
import {
  namePlacedSymbols,
  type PlacedSymbol,
  placeRows,
  placeStatements,
  type RecordPart,
  readRecordParts,
  symbolColumn,
} from './place-rows.ts';
import { storeParts } from './place-series.ts';
import { addLoadingSymbols } from './resolve-tickers.ts';
import { moveFacts } from './securities.ts';
import {
  connectedTickers,
  type KnownSecurity,
  readFacts,
  readSecurities,
  removeFacts,
  writePlaces,
} from './stored-facts.ts';
import { findWholePasts, ownerOf, type PlacedRows, type WholePast } from './whole-pasts.ts';

const EPOCH = "DATE '1970-01-01'";
const FIRST_DAY = -2147483648;
const LAST_DAY = 2147483647;

/**
 * Folds the facts about some tickers, and all that they are connected with, and assigns their rows.
 * Adds the symbols of all securities concerned, before and after, to `loading_symbols`; winners are
 * still to be recomputed, and changes to be recorded by `recordMoves`.
 */
export async function settleTickers(
  connection: DuckDBConnection,
  named: readonly string[],
  nowMs: number,
): Promise<void> {
  const tickers = [...new Set([...named, ...(await connectedTickers(connection, named))])];
  const before = await readSecurities(connection, tickers);
  await addLoadingSymbols(
    connection,
    before.map(({ symbol }) => symbol),
  );
  await rememberPlaces(connection);
  await restoreShadowed(connection, tickers);
  const stated = await readFacts(connection, tickers);
  const { facts, overruled } = await validFacts(connection, stated);
  if (overruled.length > 0) await removeFacts(connection, overruled);
  const { places, parts, use } = await foldStored(connection, { facts, tickers });
  const records = await readRecordParts(connection);
  const wholePasts = findWholePasts([...parts, ...records], places);
  const owners = existingOwners(places, [...parts, ...records], { before, facts, wholePasts });
  for (const place of await listedPlaces(connection)) owners.add(places[place].owner);
  ownRest(records, places, owners);
  const firstFreeId = await selectValue<number>(
    connection,
    'SELECT (coalesce(max(security_id), 0) + 1)::INTEGER FROM securities',
  );
  const securities = nameOwners(
    places.filter(({ owner }) => owners.has(owner)),
    { known: before, use, firstFreeId },
  );
  await connection.run(`UPDATE ticker_facts SET is_settled = true WHERE ticker IN ${NAMED}`, [
    JSON.stringify(tickers),
  ]);
  const dated = new Set(facts.flatMap(placedBy));
  await storeSecurities(connection, tickers, { before, places, securities, dated });
  const symbolOf = (owner: number, ticker: string) => securities.get(owner)?.symbol ?? ticker;
  await storeParts(
    connection,
    parts.map((part) => {
      const symbol = symbolOf(ownerOf(part, places, wholePasts), part.ticker);
      return { ...part, symbol, fromDay: places[part.place].fromDay };
    }),
  );
  await namePlacedSymbols(connection, placedSymbols(places, wholePasts, symbolOf));
  await placeStatements(connection);
  await placeRows(connection);
  await connection.run(`
    UPDATE winners SET symbol = s.symbol FROM series s
    WHERE s.series_id = winners.series_id AND winners.symbol <> s.symbol`);
  await connection.run('DELETE FROM winners WHERE series_id NOT IN (SELECT series_id FROM series)');
  await listSymbols(connection, [...tickers, ...before.map(({ symbol }) => symbol)], nowMs);
  const symbols = [...securities.values()].map(({ symbol }) => symbol);
  await nameByDirectories(connection, symbols, nowMs);
  await addLoadingSymbols(connection, symbols);
}

function placedSymbols(
  places: readonly Place[],
  wholePasts: ReadonlyMap<string, WholePast>,
  symbolOf: (owner: number, ticker: string) => string,
): PlacedSymbol[] {
  const all = places.map(({ ticker, fromDay, toDay, owner }): PlacedSymbol => {
    const days = { fromDay: fromDay ?? FIRST_DAY, toDay: toDay ?? LAST_DAY };
    return { segment: null, ticker, ...days, symbol: symbolOf(owner, ticker) };
  });
  const pasts = [...wholePasts.values()].flatMap(({ segment, ticker, before, owner }) => {
    const { fromDay } = places[before];
    if (fromDay === null) return [];
    const days = { fromDay: FIRST_DAY, toDay: fromDay - 1 };
    return [{ segment, ticker, ...days, symbol: symbolOf(owner, ticker) }];
  });
  return [...all, ...pasts];
}

/** Returns the owners that have rows, or that a directory names. */
function existingOwners(
  places: readonly Place[],
  rows: readonly (PlacedRows & Partial<RecordPart>)[],
  {
    before,
    facts,
    wholePasts,
  }: {
    before: readonly KnownSecurity[];
    facts: readonly TickerFact[];
    wholePasts: ReadonlyMap<string, WholePast>;
  },
): Set<number> {
  const owners = new Set<number>();
  for (const part of rows) {
    if (part.makesSecurity === undefined || part.makesSecurity) {
      owners.add(ownerOf(part, places, wholePasts));
    }
  }
  const firsts = new Map(before.toReversed().map((one) => [one.securityId, one]));
  const listed = [
    ...[...firsts.values()].filter(({ factsDay }) => factsDay !== null),
    ...facts.flatMap(({ kind, ticker, day }) =>
      kind === 'listed' ? [{ ticker, fromDay: day }] : [],
    ),
  ];
  const byTicker = Map.groupBy(places, ({ ticker }) => ticker);
  for (const { ticker, ...first } of listed) {
    const place = byTicker.get(ticker)?.find((one) => isWithin(fromOf(first), one));
    if (place) owners.add(place.owner);
  }
  return owners;
}

/**
 * Gives rows that alone make no security to who left their ticker before. Without one, they make a
 * security all the same.
 */
function ownRest(rows: readonly RecordPart[], places: readonly Place[], owners: Set<number>): void {
  const rest = rows.filter(({ makesSecurity }) => makesSecurity === null);
  for (const at of [...new Set(rest.map(({ place }) => place))].sort((a, b) => a - b)) {
    const [left, place] = [places[at - 1], places[at]];
    if (owners.has(place.owner)) continue;
    if (place.role !== 'free' || left?.ticker !== place.ticker || !owners.has(left.owner)) {
      owners.add(place.owner);
      continue;
    }
    place.role = 'late';
    place.owner = left.owner;
  }
}

/** Stores securities and places, and moves the facts of symbols that change. */
async function storeSecurities(
  connection: DuckDBConnection,
  tickers: readonly string[],
  {
    before,
    places,
    securities,
    dated,
  }: {
    before: readonly KnownSecurity[];
    places: readonly Place[];
    securities: ReadonlyMap<number, NamedSecurity>;
    /** Tickers that facts concern. */
    dated: ReadonlySet<string>;
  },
): Promise<void> {
  const named = [...securities.values()];
  await runOne(
    connection,
    `DELETE FROM securities WHERE security_id IN (SELECT unnest(from_json($1, '["INTEGER"]')))`,
    [JSON.stringify(before.map(({ securityId }) => securityId))],
  );
  await runOne(
    connection,
    `INSERT INTO securities SELECT "securityId", symbol, ${EPOCH} + "delistedDay"
     FROM ${jsonTable({ securityId: 'INTEGER', symbol: 'VARCHAR', delistedDay: 'INTEGER' })}`,
    [JSON.stringify(named)],
  );
  await writePlaces(
    connection,
    tickers,
    places.flatMap(({ owner, ...place }) => {
      const securityId = securities.get(owner)?.securityId ?? null;
      // A ticker of which nothing is stated any more, and nothing is loaded, has no place.
      return securityId === null && !dated.has(place.ticker) ? [] : [{ ...place, securityId }];
    }),
  );
  const byTicker = Map.groupBy(places, ({ ticker }) => ticker);
  const byId = Map.groupBy(before, ({ securityId }) => securityId);
  const symbols = new Map(named.map(({ securityId, symbol }) => [securityId, symbol]));
  const moves = [...byId].flatMap(([id, own]) => {
    const { symbol: from, factsDay } = own[0];
    // The directory names the security that had the ticker on that day.
    const said = own.findLast((one) => factsDay !== null && fromOf(one) <= factsDay);
    const place = said && byTicker.get(said.ticker)?.find((one) => isWithin(factsDay!, one));
    const owner = place && securities.get(place.owner);
    const to = owner?.symbol ?? symbols.get(id);
    return to === undefined || to === from ? [] : [{ from, to }];
  });
  await moveFacts(connection, moves);
}

/** Lists those of some symbols, and of the present ones of tickers, that have rows or facts. */
async function listSymbols(
  connection: DuckDBConnection,
  named: readonly string[],
  nowMs: number,
): Promise<void> {
  const present = await selectColumn<string>(
    connection,
    `SELECT DISTINCT symbol FROM security_tickers JOIN securities USING (security_id)
     WHERE ticker IN ${NAMED}`,
    [JSON.stringify(named)],
  );
  const listed = await symbolsWithRows(connection, present);
  await runOne(
    connection,
    `INSERT INTO symbols (symbol, first_seen) SELECT symbol, ${sqlTimestamp(nowMs * 1000)}
     FROM ${jsonTable({ symbol: 'VARCHAR' })} ANTI JOIN symbols USING (symbol)`,
    [JSON.stringify(listed.map((symbol) => ({ symbol })))],
  );
  const others = new Set(named);
  for (const symbol of listed) others.delete(symbol);
  await connection.run(`DELETE FROM symbols WHERE source IS NULL AND symbol IN ${NAMED}`, [
    JSON.stringify([...others]),
  ]);
}

async function symbolsWithRows(
  connection: DuckDBConnection,
  symbols: readonly string[],
): Promise<string[]> {
  const datasets = await storedDatasets(connection);
  const selects = datasets.map((dataset) => {
    const { kind, column } = symbolColumn(dataset);
    return `SELECT ${kind === 'symbols' ? `unnest(${column})` : column} AS symbol FROM ${dataset.table}`;
  });
  const all = ['SELECT symbol FROM series WHERE row_count > 0', ...selects].join(' UNION ALL ');
  return selectColumn(connection, `SELECT DISTINCT symbol FROM (${all}) WHERE symbol IN ${NAMED}`, [
    JSON.stringify(symbols),
  ]);
}
