/** States dated facts about tickers, and takes them back, each in one transaction. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError, UnknownSymbolError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { nextIds, writeCommand } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { deleteOrphanRows } from '../connection/orphan-rows.ts';
import { inTransaction, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { reasonOf } from '../holds/series-hold.ts';
import { holdsForSplits } from '../holds/split-contradictions.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { dateRemovals } from './dated-removals.ts';
import { requireNoContradiction } from './facts/contradicting-facts.ts';
import { isWithin, STATED, type TickerFact } from './facts/ticker-facts.ts';
import { loadingIntervals, recordMoves } from './moved-series.ts';
import { factOf, lastTicker, type NamedFact } from './named-facts.ts';
import { requireTrueJoin } from './require-true-join.ts';
import { partAgain } from './reused-tickers.ts';
import { settleTickers } from './settle-tickers.ts';
import {
  addFacts,
  connectedTickers,
  readAllFacts,
  readFacts,
  removeFacts,
} from './stored-facts.ts';

export interface SecurityChange {
  /** False if nothing had to change. */
  changed: boolean;
  /** Null: nothing is loaded of it. */
  securityId: number | null;
  symbol: string;
  /** Known splits that the prices of its symbols contradict. */
  warnings?: string[];
}

export interface Statement {
  fact: NamedFact;
  /** True to take the fact back. */
  isUndone?: boolean;
  nowMs: number;
}

/**
 * States a fact, or takes it back, and assigns all rows that it concerns.
 *
 * @throws {TapeworksError} another fact contradicts it, or there is none to take back.
 */
export async function stateFact(
  { connection }: MarketDb,
  { fact: named, isUndone = false, nowMs }: Statement,
): Promise<SecurityChange> {
  await deleteOrphanRows(connection);
  return inTransaction(connection, async () => {
    const fact = await factOf(connection, named, true);
    const tickers = tickersOf(fact);
    const concerned = await connectedTickers(connection, tickers);
    const facts = (await readFacts(connection, concerned)).filter(isStated);
    const same = facts.find((one) => isSame(one, fact));
    if (Boolean(same) !== isUndone) {
      if (isUndone) throw new TapeworksError(`Nobody stated: ${factText(fact)}`);
      return { changed: false, ...(await securityAfter(connection, fact)) };
    }
    if (same) {
      await removeFacts(connection, [same]);
      await partAgain(connection, { tickers }, nowMs);
    } else {
      const added = await factOf(connection, named);
      requireNoContradiction(facts, added);
      if (added.kind === 'join') await requireTrueJoin(connection, facts, added);
      await addFacts(connection, [added], nowMs);
    }
    const what = `${isUndone ? 'not ' : ''}${factText(fact)}`;
    const warnings = await settle(connection, [...tickers, ...concerned], { what, nowMs });
    return { changed: true, ...(await securityAfter(connection, fact)), warnings };
  });
}

const ALL_OF_FILES: Parameters<typeof holdsForSplits>[1] = {
  ...{ source: 'files', interval: '1d', actions: [] },
};

/**
 * Assigns all rows of tickers anew, and notes the command.
 *
 * @returns warnings of known splits that the prices contradict now. No load is there to be held, and
 *   the facts may be right where the bars are not.
 */
export async function settle(
  connection: DuckDBConnection,
  tickers: readonly string[],
  { what, nowMs }: { what: string; nowMs: number },
): Promise<string[]> {
  const { seq } = await nextIds(connection);
  await connection.run('CREATE OR REPLACE TEMP TABLE loading_symbols (symbol VARCHAR)');
  await connection.run(NEW_TOUCHED);
  await settleTickers(connection, tickers, nowMs);
  for (const interval of await loadingIntervals(connection)) {
    await recomputeWinners(connection, interval);
  }
  await recordMoves(connection, seq);
  await writeCommand(connection, { seq, dataset: 'securities', what, nowMs });
  return (await holdsForSplits(connection, ALL_OF_FILES, undefined)).map(reasonOf);
}

export interface StatedFacts {
  stated: number;
  refused: string[];
  warnings: string[];
}

/**
 * States many facts and assigns all rows once.
 *
 * @returns how many are new, why others are refused: they contradict the rest, and warnings.
 */
