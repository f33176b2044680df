/** Last trading days that follow from notices of removal, bars and directories. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_TABLES } from '../connection/bar-table.ts';
import { jsonTable, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { isOfRemoval, STATED, type TickerFact } from './facts/ticker-facts.ts';
import { WHOLE_SNAPSHOTS } from './listing-spans.ts';
import { BAR_DAY } from './place-series.ts';
import { directoryDay, readAllFacts } from './stored-facts.ts';

/** Days around a notice on which the last bar may be: a class leaves ten days after the filing. */
const NEAR_DAYS = 12;
/** Days after a notice on which bars or directories contradict it. */
const AFTER_DAYS = 40;
/** Days between a first and a last statement about the same removal, or between two listings of one company. */
const SAME_DAYS = 400;
/** Days after a notice on which a person may say when trading ended. */
const LATE_DAYS = 60;

/**
 * SQL: by delisted security, the reason and the successor of the fact that ended it. A person's word
 * comes before a notice near the last day. `successor` is a present symbol if any security had the
 * ticker.
 */
export const ENDINGS = `
  SELECT security_id, reason, coalesce((
      SELECT symbol FROM security_tickers n JOIN securities USING (security_id)
      WHERE n.ticker = f.other
      ORDER BY coalesce(n.to_date > delisted_on, true) DESC, n.to_date LIMIT 1), other) AS successor
  FROM securities s JOIN security_tickers t USING (security_id) JOIN ticker_facts f USING (ticker)
  WHERE f.kind = 'delist' AND t.to_date = delisted_on
    AND abs(f.on_date - delisted_on) <= ${NEAR_DAYS}
  QUALIFY row_number() OVER (
    PARTITION BY security_id
    ORDER BY f.source <> '${STATED}', abs(f.on_date - delisted_on), reason, other, f.source) = 1`;

/**
 * SQL: by security that was spun off, its `parent`, a present symbol if any security had the ticker.
 * The parent often leaves its ticker to the new one on that day.
 */
export const SPIN_OFFS = `
  SELECT t.security_id, coalesce((
      SELECT symbol FROM security_tickers n JOIN securities USING (security_id)
      WHERE n.ticker = f.other AND n.security_id <> t.security_id
      ORDER BY f.on_date - 1 BETWEEN coalesce(n.from_date, '-infinity')
          AND coalesce(n.to_date, 'infinity') DESC,
        n.to_date DESC NULLS FIRST LIMIT 1), other) AS parent
  FROM ticker_facts f JOIN security_tickers t USING (ticker)
  WHERE f.kind = 'spinoff' AND f.on_date BETWEEN coalesce(t.from_date, '-infinity')
    AND coalesce(t.to_date, 'infinity')
  QUALIFY row_number() OVER (PARTITION BY t.security_id ORDER BY f.on_date, f.other) = 1`;

/** Reasons that end trading. The others need a directory that has the ticker no more. */
const SURE: readonly unknown[] = ['redeemed', 'exchanged', 'extinguished', 'struck'];

/** Reasons why a fact has no effect. */
export type Overruled = 'stated' | 'traded' | 'listed' | 'unconfirmed' | 'earlier';

export interface DatedRemoval {
  /** The fact with the last trading day. */
  dated: TickerFact;
  /** Undefined if the fact has an effect. */
  overruled: Overruled | undefined;
}

interface Days {
  ticker: string;
  day: number;
  /** Last day with a bar near the notice, and the first one after that. */
  last: number | null;
  next: number | null;
}

interface Lists {
  ticker: string;
  day: number;
  /**
   * True if a directory has the ticker after the notice, within the year under the same name, or
   * years later under the same number.
   */
  isListed: boolean;
  /** True if directories had the ticker, and have it no more. */
  isGone: boolean;
}

const REMOVED = `removed AS (
  SELECT DISTINCT ticker, day FROM ${jsonTable({ ticker: 'VARCHAR', day: 'INTEGER' })})`;

const BARS = BAR_TABLES.map(({ bars }) => `SELECT series_id, ts FROM ${bars}`).join(' UNION ALL ');

function readDays(connection: DuckDBConnection, removals: readonly TickerFact[]): Promise<Days[]> {
  return selectRows(
    connection,
    `WITH ${REMOVED},
     days AS (
       SELECT DISTINCT s.ticker, ${BAR_DAY} AS bar_day
       FROM (${BARS}) b JOIN series s USING (series_id)
       WHERE s.ticker IN (SELECT ticker FROM removed))
     SELECT r.ticker, r.day,
       max(bar_day) FILTER (bar_day <= r.day + ${NEAR_DAYS}) AS last,
       min(bar_day) FILTER (bar_day > r.day + ${NEAR_DAYS}) AS next
     FROM removed r LEFT JOIN days d ON d.ticker = r.ticker
       AND bar_day BETWEEN r.day - ${NEAR_DAYS} AND r.day + ${AFTER_DAYS}
     GROUP BY r.ticker, r.day`,
    [JSON.stringify(removals)],
  );
}

