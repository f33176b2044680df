import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import { parseNasdaqTrader } from '../../../../src/ingest/vendors/symbols/parse-nasdaq-trader.ts';
import {
  FOOTER,
  fileText,
  NASDAQ_TEXT,
  OTHER_HEADER,
  OTHER_TEXT,
} from '../../support/directory-texts.ts';

describe('parseNasdaqTrader', () => {
  it('reads nasdaqlisted.txt without footer and test issues', () => {
    const { securities, ...rest } = parseNasdaqTrader(NASDAQ_TEXT, 'nasdaqlisted.txt');
    expect(rest).toEqual({
      testIssues: 1,
      refused: [],
      createdMs: Date.parse('2026-07-01T18:30:00Z'),
    });
    const listed = { exchange: 'NASDAQ', venue: 'Nasdaq', cik: null, source: 'nasdaqtrader' };
    expect(securities).toEqual([
      { symbol: 'AAPL', companyName: 'Apple Inc.', type: 'stock', ...listed },
      { symbol: 'QQQ', companyName: 'Invesco QQQ Trust, Series 1', type: 'etf', ...listed },
    ]);
  });

  it('stores the true venue and counts American and Arca as AMEX, BZX and IEX as none', () => {
    const { securities } = parseNasdaqTrader(OTHER_TEXT, 'otherlisted.txt');
    expect(securities.map(({ symbol, venue, exchange }) => [symbol, venue, exchange])).toEqual([
      ['ABR.PRA', 'NYSE', 'NYSE'],
      ['BRK.B', 'NYSE', 'NYSE'],
      ['CBOE', 'Cboe BZX', null],
      ['IBKR', 'IEX', null],
      ['IMO', 'NYSE American', 'AMEX'],
      ['NAN', 'NYSE', 'NYSE'],
      ['SPY', 'NYSE Arca', 'AMEX'],
    ]);
  });

  it('names the markets of Texas, and keeps a symbol of a market that is not known', () => {
    const line = (symbol: string, code: string) =>
      `${symbol}|${symbol} Inc.|${code}|${symbol}|N|100|N|${symbol}`;
    const text = fileText(
      OTHER_HEADER,
      line('A', 'F'),
      line('B', 'M'),
      line('C', 'Q'),
      line('D', ''),
      `${FOOTER}||||||`,
    );
    const { securities, refused } = parseNasdaqTrader(text, 'otherlisted.txt');
    expect(securities.map(({ symbol, venue, exchange }) => [symbol, venue, exchange])).toEqual([
      ['A', 'Texas Stock Exchange', null],
      ['B', 'NYSE Texas', null],
      ['C', null, null],
      ['D', null, null],
    ]);
    expect(refused).toEqual([]);
  });

  it('finds columns by their titles', () => {
    const text = fileText(
      'Symbol|ETF|Test Issue|Security Name',
      'AAPL|N|N|Apple Inc. - Common Stock',
      `${FOOTER}|||`,
    );
    const [apple] = parseNasdaqTrader(text, 'x.txt').securities;
    expect(apple.companyName).toBe('Apple Inc.');
    const missing = fileText('Symbol|ETF|Security Name', `${FOOTER}||`);
    expect(() => parseNasdaqTrader(missing, 'x.txt')).toThrow(
      new MalformedInputError('"x.txt" has no column "Test Issue"'),
    );
  });

  it('refuses a file that was cut short', () => {
    const cut = OTHER_TEXT.split('\r\n').slice(0, 4).join('\r\n');
    expect(() => parseNasdaqTrader(cut, 'otherlisted.txt')).toThrow(
      new MalformedInputError(
        '"otherlisted.txt" does not end in its creation time: it was cut short',
      ),
    );
  });

  it('refuses a bad line with its number and reason and keeps the others', () => {
    const text = fileText(
      OTHER_HEADER,
      'A|Agilent Technologies, Inc. Common Stock|N|A|N|100|N|A',
      'B|Barnes Group, Inc. Common Stock|N|B',
      'C|Citigroup, Inc. Common Stock|X|C|N|100|N|C',
      'D!|Dominion Energy, Inc. Common Stock|N|D!|N|100|N|D!',
      `${FOOTER}||||||`,
    );
    const { securities, refused } = parseNasdaqTrader(text, 'otherlisted.txt');
    expect(securities.map(({ symbol, venue }) => [symbol, venue])).toEqual([
      ['A', 'NYSE'],
      ['C', null],
    ]);
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'line has 4 fields, not 8'],
      [5, 'symbol must be a ticker like AAPL, BRK.B or ABR.PRA, got "D!"'],
    ]);
  });
});
