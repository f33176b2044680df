import { expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { shiftedRuns } from '../../../src/ingest/timing/shifted-run.ts';
import { isTradingDay } from '../../../src/ingest/timing/week-days.ts';

/** Sessions of half a year to Friday 2024-06-28, of which some have two bars. */
function sessions(without: readonly string[], doubled: readonly string[]) {
  const days: { day: number; mark?: 'doubled' }[] = [];
  for (let day = dayFromDate('2024-01-02'); day <= dayFromDate('2024-06-28'); day++) {
    const date = dateFromDay(day);
    if (!isTradingDay(day) || without.includes(date)) continue;
    days.push(doubled.includes(date) ? { day, mark: 'doubled' } : { day });
  }
  return days;
}

it('a day with two bars and a session without one are the ends of dates a day early', () => {
  const [run] = shiftedRuns(sessions(['2024-06-28'], ['2024-06-25']));
  expect([run.marked, run.from, run.to, run.missing].map(dateFromDay)).toEqual([
    ...['2024-06-25', '2024-06-25', '2024-06-27', '2024-06-28'],
  ]);
});

// The last five days of a file to which ten newer rows were appended were refused.
it.each([
  [[], ['2024-06-24', '2024-06-25', '2024-06-26', '2024-06-27', '2024-06-28']],
  [['2024-06-17'], ['2024-06-10', '2024-06-11', '2024-06-12']],
])('days in a row with two bars each are newer rows, not dates a day early', (without, days) => {
  expect(shiftedRuns(sessions(without, days))).toEqual([]);
});
