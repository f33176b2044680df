import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError, UnknownSymbolError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { selectRows } from '../connection/sql-rows.ts';
import type { Histories } from './securities.ts';
import type { TickerSpan } from './ticker-history.ts';

/** @throws {UnknownSymbolError} no security has the symbol. */
export function securityOf(histories: Histories, symbol: string): number {
  for (const [securityId, stored] of histories.stored) if (stored === symbol) return securityId;
  const former = histories.spans.findLast(({ ticker, toDay }) => ticker === symbol && toDay);
  const now = former && histories.stored.get(former.securityId);
  const hint = now
    ? `; the security that had it until ${dateFromDay(former.toDay!)} is ${now}`
    : '';
  throw new UnknownSymbolError(
    symbol,
    `No security has the symbol "${symbol}" in this mode${hint}`,
  );
}

/** Returns the last ticker of the security with the symbol; the symbol itself if it is unknown. */
export async function tickerOfSymbol(
  connection: DuckDBConnection,
  symbol: string,
): Promise<string> {
  const [last] = await selectRows<{ ticker: string }>(
    connection,
    `SELECT ticker FROM security_tickers JOIN securities USING (security_id)
     WHERE symbol = $1 ORDER BY to_date DESC NULLS FIRST LIMIT 1`,
    [symbol],
  );
  return last?.ticker ?? symbol;
}

/** Returns the last day on which another security had the ticker before a span. */
export function leftDayOf(
  others: readonly TickerSpan[],
  { ticker, toDay }: TickerSpan,
): number | undefined {
  const days = others
    .filter((span) => span.ticker === ticker)
    .flatMap((span) => (span.toDay === null ? [] : [span.toDay]))
    .filter((day) => day < (toDay ?? Number.POSITIVE_INFINITY));
  return days.length === 0 ? undefined : Math.max(...days);
}

/** @throws {TapeworksError} another security has the ticker of a span before it is left on `day`. */
export function checkLeftBefore(
  others: readonly TickerSpan[],
  { ticker, toDay }: TickerSpan,
  day: number,
): void {
  const next = others.find(
    (span) =>
      span.ticker === ticker &&
      span.fromDay !== null &&
      span.fromDay <= day &&
      span.fromDay > (toDay ?? Number.POSITIVE_INFINITY),
  );
  if (!next) return;
  throw new TapeworksError(
    `Another security has the ticker ${ticker} since ${dateFromDay(next.fromDay!)}: ` +
      `--on must be before that, got ${dateFromDay(day)}`,
  );
}
