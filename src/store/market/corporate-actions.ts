/**
 * Splits and dividends: what each input stated, and which of it is believed.
 *
 * A statement is all that one input says of a symbol between two days. On each day the best
 * statement that covers it is believed whole (view `corporate_actions`): best by source, then
 * as-of, then segment. So a source that dates a split one day off does not double it, and a newer
 * vintage can take one back.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleSegment, SymbolActions } from './candle-segment.ts';
import { jsonTable, selectRow } from './sql-rows.ts';

const EPOCH = "DATE '1970-01-01'";

/** Stores the segment's statements and drops those that a better one covers whole. */
export async function loadActions(
  connection: DuckDBConnection,
  segment: CandleSegment,
  segmentSeq: number,
): Promise<void> {
  if (!segment.actions?.length) return;
  const { free } = await selectRow<{ free: number }>(
    connection,
    'SELECT (coalesce(max(statement_id), 0) + 1)::INTEGER AS free FROM action_coverage',
  );
  await insertStatements(connection, segment, segmentSeq, free);
  await connection.run(
    `INSERT INTO stated_actions
     SELECT ${free} + statement, symbol, type, ${EPOCH} + "exDay", numerator, denominator, amount
     FROM ${jsonTable({
       statement: 'INTEGER',
       symbol: 'VARCHAR',
       type: 'VARCHAR',
       exDay: 'INTEGER',
       numerator: 'BIGINT',
       denominator: 'BIGINT',
       amount: 'DOUBLE',
     })}`,
    [JSON.stringify(segment.actions.flatMap(actionRows))],
  );
  await connection.run(`
    DELETE FROM action_coverage WHERE statement_id IN (
      SELECT c.statement_id FROM ranked_coverage c SEMI JOIN loading_symbols USING (symbol)
      JOIN ranked_coverage o ON o.symbol = c.symbol AND o.rank < c.rank
        AND o.from_date <= c.from_date AND o.to_date >= c.to_date)`);
  await connection.run(`
    DELETE FROM stated_actions
    WHERE symbol IN (FROM loading_symbols)
      AND statement_id NOT IN (SELECT statement_id FROM action_coverage)`);
}

async function insertStatements(
  connection: DuckDBConnection,
  segment: CandleSegment,
  segmentSeq: number,
  free: number,
): Promise<void> {
  const rows = segment.actions!.map(({ symbol, coverageFromDay, coverageToDay }, statement) => ({
    statement,
    symbol,
    coverageFromDay,
    coverageToDay,
  }));
  await connection.run(
    `INSERT INTO action_coverage
     SELECT ${free} + statement, symbol, $2, ${EPOCH} + "coverageFromDay",
       ${EPOCH} + "coverageToDay", ${segmentSeq}
     FROM ${jsonTable({
       statement: 'INTEGER',
       symbol: 'VARCHAR',
       coverageFromDay: 'INTEGER',
       coverageToDay: 'INTEGER',
     })}`,
    [JSON.stringify(rows), segment.source],
  );
}

function actionRows({ symbol, splits, dividends }: SymbolActions, statement: number): object[] {
  return [
    ...splits.map((split) => ({ statement, symbol, type: 'split', ...split })),
    ...dividends.map((dividend) => ({ statement, symbol, type: 'dividend', ...dividend })),
  ];
}
