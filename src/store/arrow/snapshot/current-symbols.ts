/** Resolves names of securities, present and former. */

import { dayFromDate } from '../../../base/time/dates.ts';
import type { Listings } from './snapshot.ts';

export interface FormerTicker {
  ticker: string;
  /** Last day under the ticker, `YYYY-MM-DD`. */
  lastDate: string;
}

/** Returns the tickers that a listed security no longer has, by the day it left them. */
export function formerTickersOf(listings: Listings, row: number): FormerTicker[] {
  const text = listings.formerTickers[row];
  if (text === '') return [];
  return text.split(',').map((part) => {
    const [ticker, lastDate] = part.split(' ');
    return { ticker, lastDate };
  });
}

/**
 * Returns the ticker that a listed security had on a day. A security that had its present ticker
 * before another one has the other one for all earlier days.
 */
export function tickerOn(listings: Listings, row: number, day: number): string {
  const symbol = listings.symbol[row];
  const former = formerTickersOf(listings, row);
  const then = former.find(({ lastDate }) => day <= dayFromDate(lastDate));
  // A delisted one whose ticker was taken has a month behind it: `XYZ.201512`.
  const left = former.at(-1)?.ticker;
  return then?.ticker ?? (left !== undefined && symbol.startsWith(`${left}.`) ? left : symbol);
}

/**
 * Returns the directory row of every name, present or former. A present symbol means itself; a
 * former ticker means the security that had it last.
 */
export function rowsByName(listings: Listings): Map<string, number> {
  const rows = new Map<string, number>();
  const leftOn = new Map<string, string>();
  for (const row of listings.symbol.keys()) {
    for (const { ticker, lastDate } of formerTickersOf(listings, row)) {
      if (lastDate <= (leftOn.get(ticker) ?? '')) continue;
      leftOn.set(ticker, lastDate);
      rows.set(ticker, row);
    }
  }
  for (const [row, symbol] of listings.symbol.entries()) rows.set(symbol, row);
  return rows;
}
