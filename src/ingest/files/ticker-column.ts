/** Decides whether Stooq's column `<TICKER>` names the symbols of a file, or only confirms its name. */

import { basename } from 'node:path';
import type { CandleDialect } from './dialect.ts';
import type { FileSample } from './sample.ts';

/** `20240304_d.txt`: Stooq's file of one day, which has all tickers. */
export function isNamedByDay(name: string): boolean {
  return /^(19|20)\d{6}([_-][a-z0-9]+)?(\.[a-z]+)*$/i.test(basename(name));
}

/**
 * Makes the ticker column the symbol column, so that each row is its ticker's. A file with a
 * symbol's name keeps it, and rows of other tickers are refused: they may be there by mistake.
 *
 * @param named Symbol of the file's name; undefined if it is no ticker.
 * @param isSelected True if `--symbol` selects rows.
 * @param symbolOf Reads a ticker; undefined if it is none.
 */
export function withTickerColumn(
  dialect: CandleDialect,
  { rows, last }: FileSample,
  { named, isSelected }: { named: string | undefined; isSelected: boolean },
  symbolOf: (ticker: string) => string | undefined,
): CandleDialect {
  const { ticker } = dialect.columns;
  if (ticker === undefined) return dialect;
  const tickers = new Set([...rows, last].map((row) => row[ticker] ?? ''));
  const isOfName = named !== undefined && (tickers.size === 1 || isAmong(tickers, named, symbolOf));
  if (isOfName && !isSelected) return dialect;
  const isOfAllMarkets = [...tickers].some((text) => US_TICKER.test(text));
  return { ...dialect, columns: { ...dialect.columns, symbol: ticker }, isOfAllMarkets };
}

const US_TICKER = /\.us$/i;

/** Returns true for `PKO` beside `SPY.US`: it is of Warsaw, and no US stock has its ticker. */
export function isOfOtherMarket({ isOfAllMarkets }: CandleDialect, ticker: string | null): boolean {
  return isOfAllMarkets === true && ticker !== null && ticker !== '' && !US_TICKER.test(ticker);
}

function isAmong(
  tickers: ReadonlySet<string>,
  named: string,
  symbolOf: (ticker: string) => string | undefined,
): boolean {
  return [...tickers].some((ticker) => symbolOf(ticker) === named);
}
