/** Earnings dates and expirations. */

import { describe, expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import type { UncheckedRow } from '../../../src/ingest/rows/stage-rows.ts';
import { parseCboeOptions } from '../../../src/ingest/vendors/cboe/parse-options.ts';
import { cboeSymbol } from '../../../src/ingest/vendors/cboe/source.ts';
import {
  amountFromText,
  fiscalQuarterOf,
  monthFromText,
  parseNasdaqEarnings,
} from '../../../src/ingest/vendors/nasdaq/parse-earnings.ts';
import { nasdaqDays } from '../../../src/ingest/vendors/nasdaq/source.ts';
import * as samples from './support/row-samples.ts';

const day = dayFromDate('2026-11-19');
const asOfMs = Date.parse('2026-11-18T22:00:00Z');
const yearEnds = new Map([['INTU', { day: dayFromDate('2026-07-31'), fiscalYear: 2026 }]]);
const earnings = (body: string) => parseNasdaqEarnings(body, { day, asOfMs, yearEnds });
const options = (body: string) =>
  parseCboeOptions(body, { symbol: 'AAPL', todayDay: dayFromDate('2026-11-20'), asOfMs });

const rowsOf = (all: UncheckedRow[]) => all.flatMap((one) => ('row' in one ? [one.row] : []));
const reasonsOf = (all: UncheckedRow[]) =>
  all.flatMap((one) => ('reason' in one ? [one.reason] : []));

describe("Nasdaq's earnings calendar", () => {
  it('gives a row a report', () => {
    expect(rowsOf(earnings(samples.NASDAQ_EARNINGS))).toEqual([
      {
        symbol: 'INTU',
        companyName: 'Intuit Inc.',
        date: day,
        fiscalQuarter: '2027-Q1',
        time: 'after_market',
        epsEstimate: 1.42,
        revenueEstimate: null,
        asOf: asOfMs,
      },
      expect.objectContaining({
        symbol: 'BRK.B',
        fiscalQuarter: null,
        time: 'before_market',
        epsEstimate: -0.12,
      }),
      expect.objectContaining({
        symbol: 'TINY',
        companyName: null,
        time: 'unknown',
        epsEstimate: null,
      }),
    ]);
  });

  it('is empty on a day without reports', () => {
    expect(earnings(samples.NASDAQ_NO_REPORTS)).toEqual([]);
  });

  it('tells a failure from an empty day', () => {
    const failed = '{"data": null, "message": "Something failed", "status": {"rCode": 400}}';
    expect(() => earnings(failed)).toThrow('Nasdaq is not available: it answered with 400');
    expect(() => earnings('{"data": {}, "status": {"rCode": 200}}')).toThrow('data.rows');
  });

  it('refuses rows that can’t be read, one by one', () => {
    const changed = JSON.parse(samples.NASDAQ_EARNINGS);
    const [first, second, third] = changed.data.rows;
    delete first.symbol;
    second.symbol = 'not a ticker';
    third.epsForecast = 'about a dollar';
    expect(reasonsOf(earnings(JSON.stringify(changed)))).toEqual([
      'symbol is missing',
      'symbol is not a ticker',
      'epsForecast is not an amount',
    ]);
  });
});

describe("Cboe's options", () => {
  it('give each day once, ascending, without those that are over', () => {
    const dates = rowsOf(options(samples.CBOE_OPTIONS)).map(({ date }) =>
      dateFromDay(Number(date)),
    );
    expect(dates).toEqual(['2026-11-27', '2026-12-18']);
  });

  it('refuse an option that can’t be read', () => {
    const odd = ['AAPL261332C00110000', 'AAPL261127X00110000', 'AAPL', '', null, 7];
    const body = {
      data: {
        options: [{ option: 'AAPL1261127C00110000' }, ...odd.map((option) => ({ option })), {}],
      },
    };
    const all = options(JSON.stringify(body));
    expect(rowsOf(all)).toHaveLength(1);
    expect(reasonsOf(all)).toHaveLength(7);
    expect(() => options('{"data": {"options": [{"option": "AAPL"}]}}')).toThrow('data.options');
  });

  it.each([
    ['AAPL', 'AAPL'],
    ['SPX', '_SPX'],
    ['BRK.B', 'BRKB'],
  ])('are asked of %s as %s', (symbol, asked) => expect(cboeSymbol(symbol)).toBe(asked));
});

describe('a fiscal quarter', () => {
  const september = { day: dayFromDate('2025-09-27'), fiscalYear: 2025 };
  it.each([
    ['Sep/2025', september, '2025-Q4'],
    ['Dec/2025', september, '2026-Q1'],
    ['Sep/2026', september, '2026-Q4'],
    ['Jun/2025', september, '2025-Q3'],
    ['Nov/2025', september, undefined],
    ['Dec/2030', september, undefined],
    ['Dec/2025', undefined, undefined],
    ['Jan/2027', { day: dayFromDate('2026-02-01'), fiscalYear: 2025 }, '2026-Q4'],
    ['Mar/2026', { day: dayFromDate('2026-01-03'), fiscalYear: 2025 }, '2026-Q1'],
  ])('that ends in %s', (text, yearEnd, quarter) => {
    expect(fiscalQuarterOf(monthFromText(text) ?? 0, yearEnd)).toBe(quarter);
  });
});

describe('an amount', () => {
  it.each([
    ['$1.42', 1.42],
    ['($0.12)', -0.12],
    ['(0.12)', -0.12],
    ['-$0.12', -0.12],
    ['$-0.12', -0.12],
    ['$1,234.50', 1234.5],
    ['.5', 0.5],
    ['$0.00', 0],
    ['N/A', null],
    ['', null],
    ['($0.12', undefined],
    ['$1,23', undefined],
    ['$', undefined],
    ['1e400', undefined],
  ])('"%s"', (text, amount) => expect(amountFromText(text)).toBe(amount));
});

describe('days that are asked for', () => {
  const dates = (from?: string, to?: string) =>
    nasdaqDays(
      { fromDay: from ? dayFromDate(from) : undefined, toDay: to ? dayFromDate(to) : undefined },
      Date.parse('2026-11-20T22:00:00Z'),
    ).map(dateFromDay);

  it('are those to come, without weekends', () => {
    expect(dates()).toHaveLength(21);
    expect(dates().slice(0, 2)).toEqual(['2026-11-20', '2026-11-23']);
    expect(dates('2026-11-19', '2026-11-23')).toEqual(['2026-11-19', '2026-11-20', '2026-11-23']);
    expect(() => dates('2020-01-01', '2026-01-01')).toThrow('at most 400 days');
  });
});
