/** Dated facts about tickers in the store, and the places that follow from them. */

import type { DuckDBConnection } from '@duckdb/node-api';
import {
  jsonTable,
  NAMED,
  runOne,
  selectColumn,
  selectRows,
  sqlDay,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import type { Place, TickerFact } from './facts/ticker-facts.ts';

/** Hours from midnight in London to midnight in New York. Directories are made at all hours. */
export const NEW_YORK_HOURS = 5;

/** Day in New York of a moment, as SQL. */
export const directoryDay = (moment: string) =>
  `(${moment} - INTERVAL ${NEW_YORK_HOURS} HOUR)::DATE`;

const EPOCH = "DATE '1970-01-01'";

const FACT_COLUMNS = {
  kind: 'VARCHAR',
  ticker: 'VARCHAR',
  day: 'INTEGER',
  endDay: 'INTEGER',
  other: 'VARCHAR',
  otherDay: 'INTEGER',
  source: 'VARCHAR',
  reason: 'VARCHAR',
};

const FACT = `kind, ticker, ${sqlDay('on_date')} AS day, ${sqlDay('end_date')} AS "endDay",
  other, ${sqlDay('other_date')} AS "otherDay", source, reason`;

/** Returns all tickers that facts connect with some, these included; none without facts. */
export async function connectedTickers(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<string[]> {
  return selectColumn<string>(
    connection,
    `WITH RECURSIVE pairs AS (
       SELECT ticker AS a, coalesce(other, ticker) AS b FROM ticker_facts
       UNION SELECT coalesce(other, ticker), ticker FROM ticker_facts),
     near AS (
       SELECT a AS ticker FROM pairs WHERE a IN ${NAMED}
       UNION SELECT b FROM near JOIN pairs ON a = near.ticker)
     FROM near ORDER BY ticker`,
    [JSON.stringify(tickers)],
  );
}

/** Returns the facts about some tickers. */
export async function readFacts(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<TickerFact[]> {
  return selectRows(
    connection,
    `SELECT ${FACT} FROM ticker_facts WHERE ticker IN ${NAMED}
     UNION SELECT ${FACT} FROM ticker_facts WHERE other IN ${NAMED} ORDER BY ALL`,
    [JSON.stringify(tickers)],
  );
}

export function readAllFacts(connection: DuckDBConnection): Promise<TickerFact[]> {
  return selectRows(connection, `SELECT DISTINCT ${FACT} FROM ticker_facts ORDER BY ALL`);
}

export async function addFacts(
  connection: DuckDBConnection,
  facts: readonly TickerFact[],
  nowMs: number,
): Promise<void> {
  await runOne(
    connection,
    `INSERT INTO ticker_facts
     SELECT kind, ticker, ${EPOCH} + day, ${EPOCH} + "endDay", other, ${EPOCH} + "otherDay", source,
       ${sqlTimestamp(nowMs * 1000)}, false, reason
     FROM ${jsonTable(FACT_COLUMNS)}`,
    [JSON.stringify(facts)],
  );
}

export async function removeFacts(
  connection: DuckDBConnection,
  facts: readonly TickerFact[],
): Promise<void> {
  const same = ['kind', 'ticker', 'other', 'source']
    .map((name) => `ticker_facts.${name} IS NOT DISTINCT FROM f.${name}`)
    .join(' AND ');
  await runOne(
    connection,
    `DELETE FROM ticker_facts USING ${jsonTable(FACT_COLUMNS)} f
     WHERE ${same} AND ticker_facts.on_date IS NOT DISTINCT FROM ${EPOCH} + f.day
       AND ticker_facts.end_date IS NOT DISTINCT FROM ${EPOCH} + f."endDay"
       AND ticker_facts.other_date IS NOT DISTINCT FROM ${EPOCH} + f."otherDay"`,
    [JSON.stringify(facts)],
  );
}

/** A place with its security, whose id is null where no rows make one. */
export interface StoredPlace extends Omit<Place, 'owner'> {
  securityId: number | null;
}

export const PLACE_COLUMNS = {
  ticker: 'VARCHAR',
  fromDay: 'INTEGER',
  toDay: 'INTEGER',
  role: 'VARCHAR',
  securityId: 'INTEGER',
};

/** Replaces the places of tickers. */
export async function writePlaces(
  connection: DuckDBConnection,
  tickers: readonly string[],
  places: readonly StoredPlace[],
): Promise<void> {
  await connection.run(`DELETE FROM ticker_places WHERE ticker IN ${NAMED}`, [
    JSON.stringify(tickers),
  ]);
  await runOne(
    connection,
    `INSERT INTO ticker_places
     SELECT ticker, ${EPOCH} + "fromDay", ${EPOCH} + "toDay", "securityId", role
     FROM ${jsonTable(PLACE_COLUMNS)}`,
    [JSON.stringify(places)],
  );
}

export interface Security {
  securityId: number;
  symbol: string;
}

/** A stored security with one of its tickers. */
export interface KnownSecurity extends Security {
  ticker: string;
  fromDay: number | null;
  /** Day of what a directory says of it; null without one. */
  factsDay: number | null;
}

/** Returns the securities that have or had some tickers, with each of these, oldest first. */
export async function readSecurities(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<KnownSecurity[]> {
  return selectRows(
    connection,
    `SELECT security_id AS "securityId", symbol, ticker, ${sqlDay('from_date')} AS "fromDay",
       ${sqlDay(directoryDay('s.as_of'))} AS "factsDay"
     FROM security_tickers JOIN securities USING (security_id) LEFT JOIN symbols s USING (symbol)
     WHERE ticker IN ${NAMED} ORDER BY from_date NULLS FIRST, security_id`,
    [JSON.stringify(tickers)],
  );
}
