/**
 * Securities that an article is about: by the feed's own tags, by tickers in its text, by names of
 * companies. Pure.
 */

import { symbolOfVendor } from '../shared/vendor-symbols.ts';
import type { CompanyFinder } from './company-names.ts';
import type { FeedEntry, FeedTag } from './parse-feed.ts';

export interface SymbolFinder {
  companies: CompanyFinder;
  /** Whether a directory lists it; undefined where there is no directory. */
  isListed: ((symbol: string) => boolean) | undefined;
}

const EXCHANGES =
  'NASDAQ(?:GS|GM|CM)?|Nasdaq(?:GS|GM|CM)?|NYSE(?: ?(?:American|AMERICAN|Arca|ARCA|MKT))?|AMEX|Cboe|CBOE|BATS';

/** `(NASDAQ: AAPL)`, `(NYSE: BRK.B; TSX: X)`, `NYSE:T`. */
const QUALIFIED = new RegExp(
  `\\b(?:${EXCHANGES})\\s?:\\s?\\$?([A-Z]{1,5}(?:[.-][A-Z]{1,2})?)\\b`,
  'g',
);

/** `$AAPL`; `$5B` is an amount, `US$` a currency. */
const CASHTAG = /(?<![\w$])\$([A-Z]{1,5}(?:\.[A-Z])?)(?![\w$])/g;

/** Written like tickers, and hardly ever one. */
const CURRENCIES = new Set(
  'USD EUR GBP JPY CHF CAD AUD NZD CNY HKD INR BTC ETH XRP SOL DOGE USDT USDC ADA BNB'.split(' '),
);

/** Lists of tags that are tickers, as their address or name says. */
const TICKER_SCHEME = /tick|symbol|stock|quote|securit/i;

/** Parameters of a feed's address that name whose news it has. */
const TICKER_PARAMETERS = ['s', 'symbol', 'symbols', 'ticker', 'tickers'];

/** Canonical, ascending. */
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
    // Line by line: a name does not reach from the title into the summary.
    ...text.split('\n').flatMap(companies),
  ];
  return [...new Set(symbols)].sort();
}

/**
 * The one symbol that a feed is about, by its address; undefined where it names none or several,
 * of which an article need not be about each.
 */
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
