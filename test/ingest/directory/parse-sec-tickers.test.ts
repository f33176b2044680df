import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../src/base/errors.ts';
import { isSecTickers, parseSecTickers } from '../../../src/ingest/directory/parse-sec-tickers.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { SEC_TEXT } from '../support/directory-texts.ts';

describe('parseSecTickers', () => {
  it('takes the order of columns from the file', () => {
    const { securities, refused } = parseSecTickers(SEC_TEXT, 'x.json');
    expect(refused).toEqual([]);
    expect(
      securities.map(({ symbol, cik, exchange, venue, type }) => [
        symbol,
        cik,
        exchange,
        venue,
        type,
      ]),
    ).toEqual([
      ['AAPL', 320193, 'NASDAQ', 'Nasdaq', null],
      ['BRK.B', 1067983, 'NYSE', null, null],
      ['CBOE', 1374310, null, 'Cboe BZX', null],
      ['IBKR', 1381197, 'NASDAQ', 'Nasdaq', null],
      ['RTNTF', 887028, null, 'OTC', null],
      ['PMVC', 1807765, null, null, null],
      ['USB.PRA', 36104, 'NYSE', null, 'preferred'],
    ]);
  });

  it('reads company_tickers.json, which knows no exchange', () => {
    const text = JSON.stringify({
      0: { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' },
      1: { cik_str: 1067983, ticker: 'BRK-B', title: 'BERKSHIRE HATHAWAY INC' },
      2: { cik_str: 0, ticker: 'A', title: 'A' },
    });
    expect(isSecTickers(text)).toBe(true);
    const { securities, refused } = parseSecTickers(text, 'x.json');
    const rest = { exchange: null, venue: null, type: null, source: 'sec' };
    expect(securities).toEqual([
      { symbol: 'AAPL', companyName: 'Apple Inc.', cik: 320193, ...rest },
      { symbol: 'BRK.B', companyName: 'BERKSHIRE HATHAWAY INC', cik: 1067983, ...rest },
    ]);
    expect(refused).toMatchObject([{ line: 3, reason: 'cik must be a positive integer, got "0"' }]);
    const changed = text.replaceAll('ticker', 'tick');
    expect(() => parseSecTickers(changed, 'x.json')).toThrow('"x.json" has no column "ticker"');
  });

  it.skipIf(!hasRealdata)('reads the real company_tickers.json', () => {
    const text = readFileSync(realdata('sec/company_tickers.json'), 'utf8');
    expect(isSecTickers(text.slice(0, 4096))).toBe(true);
    const { securities, refused } = parseSecTickers(text, 'company_tickers.json');
    expect(securities.length + refused.length).toBe(Object.keys(JSON.parse(text)).length);
    expect(refused).toEqual([]);
    expect(securities.find(({ symbol }) => symbol === 'BRK.B')).toMatchObject({ cik: 1067983 });
  });

  it('refuses a record with a wrong value and keeps the others', () => {
    const text = JSON.stringify({
      fields: ['cik', 'name', 'ticker', 'exchange'],
      data: [
        [0, 'A', 'A', 'NYSE'],
        [1, '', 'B', 'NYSE'],
        [2, 'C', null, 'NYSE'],
        [3, 'D', 'D!', 'NYSE'],
        [4, 'E', 'E', 'NYSE'],
      ],
    });
    const { securities, refused } = parseSecTickers(text, 'x.json');
    expect(securities.map(({ symbol }) => symbol)).toEqual(['E']);
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'cik must be a positive integer, got "0"'],
      [2, 'name must be a text, got ""'],
      [3, 'ticker must be a text, got "null"'],
      [4, 'symbol must be a ticker like AAPL, BRK.B or ABR.PRA, got "D!"'],
    ]);
  });

  it.each([
    ['{"fields":[', '"x.json" is not JSON'],
    ['null', '"x.json" must hold the arrays "fields" and "data" of arrays'],
    [
      '{"fields":["cik"],"data":[{}]}',
      '"x.json" must hold the arrays "fields" and "data" of arrays',
    ],
    ['{"fields":["cik","name","ticker"],"data":[]}', '"x.json" has no column "exchange"'],
  ])('refuses %s', (text, message) => {
    expect(() => parseSecTickers(text, 'x.json')).toThrow(new MalformedInputError(message));
  });
});
