import { describe, expect, it } from 'vitest';
import { qualityReport } from '../../../jobs/inspect/quality-report.ts';
import type { Basis } from '../../../src/base/bars.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { freshPaths, segmentOf, type TestBar } from '../../store/duckdb/support/fixtures.ts';
import { loadAll } from '../support/store.ts';

/** A bar of every session between two dates but those left out, closes rising. */
function sessionBars(from: string, to: string, without: readonly string[] = []): TestBar[] {
  return [...sessionsBetween(dayFromDate(from), dayFromDate(to))]
    .map((day, i): TestBar => [dateFromDay(day), 100 + i])
    .filter(([date]) => !without.includes(date));
}

async function storeOf(
  bySymbol: Record<string, TestBar[]>,
  basis: Basis = 'all',
): Promise<ModePaths> {
  const paths = freshPaths();
  const files = Object.entries(bySymbol).map(([symbol, bars]) => ({ symbol, bars }));
  await loadAll(paths, segmentOf(files, { basis }));
  return paths;
}

describe('qualityReport', () => {
  it('groups missing sessions into holes, across weekends and holidays', async () => {
    const without = ['2025-01-17', '2025-01-21', '2025-01-22', '2025-02-03'];
    const paths = await storeOf({
      ABC: sessionBars('2025-01-02', '2025-02-14', without),
      SOUND: sessionBars('2025-01-02', '2025-02-14'),
    });
    const report = await qualityReport(paths);
    expect(report).toMatchObject({
      symbolCount: 2,
      barCount: 30 + 26,
      newestDay: dayFromDate('2025-02-14'),
      notFound: [],
    });
    // Monday the 20th was a holiday, so the first three are neighbours.
    expect(report.series.map(({ symbol, holes }) => [symbol, holes])).toEqual([
      [
        'ABC',
        [
          { fromDay: dayFromDate('2025-01-17'), toDay: dayFromDate('2025-01-22'), sessions: 3 },
          { fromDay: dayFromDate('2025-02-03'), toDay: dayFromDate('2025-02-03'), sessions: 1 },
        ],
      ],
    ]);
  });

  it('calls a series stopped that is a week behind the newest of the mode', async () => {
    const paths = await storeOf({
      NEW: sessionBars('2025-01-02', '2025-02-14'),
      LATE: sessionBars('2025-01-02', '2025-02-07'),
      GONE: sessionBars('2025-01-02', '2025-02-06'),
    });
    const { series } = await qualityReport(paths, { symbols: ['GONE', 'LATE', 'NOPE'] });
    expect(series.map((one) => [one.symbol, one.sessionsBehind, one.hasStopped])).toEqual([
      ['GONE', 6, true],
    ]);
    const { notFound } = await qualityReport(paths, { symbols: ['NOPE', 'NEW'] });
    expect(notFound).toEqual(['NOPE']);
  });

  it('counts everything but lists no more than it may', async () => {
    const without = ['2025-01-17', '2025-01-23'];
    const bars = sessionBars('2025-01-02', '2025-02-14', without);
    const paths = await storeOf({ A: bars, B: bars });
    const { series } = await qualityReport(paths, { findingsMax: 3 });
    expect(series.map(({ holeCount, missingSessions }) => [holeCount, missingSessions])).toEqual([
      [2, 2],
      [2, 2],
    ]);
    expect(series.map(({ isListed, holes }) => [isListed, holes.length]).sort()).toEqual([
      [false, 0],
      [true, 2],
    ]);
  });

  it('looks for flags only when asked, and dates them', async () => {
    const bars = sessionBars('2025-01-02', '2025-03-31');
    const flat = bars.map(([date, close], i): TestBar => [date, i < 20 ? close : 120]);
    const cents = bars.map(([date, close], i): TestBar => [date, i < 30 ? close : close * 100]);
    const paths = await storeOf({ CENTS: cents, FLAT: flat });
    expect((await qualityReport(paths)).series).toEqual([]);
    const { series } = await qualityReport(paths, { withFlags: true });
    expect(series.map(({ symbol, flags }) => [symbol, flags])).toMatchObject([
      ['CENTS', [{ flag: 'unit-jump', expected: 100, fromDay: dayFromDate(bars[30][0]) }]],
      [
        'FLAT',
        [
          {
            flag: 'unchanged-run',
            value: bars.length - 20,
            fromDay: dayFromDate(bars[20][0]),
            toDay: dayFromDate('2025-03-31'),
          },
        ],
      ],
    ]);
  });

  it('calls nothing missing before the calendar begins', async () => {
    const paths = await storeOf({
      OLD: [
        ['1950-01-03', 10],
        ['1955-01-03', 11],
        ['1962-01-03', 12],
      ],
    });
    const { series } = await qualityReport(paths);
    const firstSession = dayFromDate('1962-01-02');
    expect(series.map(({ holes }) => holes)).toEqual([
      [{ fromDay: firstSession, toDay: firstSession, sessions: 1 }],
    ]);
  });

  it('is empty for a store without bars', async () => {
    const paths = await storeOf({});
    expect(await qualityReport(paths)).toEqual({
      symbolCount: 0,
      barCount: 0,
      newestDay: undefined,
      series: [],
      notFound: [],
    });
  });
});
