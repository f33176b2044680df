import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { closedDays } from '../../../src/compute/quality/closed-days.ts';

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
