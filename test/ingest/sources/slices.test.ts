/** How questions to sources are cut into jobs. */

import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { slicesOf, sliceTitle } from '../../../src/ingest/sources/slices.ts';

const NOW_MS = Date.parse('2026-11-20T23:00:00Z');
const day = dayFromDate;
const symbols = Array.from({ length: 45 }, (_, i) => `S${i}`);

describe('a question', () => {
  it('about symbols is cut into some symbols each, none twice and none lost', () => {
    for (const source of ['yahoo', 'tiingo', 'eodhd', 'cboe', 'finnhub', 'fmp', 'sec', 'massive']) {
      const slices = slicesOf(source, { symbols }, NOW_MS);
      expect(slices.flatMap((slice) => slice.symbols ?? [])).toEqual(symbols);
    }
    expect(slicesOf('tiingo', { symbols }, NOW_MS)).toHaveLength(5);
  });

  it('about what is stored already is nothing', () => {
    const lastStoredDay = () => day('2026-11-20');
    expect(slicesOf('tiingo', { symbols, lastStoredDay }, NOW_MS)).toEqual([]);
    expect(slicesOf('massive', { wholeMarketDay: day('2026-11-20') }, NOW_MS)).toEqual([]);
  });

  it('about symbols of which the same days are missing stays one, as far as its pages allow', () => {
    const many = Array.from({ length: 900 }, (_, i) => `S${i}`);
    const lastStoredDay = () => day('2026-11-19');
    const daily = slicesOf('alpaca', { symbols: many, lastStoredDay }, NOW_MS);
    expect(daily.map((slice) => slice.symbols?.length)).toEqual([500, 400]);
    const minutes = slicesOf('alpaca', { symbols: ['A', 'B'], interval: '1m' }, NOW_MS);
    expect(minutes.map((slice) => slice.symbols)).toEqual([['A'], ['B']]);
  });

  it('about the whole market is cut by days, or by months where these share a list', () => {
    const days = { fromDay: day('2026-11-18'), toDay: day('2026-11-20') };
    expect(slicesOf('eodhd', days, NOW_MS).map(({ fromDay }) => fromDay)).toEqual([
      day('2026-11-18'),
      day('2026-11-19'),
      day('2026-11-20'),
    ]);
    const months = slicesOf('massive', { ...days, fromDay: day('2026-09-28') }, NOW_MS);
    expect(months).toMatchObject([
      { fromDay: day('2026-09-28'), toDay: day('2026-09-30') },
      { fromDay: day('2026-10-01'), toDay: day('2026-10-30') },
      { fromDay: day('2026-11-02'), toDay: day('2026-11-20') },
    ]);
    // One list of splits and dividends serves them all.
    expect(new Set(months.map(({ actionsFromDay }) => actionsFromDay))).toEqual(
      new Set([day('2026-09-14')]),
    );
    expect(slicesOf('massive', days, NOW_MS)).toEqual([days]);
  });

  it('about filings is cut by quarter, the current one by day', () => {
    const slices = slicesOf('form4', { fromDay: day('2026-09-29') }, NOW_MS);
    expect(slices[0]).toEqual({ fromDay: day('2026-09-29'), toDay: day('2026-09-30') });
    expect(slices[1]).toEqual({ fromDay: day('2026-10-01'), toDay: day('2026-10-01') });
    expect(slices.at(-1)).toEqual({ fromDay: day('2026-11-20'), toDay: day('2026-11-20') });
  });

  it('is named by its symbols and days', () => {
    expect(sliceTitle({ symbols })).toBe('S0 … S44 (45 symbols)');
    expect(sliceTitle({ symbols: ['A', 'B'], fromDay: day('2026-11-20') })).toBe(
      'A, B 2026-11-20/',
    );
    expect(sliceTitle({ fromDay: day('2026-11-20'), toDay: day('2026-11-20') })).toBe('2026-11-20');
    expect(sliceTitle({})).toBe('all');
  });
});