export async function stateFacts(
  { connection }: MarketDb,
  named: readonly NamedFact[],
  nowMs: number,
): Promise<StatedFacts> {
  await deleteOrphanRows(connection);
  return inTransaction(connection, async () => {
    const known = (await readAllFacts(connection)).filter(isStated);
    const fresh: TickerFact[] = [];
    const refused: string[] = [];
    const byTicker = new Map<string, TickerFact[]>();
    const add = (fact: TickerFact) => {
      for (const one of new Set([fact.ticker, fact.other])) {
        if (one !== null) byTicker.set(one, [...(byTicker.get(one) ?? []), fact]);
      }
    };
    known.forEach(add);
    /** Returns why a fact is refused. */
    const tryOne = async (one: NamedFact): Promise<string | undefined> => {
      try {
        const stated = await factOf(connection, one, true);
        const near = connectedFacts(byTicker, tickersOf(stated));
        if (near.some((other) => isSame(other, stated))) return undefined;
        const fact = await factOf(connection, one);
        requireNoContradiction(near, fact);
        if (fact.kind === 'join') await requireTrueJoin(connection, near, fact);
        fresh.push(fact);
        add(fact);
        return undefined;
      } catch (error) {
        if (!(error instanceof TapeworksError)) throw error;
        return error.message;
      }
    };
    const again: NamedFact[] = [];
    for (const one of named) if ((await tryOne(one)) !== undefined) again.push(one);
    // A later fact may say who took the ticker between two others.
    for (const one of again) {
      const reason = await tryOne(one);
      if (reason !== undefined) refused.push(reason);
    }
    if (fresh.length === 0) return { stated: 0, refused, warnings: [] };
    await addFacts(connection, fresh, nowMs);
    const what = `${fresh.length} facts`;
    const warnings = await settle(connection, fresh.flatMap(tickersOf), { what, nowMs });
    return { stated: fresh.length, refused, warnings };
  });
}

function isStated({ source }: TickerFact): boolean {
  return source === STATED;
}

function tickersOf({ ticker, other }: TickerFact): string[] {
  return other === null ? [ticker] : [ticker, other];
}

/** Returns the facts about tickers that others connect with some. */
function connectedFacts(
  byTicker: ReadonlyMap<string, readonly TickerFact[]>,
  tickers: readonly string[],
): TickerFact[] {
  const seen = new Set(tickers);
  const facts = new Set<TickerFact>();
  for (const ticker of seen) {
    for (const fact of byTicker.get(ticker) ?? []) {
      facts.add(fact);
      for (const one of tickersOf(fact)) seen.add(one);
    }
  }
  return [...facts];
}

/** States the facts of another store, as a rebuild does. */
export async function restateFacts(
  { connection }: MarketDb,
  facts: readonly TickerFact[],
  nowMs: number,
): Promise<void> {
  if (facts.length === 0) return;
  await inTransaction(connection, async () => {
    await addFacts(connection, facts, nowMs);
    await settle(connection, facts.flatMap(tickersOf), { what: `${facts.length} facts`, nowMs });
  });
}

/** Returns true for the same statement. Days of securities that it names change with others. */
function isSame(a: TickerFact, b: TickerFact): boolean {
  const days = a.kind === 'join' ? [] : (['day', 'endDay'] as const);
  return (['kind', 'ticker', 'other', ...days] as const).every((name) => a[name] === b[name]);
}

/** Returns a fact as it is typed in a command. */
export function factText({ kind, ticker, day, endDay, other }: TickerFact): string {
  const dates = [day, endDay].flatMap((one) => (one === null ? [] : [dateFromDay(one)]));
  return [kind, ticker, ...(other === null ? [] : [other]), ...dates].join(' ');
}

/** Returns the security that a fact says something about. */
async function securityAfter(
  connection: DuckDBConnection,
  { kind, ticker, day, other }: TickerFact,
): Promise<Omit<SecurityChange, 'changed'>> {
  const [named, on] = kind === 'rename' ? [other!, day!] : [ticker, day];
  const rows = await selectRows<
    Omit<SecurityChange, 'changed'> & { fromDay: number | null; toDay: number | null }
  >(
    connection,
    `SELECT security_id AS "securityId", coalesce(symbol, ticker) AS symbol,
       ${sqlDay('from_date')} AS "fromDay", ${sqlDay('to_date')} AS "toDay"
     FROM ticker_places LEFT JOIN securities USING (security_id) WHERE ticker = $1
     ORDER BY from_date NULLS FIRST`,
    [named],
  );
  const found =
    (on === null
      ? rows.findLast((row) => row.securityId !== null)
      : rows.find((row) => isWithin(on, row))) ?? rows.at(-1);
  return { securityId: found?.securityId ?? null, symbol: found?.symbol ?? named };
}

/**
 * Takes the delisting of a security back.
 *
 * @throws {UnknownSymbolError} no security has the symbol.
 */
export async function relistSecurity(
  market: MarketDb,
  { symbol, nowMs }: { symbol: string; nowMs: number },
): Promise<SecurityChange> {
  const { ticker, day, securityId } = await lastTicker(market.connection, symbol);
  if (securityId === null) {
    throw new UnknownSymbolError(symbol, `No security has the symbol "${symbol}" in this mode`);
  }
  const facts = await readFacts(market.connection, [ticker]);
  const isDelisted = (one: TickerFact) =>
    one.kind === 'delist' && one.ticker === ticker && one.day === day;
  const stated = facts.find((one) => isStated(one) && isDelisted(one));
  if (stated) {
    const fact: NamedFact = { kind: 'delist', ticker: symbol, day, other: stated.other };
    return stateFact(market, { fact, isUndone: true, nowMs });
  }
  const removals = [...(await dateRemovals(market.connection, facts)).values()];
  if (!removals.some(({ dated, overruled }) => overruled === undefined && isDelisted(dated))) {
    return { changed: false, securityId, symbol };
  }
  // A filing or list stays what it is: a person says against it that the ticker is listed.
  return stateFact(market, { fact: { kind: 'listed', ticker, day }, nowMs });
}
