import { describe, expect, it } from 'vitest';
import { closedWeekdays, isClosedDay } from '../../../src/base/time/closed-days.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';

const isClosed = (date: string) => isClosedDay(dayFromDate(date));

describe('a day on which no US exchange trades', () => {
  it('is a weekend, a holiday or a closure of all exchanges', () => {
    const closed = ['2024-03-02', '2024-03-03', '2024-07-04', '2001-09-11', '2018-12-05'];
    expect(closed.filter((date) => !isClosed(date))).toEqual([]);
    expect(['2024-03-01', '2024-07-03', '2024-11-29'].filter(isClosed)).toEqual([]);
  });

  // Shares of Nasdaq have bars with a tenth of their volume on the day of hurricane Gloria.
  it('is none on which only the New York Stock Exchange was closed', () => {
    expect(['1985-09-27', '1977-07-14'].filter(isClosed)).toEqual([]);
  });

  it('is known from 1962 to 2035 alone', () => {
    expect(['1961-12-30', '2036-01-01'].filter(isClosed)).toEqual([]);
    expect([closedWeekdays().length > 600, closedWeekdays().every(isClosedDay)]).toEqual([
      true,
      true,
    ]);
  });
});
