/** Dividends that a company's statements declare, and that a complete list of actions lacks. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { selectRows } from '../connection/sql-rows.ts';

/** A symbol of a load whose statements contradict its list of dividends. */
export interface MissingDividends {
  symbol: string;
  /** Periods with a declared dividend and no paid one near them. */
  periods: number;
  /** Last day of the newest of them, and what it declares per share. */
  date: string;
  amount: number;
}

/** A dividend is paid within its period, or some weeks after it. */
const PAID_WITHIN_DAYS = 60;

/**
 * Compares symbols that have a list of dividends with their statements, whichever came last.
 *
 * @param symbols Temporary table of symbols: those of new actions, or of new statements.
 */
export function findMissingDividends(
  connection: DuckDBConnection,
  symbols: 'loading_symbols' | 'changed_rows',
): Promise<MissingDividends[]> {
  return selectRows<MissingDividends>(
    connection,
    `WITH declared AS (
       SELECT symbol, date, max(dividends_per_share) AS amount,
         date - (CASE period WHEN 'annual' THEN 366 WHEN 'semiannual' THEN 184 ELSE 92 END) AS since
       FROM statements SEMI JOIN ${symbols} USING (symbol)
       WHERE dividends_per_share > 0 GROUP BY symbol, date, period)
     SELECT symbol, count(DISTINCT date)::DOUBLE AS periods,
       strftime(max(date), '%Y-%m-%d') AS date, arg_max(amount, date) AS amount
     FROM declared d
     WHERE EXISTS (FROM action_coverage c WHERE c.symbol = d.symbol
         AND c.covers IS DISTINCT FROM 'split'
         AND c.from_date <= d.since AND c.to_date >= d.date + ${PAID_WITHIN_DAYS})
       AND NOT EXISTS (FROM corporate_actions a WHERE a.symbol = d.symbol AND a.type = 'dividend'
         AND a.ex_date BETWEEN d.since AND d.date + ${PAID_WITHIN_DAYS})
     GROUP BY symbol ORDER BY symbol`,
  );
}
