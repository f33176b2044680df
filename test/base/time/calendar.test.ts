import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  isSession,
  latestCompletedSession,
  momentFromNewYorkClock,
  newYorkClockMs,
  newYorkDay,
  newYorkOffsetMs,
  nextSession,
  previousSession,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate, weekdayFromDay } from '../../../src/base/time/dates.ts';
import { scaled } from '../../faults/scale.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { readZipMembers } from '../../support/zip-members.ts';

const at = (text: string) => Date.parse(text);
const isOpen = (date: string) => isSession(dayFromDate(date));
const closeOf = (date: string) => new Date(sessionCloseMs(dayFromDate(date))).toISOString();
const openOf = (date: string) => new Date(sessionOpenMs(dayFromDate(date))).toISOString();

/** Weekdays of a year without a session. */
function closedWeekdays(year: number): string[] {
  const dates: string[] = [];
  for (let day = dayFromDate(`${year}-01-01`); day <= dayFromDate(`${year}-12-31`); day++) {
    const weekday = weekdayFromDay(day);
    if (weekday > 0 && weekday < 6 && !isSession(day)) dates.push(dateFromDay(day).slice(5));
  }
  return dates;
}

describe.skipIf(!hasRealdata)('the calendar file of 1990 to January 2023', () => {
  const lines = readFileSync(realdata('reference/calendars/xnys.csv'), 'utf8').trim().split('\n');
  const rows = lines.slice(1).map((line) => line.split(','));

  it('has exactly our sessions', () => {
    const ours = sessionsBetween(dayFromDate('1990-01-01'), dayFromDate('2023-01-13'));
    expect(Array.from(ours, dateFromDay)).toEqual(rows.map(([day]) => day.slice(0, 10)));
  });

  it('opens and closes each session when we do', () => {
    const differing = rows.filter(([text, open, close]) => {
      const day = dayFromDate(text.slice(0, 10));
      return sessionOpenMs(day) !== at(open) || sessionCloseMs(day) !== at(close);
    });
    expect(differing).toEqual([]);
  });
});

describe('forty years of two kept calendars', () => {
  // Weekdays on which one of them is closed or does not close at 16:00.
  const lines = readFileSync('test/fixtures/nyse-closes.csv', 'utf8').trim().split('\n').slice(1);
  const kept = new Map(lines.map((line) => [line.slice(0, 10), line.split(',').slice(1)]));

  it('have our closes, but for those that docs/sessions.md decides', () => {
    const differing: string[] = [];
    for (let day = dayFromDate('1986-11-28'); day <= dayFromDate('2026-11-27'); day++) {
      const weekday = weekdayFromDay(day);
      if (weekday === 0 || weekday === 6) continue;
      const date = dateFromDay(day);
      const clock = () => new Date(newYorkClockMs(sessionCloseMs(day))).toISOString().slice(11, 16);
      const ours = isSession(day) ? clock() : 'closed';
      const [first, second] = kept.get(date) ?? ['16:00', '16:00'];
      if (ours !== first || ours !== second) differing.push(`${date} ${ours} ${first} ${second}`);
    }
    expect(differing.filter((line) => !/^198[67]/.test(line))).toEqual([
      '1994-02-11 16:00 16:00 14:30',
      '1996-01-08 16:00 16:00 14:00',
      '1997-10-27 16:00 16:00 15:30',
      '1999-12-31 13:00 13:00 16:00',
      '2005-06-01 16:00 16:00 15:56',
    ]);
    const inAutumn = differing.filter((line) => /^1987-1[01]/.test(line));
    expect(inAutumn.map((line) => line.split(' ')[2])).toEqual(inAutumn.map(() => '16:00'));
    expect(differing.filter((line) => /^198[67]-12/.test(line))).toEqual([
      '1986-12-24 16:00 14:00 16:00',
      '1987-12-24 16:00 14:00 16:00',
    ]);
  });
});

