/** Finds the securities of an article: by tags, tickers and names of companies. Pure. */

import { symbolOfVendor } from '../shared/vendor-symbols.ts';
import type { CompanyFinder } from './company-names.ts';
import type { FeedEntry, FeedTag } from './parse-feed.ts';

export interface SymbolFinder {
  companies: CompanyFinder;
  /** Returns true if the directory lists the symbol; undefined without a directory. */
  isListed: ((symbol: string) => boolean) | undefined;
}

const EXCHANGES =
  'NASDAQ(?:GS|GM|CM)?|Nasdaq(?:GS|GM|CM)?|NYSE(?: ?(?:American|AMERICAN|Arca|ARCA|MKT))?|AMEX|Cboe|CBOE|BATS';

/** Matches `(NASDAQ: AAPL)`, `(NYSE: BRK.B; TSX: X)` and `NYSE:T`. */
const QUALIFIED = new RegExp(
  `\\b(?:${EXCHANGES})\\s?:\\s?\\$?([A-Z]{1,5}(?:[.-][A-Z]{1,2})?)\\b`,
  'g',
);

/** Matches `$AAPL`, but not `$5B` (an amount) or `US$` (a currency). */
const CASHTAG = /(?<![\w$])\$([A-Z]{1,5}(?:\.[A-Z])?)(?![\w$])/g;

/** Currencies, which look like tickers and are hardly ever one. */
const CURRENCIES = new Set(
  'USD EUR GBP JPY CHF CAD AUD NZD CNY HKD INR BTC ETH XRP SOL DOGE USDT USDC ADA BNB'.split(' '),
);

/** Schemes of tags that are tickers, by their address or name. */
const TICKER_SCHEME = /tick|symbol|stock|quote|securit/i;

/** Parameters of a feed's address that name the symbol of its news. */
const TICKER_PARAMETERS = ['s', 'symbol', 'symbols', 'ticker', 'tickers'];

/** Canonical symbols, ascending. */
export function symbolsOfEntry(
  { title, summary, tags }: FeedEntry,
  { companies, isListed }: SymbolFinder,
): string[] {
  const text = summary === null ? title : `${title}\n${summary}`;
  const surely = [...tags.flatMap(tickersOfTag), ...matches(text, QUALIFIED)];
  const maybe = matches(text, CASHTAG).filter((ticker) => !CURRENCIES.has(ticker));
  const symbols = [
    ...canonical(surely),
    ...canonical(maybe).filter((symbol) => isListed?.(symbol) ?? true),
    // Search each line alone: a name does not reach from the title into the summary.
    ...text.split('\n').flatMap(companies),
  ];
  return [...new Set(symbols)].sort();
}

/** The one symbol in a feed's address; undefined for several, as not every article is of each. */
export function symbolOfFeed(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    if (!URL.canParse(address)) continue;
    const { searchParams } = new URL(address);
    const values = TICKER_PARAMETERS.flatMap((name) => searchParams.getAll(name));
    const symbols = canonical(values.flatMap((value) => value.split(/[\s,;+]+/)));
    if (symbols.length > 0) return new Set(symbols).size === 1 ? symbols[0] : undefined;
  }
  return undefined;
}

function tickersOfTag({ name, scheme }: FeedTag): string[] {
  const trimmed = name.trim();
  if (scheme !== undefined && TICKER_SCHEME.test(scheme)) {
    return [trimmed.replace(/^[A-Za-z ]+:\s?/, '')];
  }
  return [...matches(trimmed, QUALIFIED), ...matches(trimmed, CASHTAG)];
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]);
}

function canonical(tickers: readonly string[]): string[] {
  return tickers.flatMap((ticker) => symbolOfVendor(ticker) ?? []);
}
