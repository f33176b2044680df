import { describe, expect, it } from 'vitest';
import { isSession, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { sandboxExpirations } from '../../src/sandbox/options.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay: dayFromDate('2021-01-04'), toDay, stocks: 200 });
const stocks = universe.filter(({ type, lastDay }) => type === 'stock' && lastDay === undefined);
const datesOn = (security: (typeof stocks)[0], date: string) =>
  sandboxExpirations(security, { afterMs: 0, throughMs: sessionCloseMs(dayFromDate(date)) }).map(
    (row) => dateFromDay(row.date),
  );

describe('expirations of the sandbox', () => {
  it('are sessions in rising order, a year ahead or more', () => {
    for (const security of stocks) {
      const days = datesOn(security, '2026-11-20').map((date) => dayFromDate(date));
      expect(days.every((day) => isSession(day))).toBe(true);
      expect(days).toEqual([...new Set(days)].sort((a, b) => a - b));
      expect(days.at(-1)).toBeGreaterThanOrEqual(toDay + 360);
    }
  });

  it('are every third Friday, the day before where that is a holiday', () => {
    const dates = stocks.map((security) => datesOn(security, '2026-11-20'));
    const small = dates.reduce((a, b) => (b.length < a.length ? b : a));
    expect(small).toEqual([
      '2026-11-20',
      '2026-12-18',
      '2027-01-15',
      '2027-02-19',
      '2027-03-19',
      '2027-04-16',
      '2027-05-21',
      // The 18th is the holiday of Juneteenth.
      '2027-06-17',
      '2027-07-16',
      '2027-08-20',
      '2027-09-17',
      '2027-10-15',
      '2027-11-19',
    ]);
  });

  it('of large companies are every week too, and in a January two years ahead', () => {
    const dates = stocks.map((security) => datesOn(security, '2026-11-20'));
    const large = dates.reduce((a, b) => (b.length > a.length ? b : a));
    expect(large).toEqual(
      expect.arrayContaining(['2026-11-27', '2026-12-04', '2026-12-24', '2028-01-21']),
    );
  });

  it('change with the week, on its first session', () => {
    const [security] = stocks;
    const asOf = (from: string, to: string) =>
      sandboxExpirations(security, {
        afterMs: sessionCloseMs(dayFromDate(from)),
        throughMs: sessionCloseMs(dayFromDate(to)),
      }).map((row) => new Date(row.asOf).toISOString());
    expect(asOf('2026-11-18', '2026-11-20')).toEqual([]);
    // Labor Day: the week begins on Tuesday.
    expect(new Set(asOf('2026-09-04', '2026-09-09'))).toEqual(
      new Set(['2026-09-08T13:30:00.000Z']),
    );
  });
});