function readLists(
  connection: DuckDBConnection,
  removals: readonly TickerFact[],
): Promise<Lists[]> {
  const dayOf = (moment: string) => sqlDay(directoryDay(moment));
  return selectRows(
    connection,
    `WITH ${REMOVED},
     spans AS (
       SELECT ticker, list, cik, company_name,
         ${dayOf('first_at')} AS first_day, ${dayOf('last_at')} AS last_day
       FROM listing_spans),
     listed AS (
       SELECT r.ticker, r.day, first_day, last_day, coalesce(company_name = arg_max(company_name, first_day)
           FILTER (first_day <= r.day) OVER (PARTITION BY r.ticker, r.day), false) AS is_same
       FROM removed r JOIN spans USING (ticker) WHERE list <> 'sec'),
     lists AS (
       SELECT ticker, day, bool_or(first_day <= day) AS was_listed,
         bool_or(last_day > day + ${NEAR_DAYS}
           AND first_day < day + CASE WHEN is_same THEN ${SAME_DAYS} ELSE ${AFTER_DAYS} END) AS is_listed
       FROM listed GROUP BY ALL),
     holders AS (
       SELECT r.ticker, r.day, arg_max(cik, first_day) AS cik
       FROM removed r JOIN spans USING (ticker) WHERE cik IS NOT NULL AND first_day <= r.day
       GROUP BY ALL),
     kept AS (
       SELECT DISTINCT r.ticker, r.day, true AS is_kept
       FROM removed r JOIN spans l USING (ticker)
       JOIN removals m ON m.cik = l.cik AND ${sqlDay('m.on_date')} = r.day
       LEFT JOIN holders h ON h.ticker = r.ticker AND h.day = r.day
       WHERE l.last_day > r.day + ${SAME_DAYS} AND coalesce(h.cik, m.cik) = m.cik),
     later AS (
       SELECT r.ticker, r.day, count(DISTINCT list) > 1 AS are_both
       FROM removed r JOIN ${WHOLE_SNAPSHOTS} s
         ON list <> 'sec' AND ${dayOf('taken_at')} > r.day + ${NEAR_DAYS}
       GROUP BY ALL)
     SELECT ticker, day, coalesce(is_listed OR is_kept, is_kept, false) AS "isListed",
       coalesce(was_listed AND are_both AND NOT is_listed, false) AS "isGone"
     FROM removed LEFT JOIN lists USING (ticker, day) LEFT JOIN later USING (ticker, day)
     LEFT JOIN kept USING (ticker, day)`,
    [JSON.stringify(removals)],
  );
}

/** Returns what directories say of the tickers of notices, as texts to compare. */
export async function listsAfterRemovals(
  connection: DuckDBConnection,
): Promise<Map<string, string>> {
  const removals = (await readAllFacts(connection)).filter(isOfRemoval);
  if (removals.length === 0) return new Map();
  const lists = await readLists(connection, removals);
  return new Map(
    lists.map(({ ticker, day, ...said }) => [`${ticker} ${day}`, JSON.stringify(said)]),
  );
}

/**
 * Dates the delistings of filings and lists among facts: the last trading day is that of the last
 * bar near the notice, else of the notice. Whatever a person stated of the ticker comes first.
 */
export async function dateRemovals(
  connection: DuckDBConnection,
  facts: readonly TickerFact[],
): Promise<Map<TickerFact, DatedRemoval>> {
  const removals = facts.filter(isOfRemoval).sort((a, b) => a.day! - b.day!);
  const found = new Map<TickerFact, DatedRemoval>();
  if (removals.length === 0) return found;
  const days = await readDays(connection, removals);
  const lists = await readLists(connection, removals);
  const stated = facts.filter(({ source }) => source === STATED);
  for (const fact of removals) {
    const { ticker, day } = fact;
    const isOwn = (one: Days | Lists) => one.ticker === ticker && one.day === day;
    const { last, next } = days.find(isOwn)!;
    const own = { next, ...lists.find(isOwn)! };
    const isEarlier = [...found.values()].some(
      ({ dated, overruled }) =>
        dated.ticker === ticker && overruled === undefined && day! - dated.day! < SAME_DAYS,
    );
    const overruled = isEarlier ? 'earlier' : overruledBy(fact, own, stated);
    found.set(fact, { dated: { ...fact, day: last ?? day }, overruled });
  }
  return found;
}

function overruledBy(
  fact: TickerFact,
  { next, isListed, isGone }: Pick<Days, 'next'> & Lists,
  stated: readonly TickerFact[],
): Overruled | undefined {
  if (stated.some((one) => isAbout(one, fact))) return 'stated';
  if (next !== null) return 'traded';
  if (isListed) return 'listed';
  const isSure = fact.source !== 'sec' || SURE.includes(fact.reason);
  return isSure || isGone ? undefined : 'unconfirmed';
}

/** Returns true if a person said what became of a ticker about the time of its removal. */
function isAbout({ kind, ticker, day, endDay }: TickerFact, removal: TickerFact): boolean {
  if (ticker !== removal.ticker || kind === 'join' || kind === 'spinoff') return false;
  const from = (day ?? Number.NEGATIVE_INFINITY) - LATE_DAYS;
  const to = kind === 'assign' ? endDay : day;
  return from <= removal.day! && removal.day! <= (to ?? Number.POSITIVE_INFINITY) + SAME_DAYS;
}
