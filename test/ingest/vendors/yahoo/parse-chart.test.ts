import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MILLIS_PER_DAY, millisFromMicros } from '../../../../src/base/bars.ts';
import {
  MalformedInputError,
  SourceEmptyError,
  UnknownSymbolError,
} from '../../../../src/base/errors.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import { parseYahooChart } from '../../../../src/ingest/vendors/yahoo/parse-chart.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';

/** Three days of February 2020 at the opening bell in New York. */
const result = {
  meta: { symbol: 'AAPL', exchangeTimezoneName: 'America/New_York', dataGranularity: '1d' },
  timestamp: [1580913000, 1580999400, 1581085800],
  events: {
    dividends: { '1581085800': { amount: 0.1925, date: 1581085800 } },
    splits: {
      '1598880600': { date: 1598880600, numerator: 4, denominator: 1, splitRatio: '4:1' },
    },
  },
  indicators: {
    quote: [
      {
        open: [80, null, 80.5],
        high: [81, null, 81.5],
        low: [79, null, 80],
        close: [80.25, null, 80],
        volume: [100, null, 300],
      },
    ],
    adjclose: [{ adjclose: [78, null, 78] }],
  },
};

function bodyOf(change: object = {}): string {
  return JSON.stringify({ chart: { result: [{ ...result, ...change }], error: null } });
}

function datesOf(body: string, symbol = 'AAPL'): string[] {
  const { bars } = parseYahooChart(body, symbol);
  return [...millisFromMicros(bars.timestampUs)].map((ms) => dateFromDay(ms / MILLIS_PER_DAY));
}

describe('a chart body', () => {
  it('names the currency of its prices, and of dividends in another one', () => {
    const paid = (date: number, more: object) => ({ [date]: { amount: 0.1925, date, ...more } });
    const dividends = {
      ...paid(1580913000, { currency: 'USD' }),
      ...paid(1580999400, { currency: 'CAD' }),
      // Listed at two times of one day.
      ...paid(1581085800, {}),
      ...paid(1581087600, {}),
    };
    const meta = { ...result.meta, currency: 'USD' };
    const chart = parseYahooChart(bodyOf({ meta, events: { dividends } }), 'AAPL');
    expect(chart.currency).toBe('USD');
    expect(chart.dividends).toEqual([
      { exDay: dayFromDate('2020-02-05'), amount: 0.1925 },
      { exDay: dayFromDate('2020-02-06'), amount: 0.1925, currency: 'CAD' },
      { exDay: dayFromDate('2020-02-07'), amount: 0.1925 },
    ]);
    const pence = { ...result.meta, currency: 'GBp' };
    expect(parseYahooChart(bodyOf({ meta: pence }), 'AAPL').currency).toBe('GBp');
    expect(parseYahooChart(bodyOf(), 'AAPL').currency).toBe('USD');
  });

  it('gives columns by date, nulls as NaN', () => {
    const { bars } = parseYahooChart(bodyOf(), 'AAPL');
    expect(datesOf(bodyOf())).toEqual(['2020-02-05', '2020-02-06', '2020-02-07']);
    expect([...bars.close]).toEqual([80.25, Number.NaN, 80]);
    expect([...bars.volume]).toEqual([100, Number.NaN, 300]);
  });

  it('gives splits, and dividends as declared before them', () => {
    const { splits, dividends } = parseYahooChart(bodyOf(), 'AAPL');
    expect(splits).toEqual([{ exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 }]);
    expect(dividends).toEqual([{ exDay: dayFromDate('2020-02-07'), amount: 0.77 }]);
  });

  it('adds what a fund pays out as capital gains on the same day', () => {
    const capitalGains = { a: { amount: 0.5, date: 1581085800 } };
    const events = { dividends: result.events.dividends, capitalGains };
    expect(parseYahooChart(bodyOf({ events }), 'AAPL').dividends).toEqual([
      { exDay: dayFromDate('2020-02-07'), amount: 0.6925 },
    ]);
  });

  it('is dated on the clocks of its exchange', () => {
    // 15:00 UTC is the next day in Tokyo.
    const meta = { ...result.meta, exchangeTimezoneName: 'Asia/Tokyo' };
    expect(datesOf(bodyOf({ meta, timestamp: [1580913000, 1580914800, 1581085800] }))).toEqual([
      '2020-02-05',
      '2020-02-06',
      '2020-02-07',
    ]);
  });

  it.each([1e21, -1e13, 1e308])('with a moment of no calendar is malformed: %d', (seconds) => {
    const timestamp = [1580913000, seconds, 1581085800];
    expect(() => parseYahooChart(bodyOf({ timestamp }), 'AAPL')).toThrow(MalformedInputError);
    const splits = { 1: { date: seconds, numerator: 4, denominator: 1 } };
    expect(() => parseYahooChart(bodyOf({ events: { splits } }), 'AAPL')).toThrow(
      MalformedInputError,
    );
  });

  it('of an unknown symbol says so', () => {
    const error = { code: 'Not Found', description: 'No data found, symbol may be delisted' };
    const body = JSON.stringify({ chart: { result: null, error } });
    expect(() => parseYahooChart(body, 'NOPE')).toThrow(UnknownSymbolError);
    expect(() => parseYahooChart(body, 'NOPE')).toThrow(
      'Yahoo does not know "NOPE": No data found, symbol may be delisted',
    );
  });

  it('without bars says so', () => {
    const body = bodyOf({ timestamp: undefined, indicators: { quote: [{}] } });
    expect(() => parseYahooChart(body, 'AAPL')).toThrow(SourceEmptyError);
  });

  it.each([
    ['text', '<html>', 'it is not JSON'],
    ['another document', '{"finance":{}}', 'chart: Invalid input'],
    ['no result', '{"chart":{"result":null,"error":null}}', 'it has no result'],
    [
      'another error',
      '{"chart":{"result":null,"error":{"code":"Bad Request","description":"x"}}}',
      'error Bad Request',
    ],
    [
      'another symbol',
      bodyOf({ meta: { ...result.meta, symbol: 'MSFT' } }),
      'meta.symbol is "MSFT"',
    ],
    [
      'coarser bars',
      bodyOf({ meta: { ...result.meta, dataGranularity: '1mo' } }),
      'meta.dataGranularity is "1mo", expected "1d"',
    ],
    [
      'an unknown zone',
      bodyOf({ meta: { ...result.meta, exchangeTimezoneName: 'Mars/Olympus' } }),
      '"Mars/Olympus" is not a time zone',
    ],
    ['ragged columns', bodyOf({ timestamp: [1580913000] }), 'open has 3 values for 1 bars'],
    ['no prices', bodyOf({ indicators: { quote: [] } }), 'open has 0 values for 3 bars'],
    ['text for a time', bodyOf({ timestamp: ['x'] }), 'chart.result.0.timestamp.0: Invalid input'],
  ])('with %s is malformed, and names what is wrong', (_what, body, message) => {
    expect(() => parseYahooChart(body, 'AAPL')).toThrow(MalformedInputError);
    expect(() => parseYahooChart(body, 'AAPL')).toThrow(message);
  });
});

