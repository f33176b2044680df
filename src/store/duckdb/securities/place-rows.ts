import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { storedDatasets } from '../rows/dataset-table.ts';
import { knownDaySql, settleRows, symbolColumn } from './move-rows.ts';
import type { Histories } from './securities.ts';
import { holderOf, type StatedTicker } from './ticker-history.ts';

/**
 * Assigns all rows of some tickers. Rows of one input and ticker belong to one security, as its
 * bars do; lists of symbols stay as they are.
 */
export async function placeRows(
  connection: DuckDBConnection,
  histories: Histories,
  tickers: readonly string[],
  symbols: ReadonlyMap<number, string>,
): Promise<void> {
  for (const dataset of await storedDatasets(connection)) {
    if (symbolColumn(dataset).kind !== 'symbol') continue;
    const day = knownDaySql(dataset);
    const inputs = await selectRows<StatedTicker & { seq: number; symbol: string }>(
      connection,
      `SELECT segment_seq AS seq, ticker, symbol, min(${day}) AS "firstDay", max(${day}) AS "lastDay"
       FROM ${dataset.table} WHERE ticker IN (SELECT unnest(from_json($1, '["VARCHAR"]')))
       GROUP BY ALL`,
      [JSON.stringify(tickers)],
    );
    const moved = inputs.flatMap(({ seq, ticker, symbol, ...days }) => {
      const holder = holderOf(histories.spans, { ticker, ...days });
      const held = (holder === undefined ? undefined : symbols.get(holder)) ?? ticker;
      return held === symbol ? [] : [{ seq, ticker, held }];
    });
    if (moved.length === 0) continue;
    await connection.run(
      `UPDATE ${dataset.table} SET symbol = p.held
       FROM ${jsonTable({ seq: 'INTEGER', ticker: 'VARCHAR', held: 'VARCHAR' })} p
       WHERE ${dataset.table}.segment_seq = p.seq AND ${dataset.table}.ticker = p.ticker`,
      [JSON.stringify(moved)],
    );
    await settleRows(
      connection,
      dataset,
      moved.map(({ held }) => held),
    );
  }
}

/**
 * Assigns all corporate-action records of some tickers. A record whose ticker no security has any
 * more keeps it as its symbol, and belongs to the next security with it.
 */
export async function placeStatements(
  connection: DuckDBConnection,
  histories: Histories,
  tickers: readonly string[],
  symbols: ReadonlyMap<number, string>,
): Promise<void> {
  const statements = await selectRows<StatedTicker & { statementId: number }>(
    connection,
    `SELECT statement_id AS "statementId", ticker, ${sqlDay('from_date')} AS "firstDay",
       ${sqlDay('to_date')} AS "lastDay"
     FROM action_coverage WHERE ticker IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(tickers)],
  );
  const rows = statements.map((statement) => {
    const holder = holderOf(histories.spans, statement);
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
