/** Winning splits and dividends, and the days for which they are complete. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dividend, Split } from '../../../base/bars.ts';
import type { ActionCoverage, DaySpan } from '../../../base/prices/action-coverage.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import type { ActionType } from '../connection/candle-segment.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectColumn, selectRows } from '../connection/sql-rows.ts';

const EPOCH = "DATE '1970-01-01'";

export interface ActionsOfSymbol {
  splits: Split[];
  dividends: Dividend[];
  /** Undefined where no source knows the splits. */
  coverage: ActionCoverage | undefined;
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
  for (const [symbol, spans] of await readSpans(connection, filter, values)) {
    actions.set(symbol, { splits: [], dividends: [], coverage: coverageOf(spans) });
  }
  if (actions.size === 0) return actions;
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
    else dividends.push(dividendFrom(exDay, type, paid));
  }
  return actions;
}

function dividendFrom(
  exDay: number,
  type: string,
  { amount, factor, currency }: Pick<ActionRow, 'amount' | 'factor' | 'currency'>,
): Dividend {
  return {
    exDay,
    amount,
    ...(currency !== null && { currency }),
    ...(type === 'spin-off' && { isSpinOff: true }),
    ...(factor !== null && { factor }),
  };
}

/** Returns symbols whose actions a load after `afterSeq` has stated. */
export async function readRestated({ connection }: MarketDb, afterSeq: number): Promise<string[]> {
  return selectColumn<string>(
    connection,
    `SELECT DISTINCT symbol FROM action_coverage WHERE segment_seq > ${afterSeq}`,
  );
}

type SpansByType = Partial<Record<ActionType, DaySpan>>;

/**
 * Reads by symbol the dates for which actions are known; symbols without known splits are left out.
 *
 * @param filter A join that narrows `symbol`.
 */
export async function readCoverage(
  connection: DuckDBConnection,
  filter = '',
  values?: string[],
): Promise<Map<string, ActionCoverage>> {
  const covered = new Map<string, ActionCoverage>();
  for (const [symbol, spans] of await readSpans(connection, filter, values)) {
    const coverage = coverageOf(spans);
    if (coverage) covered.set(symbol, coverage);
  }
  return covered;
}

function coverageOf({ split, dividend }: SpansByType): ActionCoverage | undefined {
  if (!split) return undefined;
  const isSame = dividend?.fromDay === split.fromDay && dividend.toDay === split.toDay;
  return isSame ? split : { ...split, dividends: dividend ?? null };
}

/**
 * Reads by symbol and type the last unbroken span that its records cover together: an older span
 * before a gap can't adjust anything across it. Days without a session between two records are no
 * gap.
 */
async function readSpans(
  connection: DuckDBConnection,
  filter = '',
  values?: string[],
): Promise<Map<string, SpansByType>> {
  const rows = await selectRows<DaySpan & { symbol: string; covers: ActionType | null }>(
    connection,
    `SELECT symbol, covers, (from_date - ${EPOCH})::INTEGER AS "fromDay",
       (to_date - ${EPOCH})::INTEGER AS "toDay"
     FROM action_coverage ${filter} ORDER BY symbol, from_date`,
    values,
  );
  const spans = new Map<string, SpansByType>();
  for (const { symbol, covers, fromDay, toDay } of rows) {
    const known = spans.get(symbol) ?? {};
    spans.set(symbol, known);
    for (const type of covers === null ? (['split', 'dividend'] as const) : [covers]) {
      const span = known[type];
      if (span && isNextSession(span.toDay, fromDay)) span.toDay = Math.max(span.toDay, toDay);
      else known[type] = { fromDay, toDay };
    }
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
