import type { DuckDBConnection } from '@duckdb/node-api';
import type { MarketDb } from '../connection/open.ts';
import { NAMED, selectColumn, selectRow, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { dateRemovals, type Overruled } from './dated-removals.ts';
import { type Place, REMOVAL_REASONS, type TickerFact } from './facts/ticker-facts.ts';
import { foldStored, validFacts } from './fold-stored.ts';
import { type ListingChange, readListingChanges } from './listing-spans.ts';
import { doubtText, readDoubts } from './removals.ts';
import { connectedTickers, readFacts, type Security } from './stored-facts.ts';

export interface SecurityTickers {
  /** Null: nothing is loaded of it. */
  securityId: number | null;
  symbol: string;
  /** Days since the epoch, inclusive; null: open. In order of time. */
  tickers: { ticker: string; fromDay: number | null; toDay: number | null }[];
  /** The last trading day of a delisted one, its reason in words, and its last daily close. */
  delistedDay: number | null;
  delistedReason: string | null;
  lastClose: number | null;
}

/**
 * Returns the present symbol of a name: a symbol in use means itself, a former ticker the security
 * that had it last.
 */
export async function currentSymbol(
  { connection }: MarketDb,
  name: string,
): Promise<string | undefined> {
  const [found] = await selectRows<{ symbol: string }>(
    connection,
    `SELECT symbol FROM (
       SELECT symbol, true AS is_current, NULL AS to_date FROM securities WHERE symbol = $1
       UNION ALL
       SELECT symbol, false, to_date FROM security_tickers JOIN securities USING (security_id)
       WHERE ticker = $1)
     ORDER BY is_current DESC, to_date DESC NULLS FIRST LIMIT 1`,
    [name],
  );
  return found?.symbol;
}

export async function currentSymbols(
  market: MarketDb,
  names: readonly string[],
): Promise<string[]> {
  const symbols: string[] = [];
  for (const name of names) symbols.push((await currentSymbol(market, name)) ?? name);
  return [...new Set(symbols)];
}

/** @param symbol That of a security. */
export async function readSecurity(
  { connection }: MarketDb,
  symbol: string,
): Promise<SecurityTickers> {
  const security = await selectRow<Pick<SecurityTickers, 'symbol' | 'delistedDay'> & Security>(
    connection,
    `SELECT security_id AS "securityId", symbol, ${sqlDay('delisted_on')} AS "delistedDay"
     FROM securities WHERE symbol = $1`,
    [symbol],
  );
  const tickers = await selectRows<SecurityTickers['tickers'][number]>(
    connection,
    `SELECT ticker, ${sqlDay('from_date')} AS "fromDay", ${sqlDay('to_date')} AS "toDay"
     FROM security_tickers WHERE security_id = $1 ORDER BY to_date NULLS LAST`,
    [security.securityId],
  );
  const { delistedDay } = security;
  if (delistedDay === null) return { ...security, tickers, delistedReason: null, lastClose: null };
  const ticker = tickers.find(({ toDay }) => toDay === delistedDay)?.ticker ?? symbol;
  const facts = await readFacts(connection, [ticker]);
  const removals = await dateRemovals(connection, facts);
  const delisted = facts.find((fact) => {
    const { kind, day } = removals.get(fact)?.dated ?? fact;
    return kind === 'delist' && fact.ticker === ticker && day === delistedDay;
  });
  const [last] = await selectColumn<number>(
    connection,
    `SELECT arg_max(close, ts) FROM candles WHERE symbol = $1 AND interval = '1d'`,
    [symbol],
  );
  const delistedReason = delisted ? reasonOf(delisted) : null;
  return { ...security, tickers, delistedReason, lastClose: last ?? null };
}

/** Returns the reason of a delisting in words. */
export function reasonOf({ reason = null }: TickerFact): string | null {
  return reason === null ? null : (REMOVAL_REASONS[reason] ?? reason);
}

/** Facts about the tickers of a security, and the places that follow. */
export interface SecurityHistory {
  /** All days of each ticker that it had, and of tickers that are connected with these. */
  places: {
    ticker: string;
    fromDay: number | null;
    toDay: number | null;
    role: Place['role'];
    /** Null: nothing is loaded of it. */
    symbol: string | null;
  }[];
  /** A fact with `overruled` has no effect. */
  facts: (TickerFact & { overruled: Overruled | 'prices' | null })[];
  /** Notices of removals that may concern them, in words. */
  doubts: string[];
  /** Differences between the directories that were kept. */
  listings: ListingChange[];
}

/** Reads all facts that bear on a ticker or symbol, and what they give. */
export async function readHistory(
  { connection }: MarketDb,
  name: string,
): Promise<SecurityHistory> {
  const own = await selectColumn<string>(
    connection,
    `SELECT DISTINCT ticker FROM security_tickers JOIN securities USING (security_id)
     WHERE symbol = $1`,
    [name],
  );
  const near = await connectedTickers(connection, [name, ...own]);
  const tickers = [...new Set([name, ...own, ...near])];
  const places = await selectRows<SecurityHistory['places'][number]>(
    connection,
    `SELECT ticker, ${sqlDay('from_date')} AS "fromDay", ${sqlDay('to_date')} AS "toDay", role,
       symbol
     FROM ticker_places LEFT JOIN securities USING (security_id) WHERE ticker IN ${NAMED}
     ORDER BY from_date NULLS FIRST, ticker`,
    [JSON.stringify(tickers)],
  );
  const stated = (await readFacts(connection, tickers)).filter(isTold);
  const refuted = await findRefuted(connection, stated, tickers);
  const removals = await dateRemovals(connection, stated);
  const facts = stated.map((fact) => {
    const { dated, overruled = null } = removals.get(fact) ?? { dated: fact };
    return { ...dated, overruled: refuted.get(fact) ?? overruled };
  });
  const listings = await readListingChanges(connection, tickers);
  return {
    places,
    listings,
    doubts: (await readDoubts(connection, tickers)).map(doubtText),
    facts: facts.sort((a, b) => (a.day ?? -Infinity) - (b.day ?? -Infinity)),
  };
}

/** Returns false for what only some orders of loading need, and `listings` have. */
function isTold({ kind, source }: TickerFact): boolean {
  return kind !== 'listed' || source !== 'directory';
}

/** Returns joins without effect, and what contradicts them. */
async function findRefuted(
  connection: DuckDBConnection,
  stated: readonly TickerFact[],
  tickers: readonly string[],
): Promise<Map<TickerFact, 'prices' | 'stated'>> {
  if (!stated.some(({ kind }) => kind === 'join')) return new Map();
  const { facts } = await validFacts(connection, stated);
  const { refuted } = await foldStored(connection, { facts, tickers });
  return new Map([...refuted].map(([fact, closes]) => [fact, closes ? 'prices' : 'stated']));
}
