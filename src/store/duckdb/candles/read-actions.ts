/** Winning splits and dividends, and the days for which they are complete. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dividend, Split } from '../../../base/bars.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import type { ActionCoverage } from '../../../compute/bars/adjust.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectColumn, selectRows } from '../connection/sql-rows.ts';

const EPOCH = "DATE '1970-01-01'";

export interface ActionsOfSymbol {
  splits: Split[];
  dividends: Dividend[];
  coverage: ActionCoverage;
}

interface ActionRow extends Split {
  symbol: string;
  type: string;
  amount: number;
  factor: number | null;
  currency: string | null;
}

/** @param symbols Symbols to read; default: all with a corporate-action record. */
export async function readActions(
  { connection }: MarketDb,
  symbols?: readonly string[],
): Promise<Map<string, ActionsOfSymbol>> {
  const filter =
    symbols && `SEMI JOIN (SELECT unnest(from_json($1, '["VARCHAR"]')) AS symbol) s USING (symbol)`;
  const values = symbols && [JSON.stringify(symbols)];
  const actions = new Map<string, ActionsOfSymbol>();
  for (const [symbol, coverage] of await readCoverage(connection, filter, values)) {
    actions.set(symbol, { splits: [], dividends: [], coverage });
  }
  const rows = await selectRows<ActionRow>(
    connection,
    `SELECT symbol, type, (ex_date - ${EPOCH})::INTEGER AS "exDay",
       numerator::DOUBLE AS numerator, denominator::DOUBLE AS denominator, amount, factor, currency
     FROM corporate_actions ${filter ?? ''} ORDER BY symbol, ex_date, type, amount`,
    values,
  );
  for (const { symbol, type, exDay, numerator, denominator, ...paid } of rows) {
    const { splits, dividends } = actions.get(symbol)!;
    if (type === 'split') splits.push({ exDay, numerator, denominator });
    else dividends.push(dividendFrom(exDay, paid));
  }
  return actions;
}

function dividendFrom(
  exDay: number,
  { amount, factor, currency }: Pick<ActionRow, 'amount' | 'factor' | 'currency'>,
): Dividend {
  return {
    exDay,
    amount,
    ...(currency !== null && { currency }),
    ...(factor !== null && { factor }),
  };
}

/** Returns symbols whose actions a load after `afterSeq` has stated. */
export async function readRestated({ connection }: MarketDb, afterSeq: number): Promise<string[]> {
  return selectColumn<string>(
    connection,
    'SELECT DISTINCT symbol FROM action_coverage WHERE segment_seq > $1',
    [afterSeq],
  );
}

/**
 * Reads by symbol the last unbroken span that its records cover together: an older span before a
 * gap can't adjust anything across it. Days without a session between two records are no gap.
 *
 * @param filter A join that narrows `symbol`.
 */
export async function readCoverage(
  connection: DuckDBConnection,
  filter = '',
  values?: string[],
): Promise<Map<string, ActionCoverage>> {
  const rows = await selectRows<ActionCoverage & { symbol: string }>(
    connection,
    `SELECT symbol, (from_date - ${EPOCH})::INTEGER AS "fromDay",
       (to_date - ${EPOCH})::INTEGER AS "toDay"
     FROM action_coverage ${filter} ORDER BY symbol, from_date`,
    values,
  );
  const spans = new Map<string, ActionCoverage>();
  for (const { symbol, fromDay, toDay } of rows) {
    const span = spans.get(symbol);
    if (span && isNextSession(span.toDay, fromDay)) span.toDay = Math.max(span.toDay, toDay);
    else spans.set(symbol, { fromDay, toDay });
  }
  return spans;
}

/** Longest time without a session, from Monday to Monday in September 2001; with room. */
const CLOSED_DAYS_MAX = 10;

/** Returns true if no session, and so no ex-date, lies between two days. */
function isNextSession(lastDay: number, day: number): boolean {
  if (day <= lastDay + 1) return true;
  return day - lastDay <= CLOSED_DAYS_MAX && sessionsBetween(lastDay + 1, day - 1).length === 0;
}
