import { describe, expect, it } from 'vitest';
import {
  symbolOfFeed,
  symbolsOfEntry,
} from '../../../../src/ingest/vendors/rss/article-symbols.ts';
import { companyFinder } from '../../../../src/ingest/vendors/rss/company-names.ts';
import type { FeedTag } from '../../../../src/ingest/vendors/rss/parse-feed.ts';

const companies = companyFinder([
  { symbol: 'AAPL', companyName: 'Apple Inc.' },
  { symbol: 'NDAQ', companyName: 'Nasdaq, Inc.' },
]);
const LISTED = ['AAPL', 'MSFT', 'BRK.B', 'T'];
const finder = { companies, isListed: (symbol: string) => LISTED.includes(symbol) };

function symbols(title: string, summary: string | null = null, tags: FeedTag[] = []) {
  const entry = { title, summary, tags, url: 'https://a.example/1', publishedAt: 0 };
  return symbolsOfEntry({ ...entry, source: undefined }, finder);
}

describe('symbols of an article', () => {
  it.each([
    ['Apple (NASDAQ: AAPL) and Berkshire (NYSE:BRK.B) talk', ['AAPL', 'BRK.B']],
    ['New (NasdaqGS: NEWCO), not in the directory', ['NEWCO']],
    ['Barrick (NYSE: GOLD; TSX: ABX)', ['GOLD']],
    ['$MSFT and $T lead, $5B and US$ do not', ['MSFT', 'T']],
    ['$BTC, $USD and $NOPE are not listed here', []],
    ['Apple gains', ['AAPL']],
    ['IT, AI and the US', []],
    // Every press release names the exchange, so the company that runs it needs a clearer mark.
    ['Nasdaq falls as Acme (NASDAQ: ACME) sinks', ['ACME']],
    ['Nasdaq, Inc. buys a rival', ['NDAQ']],
  ])('of "%s"', (title, expected) => expect(symbols(title)).toEqual(expected));

  it('come from the summary too', () => {
    expect(symbols('A deal', 'Apple buys $MSFT')).toEqual(['AAPL', 'MSFT']);
  });

  it('come from tags that are tickers, and no others', () => {
    const tags = [
      { name: 'NYSE: KO', scheme: 'https://wire.example/tickers' },
      { name: 'brk-b', scheme: 'stock-symbol' },
      { name: 'Nasdaq:PEP', scheme: undefined },
      { name: 'AI', scheme: undefined },
      { name: 'EV', scheme: 'https://wire.example/topics' },
      { name: 'not a ticker', scheme: 'tickers' },
    ];
    expect(symbols('A deal', null, tags)).toEqual(['BRK.B', 'KO', 'PEP']);
  });

  it('count as cashtags without a directory', () => {
    const entry = { title: '$NOPE', summary: null, tags: [], url: '', publishedAt: 0 };
    const without = { companies, isListed: undefined };
    expect(symbolsOfEntry({ ...entry, source: undefined }, without)).toEqual(['NOPE']);
  });
});

describe('the symbol of a feed', () => {
  it.each([
    ['https://feeds.example/headline?s=aapl&region=US', 'AAPL'],
    ['https://feeds.example/headline?symbol=BRK-B', 'BRK.B'],
    ['https://feeds.example/headline?s=AAPL,MSFT', undefined],
    ['https://feeds.example/search?q=AAPL', undefined],
    ['not an address', undefined],
  ])('%s', (address, symbol) => expect(symbolOfFeed([address])).toBe(symbol));
});
