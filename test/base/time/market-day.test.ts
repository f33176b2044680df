import { describe, expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { newestMarketDay } from '../../../src/base/time/market-day.ts';

/** @param series By symbol its newest day and the one before it. */
function marketDay(...series: (readonly [newest: string, before?: string])[]): string | undefined {
  const dayOf = (date?: string) => (date === undefined ? undefined : dayFromDate(date));
  const day = newestMarketDay(
    series.map(([newest]) => dayFromDate(newest)),
    (place) => dayOf(series[place][1]),
  );
  return day === undefined ? undefined : dateFromDay(day);
}

const FRIDAY = ['2024-03-01', '2024-02-29'] as const;

describe('the newest day of a market', () => {
  it('is that of most symbols, and of one that goes on longer', () => {
    expect(marketDay(FRIDAY, FRIDAY, ['2023-11-10', '2023-11-09'])).toBe('2024-03-01');
    expect(marketDay(FRIDAY, FRIDAY, ['2024-03-04', '2024-03-01'])).toBe('2024-03-04');
    expect(marketDay(['2017-11-10', '2017-11-09'], FRIDAY)).toBe('2024-03-01');
  });

  // One row a year late emptied the universe `active`.
  it('is not moved by a bar far after all others of its symbol', () => {
    expect(marketDay(FRIDAY, FRIDAY, ['2025-03-03', '2024-02-29'])).toBe('2024-03-01');
    expect(marketDay(FRIDAY, FRIDAY, ['2025-03-03'])).toBe('2024-03-01');
    expect(marketDay(FRIDAY, FRIDAY, ['2024-03-11', '2024-03-01'])).toBe('2024-03-01');
  });

  // A Saturday of one symbol became the newest day of the market.
  it('is no day without a session, unless most symbols trade on it', () => {
    expect(marketDay(FRIDAY, FRIDAY, ['2024-03-02', '2024-03-01'])).toBe('2024-03-01');
    expect(marketDay(FRIDAY, ['2024-03-02', '2024-03-01'], ['2024-03-02', '2024-03-01'])).toBe(
      '2024-03-02',
    );
  });

  it('is the bar before one that is passed over, whatever others ended long ago', () => {
    const ended = ['2017-11-10', '2017-11-09'] as const;
    expect(marketDay(ended, ['2024-03-02', '2024-03-01'])).toBe('2024-03-01');
    expect(marketDay(ended, ['2025-03-03', '2024-03-01'])).toBe('2024-03-01');
  });

  it('is the day of the only bar, and none without any', () => {
    expect(marketDay(['2024-03-02'])).toBe('2024-03-02');
    expect(marketDay()).toBeUndefined();
  });
});
