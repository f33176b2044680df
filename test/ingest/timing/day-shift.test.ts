import { describe, expect, it } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { dateShiftOf, shiftedDay } from '../../../src/ingest/timing/day-shift.ts';

const plain = (days: Iterable<number>, minute = 0) =>
  Array.from(days, (day) => ({ day, minute, count: 1 }));
const sessions = (from: string, to: string, move: number) =>
  Array.from(sessionsBetween(dayFromDate(from), dayFromDate(to)), (day) => day + move);

describe('dates that are no sessions', () => {
  it('are a day early if the next day explains all of them', () => {
    expect(dateShiftOf(plain(sessions('2024-01-02', '2024-03-28', -1)), false)).toEqual({
      shift: 'next',
      fact: 'of its 61 dates 10 are Sundays (2024-01-07) and none is a Friday',
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

  it('need two dates, or one at a weekend, if all sessions in a row explain them', () => {
    // Friday and Monday a day early: Sunday is no session, and Friday is missing.
    const early = dateShiftOf(plain(sessions('2024-03-08', '2024-03-11', -1)), false);
    expect(early?.shift).toBe('next');
    expect(early?.fact).toBe('2024-03-10 is a Sunday without a session and 2024-03-08 is missing');
    expect(dateShiftOf(plain(sessions('2024-03-08', '2024-03-11', 1)), false)?.shift).toBe(
      'previous',
    );
    expect(dateShiftOf(plain([dayFromDate('2024-03-03')]), false)?.shift).toBe('next');
    expect(dateShiftOf(plain([dayFromDate('2024-03-09')]), false)?.shift).toBe('previous');
    // Monday and Tuesday a day early were loaded as Sunday and Monday.
    expect(dateShiftOf(plain(sessions('2024-03-04', '2024-03-05', -1)), false)?.shift).toBe('next');
    expect(dateShiftOf(plain(sessions('2024-03-07', '2024-03-08', 1)), false)?.shift).toBe(
      'previous',
    );
    // Memorial Day instead of the Friday before.
    const holiday = dateShiftOf(plain(sessions('2024-05-24', '2024-05-31', -1)), false);
    expect(holiday?.fact).toBe(
      '2024-05-27 is a Monday without a session and 2024-05-24 is missing',
    );
    // A vendor fills a holiday with the last price, and a crypto currency trades all days.
    expect(dateShiftOf(plain([dayFromDate('2024-05-27')]), false)).toBeUndefined();
    const filled = Array.from({ length: 5 }, (_, i) => dayFromDate('2024-05-27') + i);
    expect(dateShiftOf(plain(filled), false)).toBeUndefined();
  });

  it('may be two days off, which no option moves', () => {
    for (const [from, to] of [
      ['2024-03-04', '2024-03-08'],
      ['2024-01-02', '2024-03-28'],
    ]) {
      for (const days of [2, -2]) {
        const found = dateShiftOf(plain(sessions(from, to, days)), false);
        expect(found?.shift).toBeUndefined();
        expect(found?.fact).toContain(`two days ${days > 0 ? 'earlier' : 'later'}`);
      }
    }
  });

  it('may be midnights further east if a few dates show no weekday', () => {
    const tuesdayToFriday = sessions('2024-03-05', '2024-03-08', -1);
    const berlin = dateShiftOf(plain(tuesdayToFriday, 23 * 60), true);
    expect(berlin?.fact).toBe('23:00 of 2024-03-04 may be midnight further east');
    expect(berlin?.doubt).toBe('the dates as written are days of trading, too');
    // A holiday among such midnights decides; it made the file load as written.
    const afterHoliday = dateShiftOf(
      plain(sessions('2024-01-02', '2024-01-05', -1), 23 * 60),
      true,
    );
    expect(afterHoliday).toEqual({
      shift: 'next',
      fact: '23:00 of 2024-01-01 may be midnight further east, and that day has no session',
    });
    const filled = plain([dayFromDate('2024-05-27'), dayFromDate('2024-05-28')], 16 * 60);
    expect(dateShiftOf(filled, true)).toBeUndefined();
    const singapore = (isUtc: boolean) =>
      dateShiftOf(
        plain(tuesdayToFriday, 16 * 60).map((date) => ({ ...date, isUtc })),
        true,
      );
    expect(singapore(true)?.shift).toBe('next');
    // New York's close on its own clock, and on UTC's in winter.
    expect(singapore(false)).toBeUndefined();
    const close = plain(tuesdayToFriday, 21 * 60).map((date) => ({ ...date, isUtc: true }));
    expect(dateShiftOf(close, true)).toBeUndefined();
    // From Monday to Friday, the next day would be a Saturday.
    expect(
      dateShiftOf(plain(sessions('2024-03-04', '2024-03-08', 0), 23 * 60), true),
    ).toBeUndefined();
  });

  // It was taken for another market, which trades on Saturdays.
  it('have the bars of one weekday on the weekend beside it', () => {
    const moved = (weekday: number, by: number) =>
      sessions('2024-01-02', '2024-03-28', 0).map((day) =>
        (day + 4) % 7 === weekday ? day + by : day,
      );
    expect(dateShiftOf(plain(moved(5, 1)), false)).toEqual({
      fact: '12 of its dates are Saturdays (2024-01-06), and the Fridays before have no bar',
    });
    expect(dateShiftOf(plain(moved(1, -1).toSorted((a, b) => a - b)), false)).toEqual({
      fact: '10 of its dates are Sundays (2024-01-07), and the Mondays after have no bar',
    });
  });

  it('are judged to the end, and only those that a shift moves', () => {
    // London's summer begins in the last two weeks.
    const winter = plain(sessions('2024-01-02', '2024-03-28', 0));
    const summer = plain(sessions('2024-04-01', '2024-04-12', -1), 23 * 60);
    expect(dateShiftOf([...winter, ...summer], true)).toEqual({
      shift: 'next',
      fact: 'of its 10 dates 2 are Sundays (2024-03-31) and none is a Friday',
    });
    const late = plain(sessions('2024-04-01', '2024-05-10', -1));
    expect(dateShiftOf([...winter, ...late], false)?.doubt).toBe(
      'its other dates are sessions as written',
    );
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

  it('move in winter too: Tokyo has its midnight at 10:00 or 11:00 in New York', () => {
    const winter = plain(sessions('2024-01-02', '2024-03-08', -1), 10 * 60);
    const summer = plain(sessions('2024-03-11', '2024-06-28', -1), 11 * 60);
    expect(dateShiftOf([...winter, ...summer], true)).toEqual({
      shift: 'next',
      fact: 'of its 124 dates 22 are Sundays (2024-01-07) and none is a Friday',
    });
    expect(shiftedDay(winter[0], 'next', true)).toBe(winter[0].day + 1);
    // The close on the clock of Auckland.
    const closes = plain(sessions('2024-01-02', '2024-03-08', 1), 10 * 60);
    expect(dateShiftOf(closes, true)?.shift).toBe('previous');
    expect(shiftedDay(closes[0], 'previous', true)).toBe(closes[0].day - 1);
  });

  it('are in doubt if a part of them has the time of another side', () => {
    // Sydney has its midnight at 08:00 or 10:00 in New York.
    const winter = plain(sessions('2024-01-02', '2024-03-08', -1), 8 * 60);
    const summer = plain(sessions('2024-04-08', '2024-06-28', -1), 10 * 60);
    expect(dateShiftOf([...winter, ...summer], true)).toMatchObject({
      shift: 'next',
      doubt: 'the time of 2024-01-07 is of that day',
    });
  });
});
