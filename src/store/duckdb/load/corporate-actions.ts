/**
 * Splits and dividends of inputs, as corporate-action records.
 *
 * A record is all that one input says of a symbol between two days, of splits, dividends or both. On
 * each day the best record that covers a type wins as a whole for it (view `corporate_actions`). So a source that dates a split one day
 * off does not double it, and a newer vintage can withdraw one.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { paidType } from '../../../base/bars.ts';
import type { CandleBatch } from '../candles/candle-batch.ts';
import { jsonTable, runOne, selectValue } from '../connection/sql-rows.ts';
import { nameStatedPlaces } from '../securities/place-loads.ts';
import { placeStatements } from '../securities/place-rows.ts';

const EPOCH = "DATE '1970-01-01'";

const RECORD_COLUMNS = {
  statement: 'INTEGER',
  ticker: 'VARCHAR',
  symbol: 'VARCHAR',
  source: 'VARCHAR',
  seq: 'INTEGER',
  coverageFromDay: 'INTEGER',
  coverageToDay: 'INTEGER',
  covers: 'VARCHAR',
};

const ACTION_COLUMNS = {
  statement: 'INTEGER',
  symbol: 'VARCHAR',
  type: 'VARCHAR',
  exDay: 'INTEGER',
  numerator: 'BIGINT',
  denominator: 'BIGINT',
  amount: 'DOUBLE',
  factor: 'DOUBLE',
  currency: 'VARCHAR',
};

/** Stores the statements of a batch and drops those that a better one covers whole. */
export async function loadActions(
  connection: DuckDBConnection,
  { parts }: CandleBatch,
): Promise<void> {
  const statements = parts.flatMap(({ segment: { actions = [], source }, seq }) =>
    actions.map((action) => ({ ...action, source, seq })),
  );
  if (statements.length === 0) return;
  const free = await selectValue<number>(
    connection,
    'SELECT (coalesce(max(statement_id), 0) + 1)::INTEGER FROM action_coverage',
  );
  const records = statements.map((action, statement) => {
    const { symbol, splits, dividends, ...rest } = action;
    return { statement, ticker: symbol, symbol, ...rest };
  });
  await runOne(
    connection,
    `INSERT INTO action_coverage
     SELECT ${free} + statement, symbol, source, ${EPOCH} + "coverageFromDay",
       ${EPOCH} + "coverageToDay", seq, ticker, covers
     FROM ${jsonTable(RECORD_COLUMNS)}`,
    [JSON.stringify(records)],
  );
  const rows = statements.flatMap(({ symbol, splits, dividends }, statement) => {
    const place = { statement, symbol };
    return [
      ...splits.map((split) => ({ ...place, type: 'split', ...split })),
      ...dividends.map((dividend) => ({ ...place, type: paidType(dividend), ...dividend })),
    ];
  });
  await runOne(
    connection,
    `INSERT INTO stated_actions
     SELECT ${free} + statement, symbol, type, ${EPOCH} + "exDay", numerator, denominator, amount,
       factor, currency, amount
     FROM ${jsonTable(ACTION_COLUMNS)}`,
    [JSON.stringify(rows)],
  );
  const stated = statements.map((action) => ({
    ...{ segment: action.seq, source: action.source, ticker: action.symbol },
    ...{ firstDay: action.coverageFromDay, lastDay: action.coverageToDay },
  }));
  const { dated } = await nameStatedPlaces(connection, stated);
  if (dated.size > 0) await placeStatements(connection, free);
  await connection.run(`
    DELETE FROM action_coverage WHERE (statement_id, symbol, from_date) IN (
      SELECT (c.statement_id, c.symbol, c.from_date)
      FROM ranked_coverage c SEMI JOIN loading_symbols USING (symbol)
      JOIN ranked_coverage o ON o.symbol = c.symbol AND o.ticker = c.ticker AND o.rank < c.rank
        AND o.from_date <= c.from_date AND o.to_date >= c.to_date
        AND (o.covers IS NULL OR o.covers IS NOT DISTINCT FROM c.covers))`);
  await connection.run(`
    DELETE FROM stated_actions
    WHERE symbol IN (FROM loading_symbols)
      AND statement_id NOT IN (SELECT statement_id FROM action_coverage)`);
}