describe.skipIf(!hasRealdata)('the trading days of old shares in universe_2017.zip', () => {
  it('are our sessions of 1970 to 1989, but for a day the vendor lacks', async () => {
    const members = ['ko', 'dis', 'ba', 'xom', 'pg'].map((name) => `Stocks/${name}.us.txt`);
    const texts = await readZipMembers(realdata('daily/universe_2017.zip'), members);
    const traded = new Set<string>();
    for (const text of texts.values()) {
      for (const line of text.split('\n')) if (/^19[78]/.test(line)) traded.add(line.slice(0, 10));
    }
    const ours = Array.from(
      sessionsBetween(dayFromDate('1970-01-01'), dayFromDate('1989-12-31')),
      dateFromDay,
    );
    expect([...traded].filter((date) => !ours.includes(date))).toEqual([]);
    expect(ours.filter((date) => !traded.has(date))).toEqual(['1970-11-16']);
  });
});

describe('sessions', () => {
  it.each([
    [2026, '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25'],
    // New Year 2028 falls on a Saturday.
    [2027, '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24'],
    // An election year with Saturday holidays.
    [1964, '01-01 02-21 03-27 05-29 07-03 09-07 11-03 11-26 12-25'],
  ])('misses the holidays of %i', (year, dates) => {
    expect(closedWeekdays(year).join(' ')).toBe(dates);
  });

  it('knows the four-day weeks of 1968', () => {
    const dates = closedWeekdays(1968);
    const wednesdays = dates.filter((date) => weekdayFromDay(dayFromDate(`1968-${date}`)) === 3);
    expect(wednesdays.join(' ')).toBe(
      '06-12 06-19 06-26 07-10 07-17 07-24 07-31 08-07 08-14 08-21 08-28 09-11 09-18 09-25 ' +
        '10-02 10-09 10-16 10-23 10-30 11-20 12-04 12-11 12-18 12-25',
    );
    expect(dates).toEqual(expect.arrayContaining(['02-12', '04-09', '07-05', '11-11', '11-05']));
  });

  it('kept 29 May 1970 open and mourned President Carter', () => {
    expect(isOpen('1970-05-29')).toBe(true);
    expect(isOpen('2025-01-09')).toBe(false);
  });

  it('has none on any Saturday or Sunday', () => {
    const days = sessionsBetween(CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY);
    expect(days.every((day) => weekdayFromDay(day) >= 1 && weekdayFromDay(day) <= 5)).toBe(true);
  });

  it('steps over weekends and holidays', () => {
    expect(dateFromDay(nextSession(dayFromDate('2026-07-02')))).toBe('2026-07-06');
    expect(dateFromDay(previousSession(dayFromDate('2026-07-06')))).toBe('2026-07-02');
    expect(dateFromDay(nextSession(dayFromDate('2026-07-04')))).toBe('2026-07-06');
  });

  it('gives no session of an empty span', () => {
    expect(sessionsBetween(dayFromDate('2026-07-03'), dayFromDate('2026-07-05')).length).toBe(0);
    expect(sessionsBetween(dayFromDate('2026-07-09'), dayFromDate('2026-07-06')).length).toBe(0);
  });

  // Bars of 1960 ended the load of a universe with an error of the calendar.
  it('gives no session of days it does not cover, and those of a part that it covers', () => {
    expect(sessionsBetween(dayFromDate('1950-01-03'), dayFromDate('1961-12-29')).length).toBe(0);
    const part = sessionsBetween(dayFromDate('1925-12-31'), dayFromDate('1962-01-03'));
    expect([...part].map(dateFromDay)).toEqual(['1962-01-02', '1962-01-03']);
    expect(sessionsBetween(dayFromDate('2035-12-31'), dayFromDate('2036-06-30')).length).toBe(1);
  });

  it('refuses days it has no rules for', () => {
    expect(() => isSession(dayFromDate('1961-12-29'))).toThrow(/1962-01-01 to 2035-12-31/);
    expect(() => nextSession(CALENDAR_LAST_DAY)).toThrow(/1962-01-01 to 2035-12-31/);
    expect(() => sessionCloseMs(dayFromDate('2026-07-04'))).toThrow('2026-07-04 has no session');
  });
});

