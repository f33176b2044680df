/** Facts as commands name them: by symbols of today. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError } from '../../../base/errors.ts';
import { selectRows, sqlDay } from '../connection/sql-rows.ts';
import { STATED, type TickerFact } from './facts/ticker-facts.ts';

/** A fact about symbols, as commands state it. */
export type NamedFact = Pick<TickerFact, 'kind' | 'ticker'> &
  Partial<Pick<TickerFact, 'day' | 'endDay' | 'other' | 'reason'>>;

/**
 * Returns a fact whose tickers are those of the symbols that it names.
 *
 * @param isStated True for a fact that was stated before: a join may have ended a symbol that it names.
 * @throws {TapeworksError} a rename names the symbol of a delisted security, or nothing has it.
 */
export async function factOf(
  connection: DuckDBConnection,
  { kind, ticker: name, day = null, endDay = null, other: otherName = null, reason }: NamedFact,
  isStated = false,
): Promise<TickerFact> {
  const none = { otherDay: null, source: STATED };
  if (kind === 'rename') {
    const dated = [name, otherName!].find((one) => DATED_SYMBOL.test(one));
    if (dated !== undefined) {
      throw new TapeworksError(
        `${dated} is the symbol of a delisted security: a rename names tickers`,
      );
    }
  }
  if (kind === 'rename' || kind === 'part' || kind === 'listed') {
    return { kind, ticker: name, day, endDay, other: otherName, ...none };
  }
  const target = otherName === null ? none : await meantBy(connection, otherName, isStated);
  const { ticker: other = null, day: otherDay = null } = 'ticker' in target ? target : {};
  const about = { kind, endDay, other, otherDay, source: STATED };
  if (kind === 'assign') return { ...about, ticker: name, day };
  const own = await meantBy(connection, name, isStated);
  if (kind !== 'join') return { ...about, ticker: own.ticker, day, reason: reason ?? null };
  return { ...about, ...own };
}

/** Symbol of a security whose ticker another one has by now. */
const DATED_SYMBOL = /\.\d{6,8}$/;

/**
 * Returns the ticker of a symbol. Which security has it follows from all facts and bars, so that it
 * does not matter when it is said; only a symbol with a date means a certain one.
 */
async function meantBy(
  connection: DuckDBConnection,
  name: string,
  isStated: boolean,
): Promise<{ ticker: string; day: number | null }> {
  if (!DATED_SYMBOL.test(name)) return { ticker: name, day: null };
  const { ticker, day, securityId } = await lastTicker(connection, name);
  if (securityId !== null) return { ticker, day };
  if (isStated) return { ticker: name.replace(DATED_SYMBOL, ''), day: null };
  throw new TapeworksError(
    `No security has the symbol "${name}": state first what ended it, with delist, rename or part`,
  );
}

/** Returns the last ticker of the security with a symbol, and a day of it; else the symbol itself. */
export async function lastTicker(
  connection: DuckDBConnection,
  symbol: string,
): Promise<{ ticker: string; day: number | null; securityId: number | null }> {
  const [last] = await selectRows<{ ticker: string; day: number | null; securityId: number }>(
    connection,
    `SELECT ticker, ${sqlDay('coalesce(to_date, from_date)')} AS day, security_id AS "securityId"
     FROM security_tickers JOIN securities USING (security_id)
     WHERE symbol = $1
     ORDER BY starts_with($1, ticker) DESC, to_date DESC NULLS FIRST, from_date DESC NULLS LAST LIMIT 1`,
    [symbol],
  );
  return last ?? { ticker: symbol, day: null, securityId: null };
}
