import { describe, expect, it } from 'vitest';
import { dailyQuote } from '../../../../jobs/publish/quotes/daily-quote.ts';
import type { BarColumns, Basis, Split } from '../../../../src/base/bars.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { usOf } from '../../../store/duckdb/support/fixtures.ts';

function barsOf(closes: Record<string, number>): BarColumns {
  const close = Float64Array.from(Object.values(closes));
  return {
    timestampUs: BigInt64Array.from(Object.keys(closes), usOf),
    open: close.map((value) => value - 1),
    high: close.map((value) => value + 1),
    low: close.map((value) => value - 2),
    close,
    volume: close.map((value) => value * 1000),
  };
}

function quoteOf(
  closes: Record<string, number>,
  basis: Basis = 'raw',
  splits: Split[] = [],
  rsi14 = Number.NaN,
) {
  const facts = {
    symbol: 'AAPL',
    source: 'files',
    basis,
    asOfUs: usOf('2026-01-01'),
    splits,
    dividends: [],
    actionCoverage: undefined,
  };
  return dailyQuote(barsOf(closes), facts, rsi14);
}

const fourForOne = { exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 };

describe('dailyQuote', () => {
  it('compares the newest bar with the one before', () => {
    expect(quoteOf({ '2024-03-14': 99, '2024-03-15': 200, '2024-03-18': 210 })).toEqual({
      symbol: 'AAPL',
      price: 210,
      change: 10,
      changePct: 5,
      volume: 210_000,
      timestampMs: Date.parse('2024-03-18T20:00:00Z'),
      dayHigh: 211,
      dayLow: 208,
      dayOpen: 209,
      previousClose: 200,
      marketCap: null,
      rsi14: null,
      peRatio: null,
      dividendYield: null,
    });
  });

  it('divides the previous close by a split of the day, where closes are raw', () => {
    const closes = { '2020-08-28': 499.23, '2020-08-31': 129.04 };
    expect(quoteOf(closes, 'raw', [fourForOne])).toMatchObject({
      previousClose: 124.8075,
      change: 4.2325,
    });
    expect(quoteOf(closes, 'split', [fourForOne]).previousClose).toBe(499.23);
    expect(quoteOf({ ...closes, '2020-09-01': 134.18 }, 'raw', [fourForOne]).previousClose).toBe(
      129.04,
    );
    const announced = { ...fourForOne, exDay: dayFromDate('2020-09-01') };
    expect(quoteOf(closes, 'raw', [announced]).previousClose).toBe(499.23);
  });

  it('knows no change for a single bar', () => {
    expect(quoteOf({ '2024-03-15': 200 })).toMatchObject({
      price: 200,
      change: null,
      changePct: null,
      previousClose: null,
    });
  });

  it('ends at the close of the session: half days, winter, and days the calendar lacks', () => {
    const ends = (date: string) => new Date(quoteOf({ [date]: 1 }).timestampMs).toISOString();
    expect(ends('2024-11-29')).toBe('2024-11-29T18:00:00.000Z');
    expect(ends('2024-12-02')).toBe('2024-12-02T21:00:00.000Z');
    expect(ends('2024-12-25')).toBe('2024-12-25T21:00:00.000Z');
    expect(ends('2024-06-15')).toBe('2024-06-15T20:00:00.000Z');
    expect(ends('1950-06-15')).toBe('1950-06-15T20:00:00.000Z');
  });

  it('has the RSI it is given, null where there is none yet', () => {
    expect(quoteOf({ '2024-03-18': 210 }, 'raw', [], 61.5).rsi14).toBe(61.5);
    expect(quoteOf({ '2024-03-18': 210 }).rsi14).toBeNull();
  });
});
