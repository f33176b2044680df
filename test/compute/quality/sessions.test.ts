import { describe, expect, it } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { closedDays, missingSessions } from '../../../src/compute/quality/sessions.ts';

const days = (...dates: string[]) => Int32Array.from(dates, (date) => dayFromDate(date));

describe('closedDays', () => {
  it('flags Thanksgiving and a Saturday, and no half day', () => {
    expect(closedDays(days('2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'))).toEqual([
      { row: 1, flag: 'closed-day', value: 1, expected: 0 },
      { row: 3, flag: 'closed-day', value: 1, expected: 0 },
    ]);
  });

  it('flags the days on which the exchange closed unplanned', () => {
    expect(closedDays(days('2001-09-10', '2001-09-11', '2012-10-29', '2012-10-31'))).toMatchObject([
      { row: 1 },
      { row: 2 },
    ]);
  });

  it('knows nothing of years without a calendar', () => {
    expect(closedDays(days('1961-12-25', '2036-01-01'))).toEqual([]);
  });
});

describe('missingSessions', () => {
  it('finds nothing in all sessions of ten years', () => {
    const all = sessionsBetween(dayFromDate('2010-01-01'), dayFromDate('2019-12-31'));
    expect(missingSessions(all)).toEqual([]);
  });

  it('counts sessions, not days: Thanksgiving and weekends are no holes', () => {
    expect(missingSessions(days('2026-11-25', '2026-11-27', '2026-11-30', '2026-12-03'))).toEqual([
      { row: 3, flag: 'missing-sessions', value: 2, expected: 0 },
    ]);
  });

  it('is not led astray by bars on days without a session', () => {
    expect(missingSessions(days('2026-11-26', '2026-11-27', '2026-11-28', '2026-12-01'))).toEqual([
      { row: 3, flag: 'missing-sessions', value: 1, expected: 0 },
    ]);
  });

  it('knows nothing of years without a calendar', () => {
    expect(missingSessions(days('1950-01-03', '1961-12-29', '1962-01-02'))).toEqual([]);
    expect(missingSessions(days('1950-01-03', '1962-01-03'))).toMatchObject([{ row: 1, value: 1 }]);
    expect(missingSessions(days('2035-12-31', '2040-01-03'))).toEqual([]);
    expect(missingSessions(days('1950-01-03', '1950-03-01'))).toEqual([]);
    expect(missingSessions(days('2040-01-03', '2040-03-01'))).toEqual([]);
  });

  it('gives nothing for nothing', () => {
    expect(missingSessions(new Int32Array(0))).toEqual([]);
  });
});
