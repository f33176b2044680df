/** Assigns corporate-action records to their present securities. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, selectRows } from '../connection/sql-rows.ts';
import { type Histories, knownHolder } from './securities.ts';
import type { StatedTicker } from './ticker-history.ts';

const DAY_OF = (date: string) => `(${date} - DATE '1970-01-01')::INTEGER`;

/**
 * Assigns all corporate-action records of some tickers. A record whose ticker no security has any
 * more keeps the ticker as its symbol: it makes no security, and belongs to the next one with it.
 *
 * @param symbols By security.
 */
export async function placeStatements(
  connection: DuckDBConnection,
  histories: Histories,
  tickers: readonly string[],
  symbols: ReadonlyMap<number, string>,
): Promise<void> {
  const statements = await selectRows<StatedTicker & { statementId: number }>(
    connection,
    `SELECT statement_id AS "statementId", ticker, ${DAY_OF('from_date')} AS "firstDay",
       ${DAY_OF('to_date')} AS "lastDay"
     FROM action_coverage WHERE ticker IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(tickers)],
  );
  const rows = statements.map((statement) => {
    const holder = knownHolder(histories, statement);
    const held = holder === undefined ? undefined : symbols.get(holder);
    return { statementId: statement.statementId, newSymbol: held ?? statement.ticker };
  });
  for (const table of ['action_coverage', 'stated_actions']) {
    await connection.run(
      `UPDATE ${table} SET symbol = p."newSymbol"
       FROM ${jsonTable({ statementId: 'INTEGER', newSymbol: 'VARCHAR' })} p
       WHERE ${table}.statement_id = p."statementId"`,
      [JSON.stringify(rows)],
    );
  }
}
