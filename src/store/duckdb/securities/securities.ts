/**
 * Securities: an id that never changes, the tickers it has had, the symbol it has. All other tables
 * carry the symbol, and their rows move with it in the same transaction.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import {
  jsonTable,
  selectColumn,
  selectRows,
  selectValue,
  sqlDay,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import { moveRows } from './move-rows.ts';
import {
  holderOf,
  newestSpan,
  type StatedTicker,
  symbolsOf,
  type TickerSpan,
} from './ticker-history.ts';

/** Tables with a row's symbol as its security; `rowDatasets` has those of datasets. */
const SYMBOL_TABLES = ['series', 'winners', 'action_coverage', 'stated_actions'] as const;

const EPOCH = "DATE '1970-01-01'";

/** The planned histories of the securities that some tickers concern. */
export interface Histories {
  /** Whole histories of these, and of all that share a ticker with one of them. */
  spans: TickerSpan[];
  stored: ReadonlyMap<number, string>;
  firstFreeId: number;
}

/** Returns the tickers that a command has dated; any other means its present security. */
export async function datedTickers(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    `SELECT DISTINCT ticker FROM security_tickers
     WHERE (from_date IS NOT NULL OR to_date IS NOT NULL)
       AND ticker IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(tickers)],
  );
  return new Set(found);
}

/** Returns the tickers that no security has any more. */
export async function leftTickers(connection: DuckDBConnection): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    'SELECT ticker FROM security_tickers GROUP BY ticker HAVING bool_and(to_date IS NOT NULL)',
  );
  return new Set(found);
}

/** Reads histories. @param tickers Present or former tickers, and symbols. */
export async function readHistories(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<Histories> {
  const values = [JSON.stringify(tickers)];
  const named = `(SELECT unnest(from_json($1, '["VARCHAR"]')))`;
  const concerned = `(SELECT security_id FROM security_tickers WHERE ticker IN ${named}
    UNION SELECT security_id FROM securities WHERE symbol IN ${named})`;
  const symbols = await selectRows<{ securityId: number; symbol: string }>(
    connection,
    `SELECT security_id AS "securityId", symbol FROM securities WHERE security_id IN ${concerned}`,
    values,
  );
  const spans = await selectRows<TickerSpan>(
    connection,
    `SELECT security_id AS "securityId", ticker, ${sqlDay('from_date')} AS "fromDay",
       ${sqlDay('to_date')} AS "toDay"
     FROM security_tickers WHERE security_id IN (
       SELECT security_id FROM security_tickers WHERE ticker IN (
         SELECT ticker FROM security_tickers WHERE security_id IN ${concerned}))
     ORDER BY ALL`,
    values,
  );
  const firstFreeId = await selectValue<number>(
    connection,
    'SELECT (coalesce(max(security_id), 0) + 1)::INTEGER FROM securities',
  );
  const stored = new Map(symbols.map(({ securityId, symbol }) => [securityId, symbol]));
  return { spans, stored, firstFreeId };
}

/** Returns the security that an input means; adds a new one to the histories. */
export function holderIn(histories: Histories, stated: StatedTicker): number {
  const known = holderOf(histories.spans, stated);
  if (known !== undefined) return known;
  const { ticker } = stated;
  const securityId = histories.spans.reduce(
    (free, span) => Math.max(free, span.securityId + 1),
    histories.firstFreeId,
  );
  histories.spans.push({ securityId, ticker, fromDay: null, toDay: null });
  return securityId;
}

/**
 * Stores histories, gives their securities the symbols that follow, and moves all rows of a symbol
 * that changes.
 *
 * @returns symbols by security.
 */
export async function writeHistories(
  connection: DuckDBConnection,
  { spans, stored, firstFreeId }: Histories,
  nowMs: number,
): Promise<Map<number, string>> {
  const symbols = symbolsOf(spans);
  const isOurs = (id: number) => stored.has(id) || id >= firstFreeId;
  const ours = spans.filter(({ securityId }) => isOurs(securityId));
  const securities = [...Map.groupBy(ours, ({ securityId }) => securityId)].map(
    ([securityId, history]) => {
      const symbol = symbols.get(securityId)!;
      return { securityId, symbol, delistedDay: newestSpan(history).toDay };
    },
  );
  const moves = securities
    .map(({ securityId, symbol }) => ({ from: stored.get(securityId) ?? symbol, to: symbol }))
    .filter(({ from, to }) => from !== to);
  for (const table of ['securities', 'security_tickers']) {
    await connection.run(
      `DELETE FROM ${table}
       WHERE security_id IN (SELECT unnest(from_json($1, '["INTEGER"]')))`,
      [JSON.stringify([...stored.keys()])],
    );
  }
  await connection.run(
    `INSERT INTO securities SELECT "securityId", symbol, ${EPOCH} + "delistedDay"
     FROM ${jsonTable({ securityId: 'INTEGER', symbol: 'VARCHAR', delistedDay: 'INTEGER' })}`,
    [JSON.stringify(securities)],
  );
  await connection.run(
    `INSERT INTO security_tickers
     SELECT "securityId", ticker, ${EPOCH} + "fromDay", ${EPOCH} + "toDay"
     FROM ${jsonTable({
       securityId: 'INTEGER',
       ticker: 'VARCHAR',
       fromDay: 'INTEGER',
       toDay: 'INTEGER',
     })}`,
    [JSON.stringify(ours)],
  );
  await moveSymbols(connection, moves);
  await connection.run(
    `INSERT INTO symbols (symbol, first_seen) SELECT symbol, ${sqlTimestamp(nowMs * 1000)}
     FROM ${jsonTable({ symbol: 'VARCHAR' })} ANTI JOIN symbols USING (symbol)`,
    [JSON.stringify(securities.map(({ symbol }) => ({ symbol })))],
  );
  return symbols;
}

/** Renames all at once, since one symbol may take the place that another leaves. */
async function moveSymbols(
  connection: DuckDBConnection,
  moves: readonly { from: string; to: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE symbol_moves AS
     SELECT "from", "to" FROM ${jsonTable({ from: 'VARCHAR', to: 'VARCHAR' })}`,
    [JSON.stringify(moves)],
  );
  for (const table of SYMBOL_TABLES) {
    await connection.run(
      `UPDATE ${table} SET symbol = m."to" FROM symbol_moves m WHERE ${table}.symbol = m."from"`,
    );
  }
  await moveRows(connection, moves);
  await moveFacts(connection);
}

