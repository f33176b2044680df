import { describe, expect, it } from 'vitest';
import {
  continuedSession,
  intradayQuote,
  newestSession,
  runningSession,
} from '../../../../jobs/publish/quotes/intraday-quote.ts';
import { type BarColumns, microsFromMillis, type Split } from '../../../../src/base/bars.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { SymbolFacts } from '../../../../src/store/arrow/snapshot/symbol-directory.ts';

/** Bars at times in UTC: open, high, low, close, volume. */
function barsOf(rows: Record<string, [number, number, number, number, number]>): BarColumns {
  const column = (at: number) => Float64Array.from(Object.values(rows), (row) => row[at]);
  return {
    timestampUs: microsFromMillis(Object.keys(rows).map((time) => Date.parse(time))),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: column(4),
  };
}

function factsOf(splits: Split[] = [], basis: SymbolFacts['basis'] = 'raw'): SymbolFacts {
  const source = 'files';
  const coverage = { fromDay: dayFromDate('2020-01-01'), toDay: dayFromDate('2030-01-01') };
  const dividends = [{ exDay: dayFromDate('2025-06-02'), amount: 1 }];
  return {
    symbol: 'A',
    source,
    basis,
    asOfUs: undefined,
    splits,
    dividends,
    actionCoverage: coverage,
  };
}

const FRIDAY_TO_MONDAY = barsOf({
  '2026-02-27T20:59Z': [89, 95, 85, 90, 500],
  '2026-03-02T14:30Z': [100, 101, 99, 100.5, 10],
  '2026-03-02T14:31Z': [100.5, 104, 100, 103, 20],
  '2026-03-02T14:33Z': [103, 103.5, 98, 99, 30],
});

const FRIDAY = dayFromDate('2026-02-27');

describe('runningSession', () => {
  it('is of the newest day only, over a weekend too', () => {
    expect(runningSession(newestSession(FRIDAY_TO_MONDAY), '1m')).toEqual({
      day: dayFromDate('2026-03-02'),
      endMs: Date.parse('2026-03-02T14:34Z'),
      open: 100,
      high: 104,
      low: 98,
      close: 99,
      volume: 60,
    });
  });

  it('ends with the session: a bar of five minutes that begins just before it is short', () => {
    const end = (time: string) => {
      const bars = barsOf({ [time]: [1, 1, 1, 1, 1] });
      return new Date(runningSession(bars, '5m').endMs).toISOString();
    };
    expect(end('2025-11-28T17:55Z')).toBe('2025-11-28T18:00:00.000Z');
    expect(end('2025-11-28T17:57Z')).toBe('2025-11-28T18:00:00.000Z');
    expect(end('2026-03-06T20:55Z')).toBe('2026-03-06T21:00:00.000Z');
    expect(end('2026-03-09T19:50Z')).toBe('2026-03-09T19:55:00.000Z');
  });

  it('goes on from a quote with the sums that all bars give', () => {
    const volumes = [0.1, 0.2, 0.3, 0.7];
    const rows = volumes.map((volume, i) => [`2026-03-02T14:3${i}Z`, [1 + i, 2 + i, i, 1, volume]]);
    const bars = barsOf(Object.fromEntries(rows));
    const first = barsOf(Object.fromEntries(rows.slice(0, 2)));
    const quote = intradayQuote(runningSession(first, '1m'), factsOf(), {
      lastDay: undefined,
      minutes: undefined,
    });
    const rest = barsOf(Object.fromEntries(rows.slice(2)));
    expect(continuedSession(quote, rest, '1m')).toEqual(runningSession(bars, '1m'));
  });
});

describe('intradayQuote', () => {
  const session = runningSession(newestSession(FRIDAY_TO_MONDAY), '1m');
  const previewRsi = (close: number) => close / 2;

  it('compares with the daily close before', () => {
    const lastDay = { day: FRIDAY, close: 90, previewRsi };
    expect(intradayQuote(session, factsOf(), { lastDay, minutes: undefined })).toEqual({
      symbol: 'A',
      price: 99,
      change: 9,
      changePct: 10,
      volume: 60,
      timestampMs: Date.parse('2026-03-02T14:34Z'),
      dayHigh: 104,
      dayLow: 98,
      dayOpen: 100,
      previousClose: 90,
      marketCap: null,
      rsi14: 49.5,
      peRatio: null,
      dividendYield: 1 / 99,
    });
  });

  it('divides the close before by a split of the day, and not one that is adjusted', () => {
    const split = { exDay: dayFromDate('2026-03-02'), numerator: 4, denominator: 1 };
    const lastDay = { day: FRIDAY, close: 400, previewRsi };
    const before = { lastDay, minutes: undefined };
    const quote = intradayQuote(session, factsOf([split]), before);
    expect([quote.previousClose, quote.rsi14]).toEqual([100, 198]);
    const made = (time: string) => ({
      ...factsOf([split], 'split'),
      asOfUs: BigInt(Date.parse(time)) * 1000n,
    });
    const adjusted = intradayQuote(session, made('2026-03-02T14:00Z'), before);
    expect([adjusted.previousClose, adjusted.rsi14]).toEqual([400, 49.5]);
  });

  // A split-adjusted file of Friday's was quoted 75 % below it on the Monday of a 4:1 split.
  it('divides an adjusted close too by a split that is newer than its vintage', () => {
    const split = { exDay: dayFromDate('2026-03-02'), numerator: 4, denominator: 1 };
    const asOfUs = BigInt(FRIDAY) * 86_400_000_000n;
    const facts = { ...factsOf([split], 'split'), asOfUs };
    const lastDay = { day: FRIDAY, close: 400, previewRsi };
    const quote = intradayQuote(session, facts, { lastDay, minutes: undefined });
    expect([quote.previousClose, quote.rsi14]).toEqual([100, 198]);
  });

  it('goes by the basis of the minutes where these are the close before', () => {
    const split = { exDay: dayFromDate('2026-03-02'), numerator: 4, denominator: 1 };
    const newest = BigInt(dayFromDate('2026-03-02')) * 86_400_000_000n;
    const days = { ...factsOf([split], 'split'), asOfUs: newest };
    const before = { lastDay: undefined, minutes: { day: FRIDAY, close: 400 } };
    const minutesBasis = { basis: 'raw', asOfUs: undefined } as const;
    expect(intradayQuote(session, days, { ...before, minutesBasis }).previousClose).toBe(100);
    expect(intradayQuote(session, days, before).previousClose).toBe(400);
  });

  it('takes the minutes of an earlier session where they are newer than the days', () => {
    const lastDay = { day: FRIDAY - 1, close: 80, previewRsi };
    const minutes = { day: FRIDAY, close: 90 };
    expect(intradayQuote(session, factsOf(), { lastDay, minutes }).previousClose).toBe(90);
    const sameDay = { ...lastDay, day: FRIDAY };
    expect(intradayQuote(session, factsOf(), { lastDay: sameDay, minutes }).previousClose).toBe(80);
  });

  it('knows no change and no RSI without any day before', () => {
    const before = { lastDay: undefined, minutes: undefined };
    const unknown = { previousClose: null, change: null, changePct: null, rsi14: null };
    expect(intradayQuote(session, factsOf(), before)).toMatchObject(unknown);
  });
});
