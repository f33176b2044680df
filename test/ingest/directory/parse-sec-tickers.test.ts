import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../src/base/errors.ts';
import { parseSecTickers } from '../../../src/ingest/directory/parse-sec-tickers.ts';
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
