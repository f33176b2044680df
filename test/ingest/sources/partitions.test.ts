/** Cutting runs of sources into partitions. */

import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { partitionTitle } from '../../../src/ingest/sources/partition-title.ts';
import { partitionsOf } from '../../../src/ingest/sources/sources.ts';

const NOW_MS = Date.parse('2026-11-20T23:00:00Z');
const day = dayFromDate;
const symbols = Array.from({ length: 45 }, (_, i) => `S${i}`);

describe('a run', () => {
  it('about symbols is cut into some symbols each, none twice and none lost', async () => {
    for (const source of ['yahoo', 'tiingo', 'eodhd', 'cboe', 'finnhub', 'fmp', 'sec', 'massive']) {
      const partitions = await partitionsOf(source, { symbols }, NOW_MS);
      expect(partitions.flatMap((one) => one.symbols ?? [])).toEqual(symbols);
    }
    expect(await partitionsOf('tiingo', { symbols }, NOW_MS)).toHaveLength(5);
  });

  it('about what is stored already is nothing', async () => {
    const lastStoredDays = Object.fromEntries(symbols.map((one) => [one, day('2026-11-20')]));
    expect(await partitionsOf('tiingo', { symbols, lastStoredDays }, NOW_MS)).toEqual([]);
    expect(await partitionsOf('massive', { wholeMarketDay: day('2026-11-20') }, NOW_MS)).toEqual(
      [],
    );
  });

  it('about symbols of which the same days are missing stays one, as far as its pages allow', async () => {
    const many = Array.from({ length: 900 }, (_, i) => `S${i}`);
    const lastStoredDays = Object.fromEntries(many.map((one) => [one, day('2026-11-19')]));
    const daily = await partitionsOf('alpaca', { symbols: many, lastStoredDays }, NOW_MS);
    expect(daily.map((one) => one.symbols?.length)).toEqual([500, 400]);
    const minutes = await partitionsOf('alpaca', { symbols: ['A', 'B'], interval: '1m' }, NOW_MS);
    expect(minutes.map((one) => one.symbols)).toEqual([['A'], ['B']]);
  });

  it('about the whole market is cut by days, or by months where these share a list', async () => {
    const days = { fromDay: day('2026-11-18'), toDay: day('2026-11-20') };
    expect((await partitionsOf('eodhd', days, NOW_MS)).map(({ fromDay }) => fromDay)).toEqual([
      day('2026-11-18'),
      day('2026-11-19'),
      day('2026-11-20'),
    ]);
    const months = await partitionsOf('massive', { ...days, fromDay: day('2026-09-28') }, NOW_MS);
    expect(months).toMatchObject([
      { fromDay: day('2026-09-28'), toDay: day('2026-09-30') },
      { fromDay: day('2026-10-01'), toDay: day('2026-10-30') },
      { fromDay: day('2026-11-02'), toDay: day('2026-11-20') },
    ]);
    // One list of splits and dividends serves them all.
    expect(new Set(months.map(({ actionsFromDay }) => actionsFromDay))).toEqual(
      new Set([day('2026-09-14')]),
    );
    expect(await partitionsOf('massive', days, NOW_MS)).toEqual([days]);
  });

  it('about filings is cut by quarter, the current one by day', async () => {
    const partitions = await partitionsOf('form4', { fromDay: day('2026-09-29') }, NOW_MS);
    expect(partitions[0]).toEqual({ fromDay: day('2026-09-29'), toDay: day('2026-09-30') });
    expect(partitions[1]).toEqual({ fromDay: day('2026-10-01'), toDay: day('2026-10-01') });
    expect(partitions.at(-1)).toEqual({ fromDay: day('2026-11-20'), toDay: day('2026-11-20') });
  });

  it('is named by its symbols and days', () => {
    expect(partitionTitle({ symbols })).toBe('S0 … S44 (45 symbols)');
    expect(partitionTitle({ symbols: ['A', 'B'], fromDay: day('2026-11-20') })).toBe(
      'A, B 2026-11-20/',
    );
    expect(partitionTitle({ fromDay: day('2026-11-20'), toDay: day('2026-11-20') })).toBe(
      '2026-11-20',
    );
    expect(partitionTitle({})).toBe('all');
  });
});
