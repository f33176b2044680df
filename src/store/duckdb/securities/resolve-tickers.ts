import type { DuckDBConnection } from '@duckdb/node-api';
import {
  exists,
  listTable,
  NAMED,
  runOne,
  selectColumn,
  selectRows,
  sqlDay,
} from '../connection/sql-rows.ts';
import { type Place, STATED } from './facts/ticker-facts.ts';

const FACTS = 'FROM ticker_facts';

/** Returns those of some tickers that facts concern. Any other means one security on all days. */
export async function datedTickers(
  connection: DuckDBConnection,
  tickers: Iterable<string>,
): Promise<Set<string>> {
  if (!(await exists(connection, FACTS))) return new Set();
  const found = await selectColumn<string>(
    connection,
    `SELECT ticker FROM ticker_facts WHERE ticker IN ${NAMED}
     UNION SELECT other FROM ticker_facts WHERE other IN ${NAMED} AND kind NOT IN ('delist', 'spinoff')`,
    [JSON.stringify([...new Set(tickers)])],
  );
  return new Set(found);
}

/** A stored place with the symbol of its security; the ticker where none is known. */
export interface NamedPlace extends Omit<Place, 'owner'> {
  symbol: string;
  /**
   * True if rows on its days change no place: its security is listed, and has the ticker still.
   * Prices may contradict a join, and the delisting of a filing or list. Bars of a ticker that is
   * given and left on one day say whether it only stood between two others.
   */
  isSettled: boolean;
  /** True if rows or a directory made a security of it. */
  isKnown: boolean;
}

/** Returns the places of tickers, by ticker and in order of time. */
export async function readPlaces(
  connection: DuckDBConnection,
  tickers: Iterable<string>,
): Promise<Map<string, NamedPlace[]>> {
  const rows = await selectRows<NamedPlace>(
    connection,
    `SELECT ticker, ${sqlDay('from_date')} AS "fromDay", ${sqlDay('to_date')} AS "toDay", role,
       coalesce(s.symbol, ticker) AS symbol,
       security_id IS NOT NULL AS "isKnown",
       role IN ('held', 'free') AND to_date IS NULL AND l.symbol IS NOT NULL
         AND ticker NOT IN (SELECT unnest([ticker, other]) FROM ticker_facts
           WHERE kind = 'join' OR (kind = 'delist' AND source <> '${STATED}'))
         AND ticker NOT IN (SELECT given.other FROM ticker_facts given JOIN ticker_facts left_it
           ON left_it.ticker = given.other AND left_it.on_date = given.on_date
           WHERE given.kind = 'rename' AND left_it.kind = 'rename')
         AS "isSettled"
     FROM ticker_places LEFT JOIN securities s USING (security_id)
     LEFT JOIN symbols l ON l.symbol = s.symbol
     WHERE ticker IN ${NAMED} ORDER BY ticker, from_date NULLS FIRST`,
    [JSON.stringify([...new Set(tickers)])],
  );
  return Map.groupBy(rows, ({ ticker }) => ticker);
}

/**
 * Creates `loading_symbols`: tickers of a load, and the symbols of all securities that have or had
 * one of them.
 */
export async function nameLoadingSymbols(
  connection: DuckDBConnection,
  tickers: Iterable<string>,
): Promise<void> {
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE loading_symbols AS
     SELECT symbol FROM ${listTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify([...new Set(tickers)])],
  );
  // Without facts each ticker is the symbol of its security.
  if (!(await exists(connection, FACTS))) return;
  await connection.run(`
    INSERT INTO loading_symbols
    SELECT DISTINCT s.symbol FROM securities s JOIN security_tickers t USING (security_id)
    SEMI JOIN loading_symbols l ON l.symbol = t.ticker
    ANTI JOIN loading_symbols n ON n.symbol = s.symbol`);
}

/** Adds symbols to `loading_symbols` that it lacks. */
export async function addLoadingSymbols(
  connection: DuckDBConnection,
  symbols: Iterable<string>,
): Promise<void> {
  await runOne(
    connection,
    `INSERT INTO loading_symbols SELECT symbol FROM ${listTable({ symbol: 'VARCHAR' })}
     ANTI JOIN loading_symbols USING (symbol)`,
    [JSON.stringify([...new Set(symbols)])],
  );
}
