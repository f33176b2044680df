import { describe, expect, it } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { dateShiftOf } from '../../../src/ingest/timing/day-shift.ts';

const plain = (days: Iterable<number>, minute = 0) =>
  Array.from(days, (day) => ({ day, minute, count: 1 }));
const sessions = (from: string, to: string, move: number) =>
  Array.from(sessionsBetween(dayFromDate(from), dayFromDate(to)), (day) => day + move);

describe('dates that are no sessions', () => {
  it('are a day early if the next day explains all of them', () => {
    expect(dateShiftOf(plain(sessions('2024-01-02', '2024-03-28', -1)), false)).toEqual({
      shift: 'next',
      fact: 'of its 61 dates 10 are Sundays (2024-01-07) and none is a Friday',
      isPart: false,
    });
    expect(dateShiftOf(plain([19785, 19786, 19787]), false)?.shift).toBe('next');
  });

  it('are a day late if the day before explains them', () => {
    expect(dateShiftOf(plain(sessions('2024-01-02', '2024-03-28', 1)), false)?.shift).toBe(
      'previous',
    );
  });

  it('are a day early also where a vendor fills holidays with the last price', () => {
    const weekdays = Array.from({ length: 166 }, (_, i) => dayFromDate('2023-10-02') + i).filter(
      (day) => ![2, 3].includes(day % 7),
    );
    // Singapore's midnight is at 16:00 of the day before, in UTC.
    const dates = plain(
      weekdays.map((day) => day - 1),
      16 * 60,
    );
    expect(dateShiftOf(dates, true)?.shift).toBe('next');
    expect(dateShiftOf(plain(weekdays, 16 * 60), true)).toBeUndefined();
  });

  it('are taken as written if they trade all days, or no shift explains them', () => {
    const all = Array.from({ length: 60 }, (_, i) => 19700 + i);
    expect(dateShiftOf(plain(all), false)).toBeUndefined();
    expect(dateShiftOf(plain(sessions('2024-01-02', '2024-03-28', 0)), false)).toBeUndefined();
    // One stray Sunday.
    const stray = [...sessions('2024-01-02', '2024-03-28', 0), dayFromDate('2024-02-04')];
    expect(dateShiftOf(plain(stray), false)).toBeUndefined();
    expect(dateShiftOf(plain(sessions('2024-01-02', '2024-01-04', 0)), false)).toBeUndefined();
  });

  it('move by their time of day: London has its midnight in UTC in winter only', () => {
    const winter = plain(sessions('2024-01-02', '2024-03-28', 0));
    const summer = plain(sessions('2024-04-01', '2024-06-28', -1), 23 * 60);
    expect(dateShiftOf([...winter, ...summer], true)?.shift).toBe('next');
    // A client in Sydney shows New York's opening at 01:30 of the next day, or 23:30 of the same.
    const early = plain(sessions('2024-01-02', '2024-03-28', 1), 90);
    const late = plain(sessions('2024-04-08', '2024-06-28', 0), 23 * 60 + 30);
    expect(dateShiftOf([...early, ...late], true)?.shift).toBe('previous');
  });
});