/** Moves facts; existing facts of the new symbol are newer, and the moved ones fill their gaps. */
async function moveFacts(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE moving_facts AS
    SELECT s.* REPLACE (coalesce(m."to", s.symbol) AS symbol), m."to" IS NOT NULL AS is_moved
    FROM symbols s LEFT JOIN symbol_moves m ON m."from" = s.symbol
    WHERE m."to" IS NOT NULL OR s.symbol IN (SELECT "to" FROM symbol_moves)`);
  await connection.run(
    `DELETE FROM symbols
     WHERE symbol IN (SELECT unnest(["from", "to"]) FROM symbol_moves)`,
  );
  const facts = ['company_name', 'type', 'cik', 'country', 'sector', 'industry', 'source', 'as_of'];
  await connection.run(`
    INSERT INTO symbols BY NAME
    SELECT symbol, listing.exchange, listing.venue, * EXCLUDE (symbol, listing) FROM (
      SELECT symbol, min(first_seen) AS first_seen,
        any_value(CASE WHEN exchange IS NOT NULL OR venue IS NOT NULL
          THEN {exchange: exchange, venue: venue} END ORDER BY is_moved) AS listing,
        ${facts.map((fact) => `any_value(${fact} ORDER BY is_moved) AS ${fact}`).join(', ')}
      FROM moving_facts GROUP BY symbol)`);
}

/** Adds a security for each symbol of `loading_symbols` that no security has or had. */
export async function nameSecurities(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    INSERT INTO securities
    SELECT (SELECT coalesce(max(security_id), 0) FROM securities)
      + row_number() OVER (ORDER BY symbol), symbol, NULL
    FROM (SELECT DISTINCT symbol FROM loading_symbols)
    ANTI JOIN securities USING (symbol)
    ANTI JOIN security_tickers t ON t.ticker = symbol`);
  await connection.run(`
    INSERT INTO security_tickers
    SELECT security_id, symbol, NULL, NULL FROM securities ANTI JOIN security_tickers USING (security_id)`);
}