describe('session hours', () => {
  it('close at 13:00 on half days', () => {
    expect(closeOf('2024-07-03')).toBe('2024-07-03T17:00:00.000Z');
    expect(closeOf('2025-11-28')).toBe('2025-11-28T18:00:00.000Z');
    expect(closeOf('2025-12-24')).toBe('2025-12-24T18:00:00.000Z');
  });

  it('are full on 2 July 2026, before an observed holiday', () => {
    expect(closeOf('2026-07-02')).toBe('2026-07-02T20:00:00.000Z');
  });

  it('were 10:00 to 15:30 until 1974 and open at 9:30 since 30 September 1985', () => {
    expect([openOf('1962-01-02'), closeOf('1962-01-02')]).toEqual([
      '1962-01-02T15:00:00.000Z',
      '1962-01-02T20:30:00.000Z',
    ]);
    expect(closeOf('1974-10-01')).toBe('1974-10-01T20:00:00.000Z');
    expect(openOf('1985-09-26')).toBe('1985-09-26T14:00:00.000Z');
    expect(openOf('1985-09-30')).toBe('1985-09-30T13:30:00.000Z');
  });

  it('were shorter in the paperwork crisis', () => {
    expect(closeOf('1969-08-04')).toBe('1969-08-04T18:30:00.000Z');
  });
});

describe('latestCompletedSession', () => {
  const latest = (text: string) => dateFromDay(latestCompletedSession(at(text)));

  it('turns to a day at its close, not before', () => {
    expect(latest('2026-11-20T20:59:59.999Z')).toBe('2026-11-19');
    expect(latest('2026-11-20T21:00:00.000Z')).toBe('2026-11-20');
    expect(latest('2026-11-27T17:59:59.999Z')).toBe('2026-11-25');
    expect(latest('2026-11-27T18:00:00.000Z')).toBe('2026-11-27');
  });

  it('stays on Friday over the weekend', () => {
    expect(latest('2026-11-22T23:00:00Z')).toBe('2026-11-20');
  });

  it("goes by New York's date", () => {
    expect(latest('2026-11-21T03:00:00Z')).toBe('2026-11-20');
    expect(dateFromDay(newYorkDay(at('2026-11-21T04:59:59Z')))).toBe('2026-11-20');
    expect(dateFromDay(newYorkDay(at('2026-11-21T05:00:00Z')))).toBe('2026-11-21');
  });
});

describe('newYorkOffsetMs', () => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    timeZoneName: 'longOffset',
  });
  function offsetByIntl(ms: number): number {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
    return Number(name.replace('GMT', '').split(':')[0]) * 3_600_000;
  }

  it('equals the time-zone database around every change and between them, 1962 to 2037', () => {
    const wrong: string[] = [];
    const check = (ms: number) => {
      if (newYorkOffsetMs(ms) !== offsetByIntl(ms)) wrong.push(new Date(ms).toISOString());
    };
    const stepMs = scaled(7 * 24, 12) * 3_600_000;
    for (let ms = at('1962-01-01'); ms < at('2038-01-01'); ms += stepMs) {
      check(ms);
      if (newYorkOffsetMs(ms) === newYorkOffsetMs(ms + stepMs)) continue;
      let [low, high] = [ms, ms + stepMs];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (newYorkOffsetMs(middle) === newYorkOffsetMs(ms)) low = middle;
        else high = middle;
      }
      check(low);
      check(high);
    }
    expect(wrong).toEqual([]);
  });
});

describe('momentFromNewYorkClock', () => {
  it('gives back every moment of the days around a change, but the first of two equal hours', () => {
    const others: string[] = [];
    for (const date of ['2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01', '1975-02-23']) {
      for (let ms = at(date); ms < at(date) + 48 * 3_600_000; ms += 15 * 60_000) {
        if (momentFromNewYorkClock(newYorkClockMs(ms)) !== ms)
          others.push(new Date(ms).toISOString());
      }
    }
    const twice = ['00', '15', '30', '45'].map((minute) => `2026-11-01T05:${minute}:00.000Z`);
    // Both of the ranges that hold the first of November.
    expect(others).toEqual([...twice, ...twice]);
  });

  it('gives the times of both sides of each change', () => {
    const moments = [
      '2026-03-08T01:59',
      '2026-03-08T03:00',
      '2026-11-01T00:59',
      '2026-11-01T02:00',
    ];
    expect(
      moments.map((clock) => new Date(momentFromNewYorkClock(at(`${clock}Z`))).toISOString()),
    ).toEqual([
      '2026-03-08T06:59:00.000Z',
      '2026-03-08T07:00:00.000Z',
      '2026-11-01T04:59:00.000Z',
      '2026-11-01T07:00:00.000Z',
    ]);
  });
});
