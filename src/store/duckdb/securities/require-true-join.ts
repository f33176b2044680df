import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError } from '../../../base/errors.ts';
import type { TickerFact } from './facts/ticker-facts.ts';
import { foldStored, validFacts } from './fold-stored.ts';

/** @throws {TapeworksError} the tickers of a join had other closes on most common days. */
export async function requireTrueJoin(
  connection: DuckDBConnection,
  others: readonly TickerFact[],
  join: TickerFact,
): Promise<void> {
  const all = [...others, join];
  const tickers = new Set(all.flatMap(({ ticker, other }) => [ticker, other ?? ticker]));
  const { facts } = await validFacts(connection, all);
  const { refuted } = await foldStored(connection, { facts, tickers: [...tickers] });
  const closes = refuted.get(join);
  if (!closes) return;
  const { date, own, others: otherClose } = closes;
  throw new TapeworksError(
    `${join.ticker} and ${join.other} can't be one security: on ${date} they closed at ` +
      `${own} and ${otherClose}, and differ on most other days too`,
  );
}
