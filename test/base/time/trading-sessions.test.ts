import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { newYorkClockMs, newYorkMomentMs } from '../../../src/base/time/calendar.ts';
import { useOvernightHours } from '../../../src/base/time/calendar-rules.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { TRADING_SESSIONS } from '../../../src/base/time/intervals.ts';
import {
  fillSessions,
  hoursOfTradingDay,
  isChosen,
  tradingDayStartMs,
} from '../../../src/base/time/trading-sessions.ts';

/** Returns `session tradeDate` of a bar that starts at a time in New York. */
function sessionAt(clock: string): string {
  const [date, time] = clock.split(' ');
  const [hour, minute] = time.split(':').map(Number);
  const ms = newYorkMomentMs(dayFromDate(date), hour * 60 + minute);
  const [sessions, tradeDays] = [new Int32Array(1), new Int32Array(1)];
  fillSessions(Float64Array.of(ms), -9999, { sessions, tradeDays });
  const session = TRADING_SESSIONS[sessions[0]] ?? 'none';
  return `${session} ${tradeDays[0] === -9999 ? 'none' : dateFromDay(tradeDays[0])}`;
}

describe('the session and the trade date of a bar', () => {
  it.each([
    ['a minute of the overnight session', '2026-03-10 02:00', 'overnight 2026-03-10'],
    ['the evening before', '2026-03-09 20:00', 'overnight 2026-03-10'],
    ['the minute before 20:00', '2026-03-09 19:59', 'post 2026-03-09'],
    ['the last overnight minute', '2026-03-10 03:59', 'overnight 2026-03-10'],
    ['the first minute before the open', '2026-03-10 04:00', 'pre 2026-03-10'],
    ['the last minute before the open', '2026-03-10 09:29', 'pre 2026-03-10'],
    ['the opening minute', '2026-03-10 09:30', 'regular 2026-03-10'],
    ['the last regular minute', '2026-03-10 15:59', 'regular 2026-03-10'],
    ['the minute of the closing auction', '2026-03-10 16:00', 'post 2026-03-10'],
    ['the closing auction of a half day', '2026-11-27 13:00', 'post 2026-11-27'],
    ['the last regular minute of a half day', '2026-11-27 12:59', 'regular 2026-11-27'],
    ['a half day at 16:59', '2026-11-27 16:59', 'post 2026-11-27'],
    ['a half day after 17:00', '2026-11-27 17:00', 'none 2026-11-27'],
    [
      'Sunday 21:30 after the feeds run around the clock',
      '2026-12-06 21:30',
      'overnight 2026-12-07',
    ],
    ['Sunday 20:30 before they open', '2026-12-06 20:30', 'none 2026-12-07'],
    ['Sunday 20:30 on Blue Ocean', '2026-11-22 20:30', 'overnight 2026-11-23'],
    ['Friday after 20:00', '2026-12-11 20:30', 'none none'],
    ['Saturday noon', '2026-12-12 12:00', 'none none'],
    ['Thursday 20:30 in the plan', '2026-12-10 20:30', 'overnight 2026-12-11'],
    ['the evening before Thanksgiving', '2026-11-25 21:30', 'none none'],
    ['the evening of Thanksgiving', '2026-11-26 21:30', 'overnight 2026-11-27'],
    ['the evening before Christmas', '2026-12-24 21:30', 'none none'],
    ['Sunday evening before a Monday holiday', '2027-01-17 21:30', 'none none'],
    ['Monday evening of a holiday, from 21:00 on', '2027-01-18 21:00', 'overnight 2027-01-19'],
    ['Monday evening of a holiday, before 21:00', '2027-01-18 20:59', 'none 2027-01-19'],
    ['Friday before a Monday session', '2026-12-11 19:59', 'post 2026-12-11'],
    ['an evening before any overnight market', '2015-03-10 20:30', 'none 2015-03-10'],
    ['a night before any overnight market', '2015-03-10 02:00', 'none 2015-03-10'],
    ['the Friday evening of 2015', '2015-03-13 20:30', 'none 2015-03-13'],
    ['the evening of the first of them', '2021-10-03 20:30', 'overnight 2021-10-04'],
    ['the hour that spring skips', '2026-03-08 21:00', 'overnight 2026-03-09'],
    ['the hour that autumn repeats', '2026-11-01 21:00', 'overnight 2026-11-02'],
    ['ten in the morning, when the exchange opened at ten', '1980-03-10 09:45', 'pre 1980-03-10'],
  ])('of %s', (_, clock, expected) => {
    expect(sessionAt(clock)).toBe(expected);
  });

  it('covers each trading day from 1986 to 2026 without gap or overlap, by the clocks', () => {
    let endMs = tradingDayStartMs(dayFromDate('1986-01-01'));
    for (let day = dayFromDate('1986-01-01'); day < dayFromDate('2027-01-01'); day++) {
      const hours = hoursOfTradingDay(day);
      for (const part of hours) {
        expect(part.startMs).toBe(endMs);
        endMs = part.endMs;
      }
      const open = hours.find(({ session }) => session === 'regular');
      if (open) expect(newYorkClockMs(open.startMs) % 86_400_000).toBe(9.5 * 3_600_000);
    }
    expect(endMs).toBe(tradingDayStartMs(dayFromDate('2027-01-01')));
  });

  it('follows rows of the settings, with those that the calendar knows', () => {
    onTestFinished(() => useOvernightHours([]));
    settingsFromEnv({ TAPEWORKS_OVERNIGHT_HOURS: '2027-03-01/21:30/22:00,2026-12-07/20:00/20:00' });
    expect(sessionAt('2027-03-01 21:29')).toBe('none 2027-03-02');
    expect(sessionAt('2027-03-01 21:30')).toBe('overnight 2027-03-02');
    expect(sessionAt('2027-02-28 21:59')).toBe('none 2027-03-01');
    expect(sessionAt('2027-02-28 22:00')).toBe('overnight 2027-03-01');
    expect(sessionAt('2026-12-13 20:00')).toBe('overnight 2026-12-14');
    expect(sessionAt('2025-03-10 20:00')).toBe('overnight 2025-03-11');
  });

  it.each([
    '2027-03-01',
    '2027-02-30/20:00/20:00',
    '2027-03-01/19:00/21:00',
    '2027-03-01/20:60/21:00',
  ])('refuses the row %s', (row) => {
    expect(() => settingsFromEnv({ TAPEWORKS_OVERNIGHT_HOURS: row })).toThrow(
      /^TAPEWORKS_OVERNIGHT_HOURS must be rows DATE/,
    );
  });

  it('is part of a choice', () => {
    const chosen = (choice: 'regular' | 'extended' | 'all') =>
      [...TRADING_SESSIONS, undefined].filter((session) => isChosen(choice, session)).length;
    expect(['regular', 'extended', 'all'].map((one) => chosen(one as 'all'))).toEqual([1, 3, 5]);
  });
});