describe.skipIf(!hasRealdata)('recorded bodies', () => {
  const folders = ['daily/yahoo_v8_chart', 'intraday/yahoo_v8_chart'];
  const names = hasRealdata
    ? folders.flatMap((folder) => readdirSync(realdata(folder)).map((name) => `${folder}/${name}`))
    : [];

  it.each(names.filter((name) => !name.includes('interval-1m')))('%s is read', (name) => {
    const body = readFileSync(realdata(name), 'utf8');
    const { meta, timestamp } = JSON.parse(body).chart.result[0];
    const { bars } = parseYahooChart(body, meta.symbol);
    expect(bars.close).toHaveLength(timestamp.length);
    expect(bars.close.every(Number.isFinite)).toBe(true);
  });

  it('of minutes is refused', () => {
    const name = names.find((one) => one.includes('interval-1m'))!;
    const body = readFileSync(realdata(name), 'utf8');
    expect(() => parseYahooChart(body, 'AAPL')).toThrow('meta.dataGranularity is "1m"');
  });

  it('of Microsoft holds the dividends of 2021', () => {
    const name = names.find((one) => one.includes('MSFT-dividends'))!;
    const { dividends, bars } = parseYahooChart(readFileSync(realdata(name), 'utf8'), 'MSFT');
    expect(bars.close).toHaveLength(252);
    expect(dividends.map(({ exDay, amount }) => [dateFromDay(exDay), amount])).toEqual([
      ['2021-02-17', 0.56],
      ['2021-05-19', 0.56],
      ['2021-08-18', 0.56],
      ['2021-11-17', 0.62],
    ]);
  });

  it('of Apple holds the split of August 2020', () => {
    const name = names.find((one) => one.includes('AAPL-2020-08-31'))!;
    const { splits, dividends } = parseYahooChart(readFileSync(realdata(name), 'utf8'), 'AAPL');
    expect(splits).toEqual([{ exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 }]);
    expect(dividends.map(({ exDay, amount }) => [dateFromDay(exDay), amount])).toEqual([
      ['2020-11-06', 0.205],
    ]);
  });
});
