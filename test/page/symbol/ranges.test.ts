/** Ranges of the chart: the bars that they load, and the row from which they show. */

import { describe, expect, it } from 'vitest';
import type { Series } from '../../../src/page/chart/series.ts';
import {
  firstRowOfRange,
  limitOfRange,
  rangeForInterval,
} from '../../../src/page/symbol/ranges.ts';

const DAY_MS = 86_400_000;

function seriesAt(timeMs: number[]): Series {
  const column = new Float64Array(timeMs.length);
  return {
    timeMs: Float64Array.from(timeMs),
    axisS: column,
    open: column,
    high: column,
    low: column,
    close: column,
    volume: column,
    indicators: new Map(),
  };
}

/** Every day up to 20 November 2026. */
const days = seriesAt(
  Array.from({ length: 3000 }, (_, i) => Date.UTC(2026, 10, 20) - (2999 - i) * DAY_MS),
);

const dateAt = (row: number) => new Date(days.timeMs[row]).toISOString().slice(0, 10);

describe('a range of days', () => {
  it.each([
    ['1d', '2026-11-20'],
    ['5d', '2026-11-16'],
    ['1m', '2026-10-20'],
    ['6m', '2026-05-20'],
    ['ytd', '2026-01-01'],
    ['1y', '2025-11-20'],
    ['5y', '2021-11-20'],
  ] as const)('%s begins on %s', (range, date) => {
    expect(dateAt(firstRowOfRange(days, range, true))).toBe(date);
  });

  it('of everything begins at the first bar, and one without bars at 0', () => {
    expect(firstRowOfRange(days, 'max', true)).toBe(0);
    expect(firstRowOfRange(seriesAt([]), '1y', true)).toBe(0);
  });
});

it('a session of minutes begins at its first bar in New York', () => {
  const friday = Date.parse('2026-11-20T14:30:00Z');
  const bars = seriesAt([friday - DAY_MS, friday, friday + 60_000, friday + 6 * 3_600_000]);
  expect(firstRowOfRange(bars, '1d', false)).toBe(1);
  expect(firstRowOfRange(bars, '5d', false)).toBe(0);
});

it('loads the bars of the range, everything for days, and a bounded number of minutes', () => {
  expect(limitOfRange('1y', '1d')).toBe(500);
  expect(limitOfRange('5y', '1d')).toBeGreaterThan(5 * 252);
  expect(limitOfRange('max', '1d')).toBe('all');
  expect(limitOfRange('5d', '1m')).toBeGreaterThan(5 * 390);
  expect(limitOfRange('1y', '1m')).toBe(20_000);
  expect(limitOfRange('max', '1m')).toBe(20_000);
});

it('keeps the range with another interval where it fits', () => {
  expect(rangeForInterval('6m', '1w')).toBe('6m');
  expect(rangeForInterval('1y', '1m')).toBe('1d');
  expect(rangeForInterval('1y', '5m')).toBe('5d');
  expect(rangeForInterval('1d', '1d')).toBe('1y');
  expect(rangeForInterval('max', '1d')).toBe('max');
});
