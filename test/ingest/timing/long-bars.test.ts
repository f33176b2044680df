import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { longBarsOfDays } from '../../../src/ingest/timing/long-bars.ts';
import { dayCounts, needLook } from '../../../src/store/duckdb/connection/day-counts.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';

const found = (...dates: string[]) => longBarsOfDays(dates.map((date) => dayFromDate(date)));
const words = (days: ArrayLike<number>) => longBarsOfDays(days)?.words;
const weeks = (from: string, count: number, step = 7) =>
  Array.from({ length: count }, (_, i) => dayFromDate(from) + i * step);
const sessions = (from: string, to: string) => [
  ...sessionsBetween(dayFromDate(from), dayFromDate(to)),
];

describe('weekly bars', () => {
  it('are a week apart', () => {
    expect(found('2024-01-08', '2024-01-15', '2024-01-22')).toEqual({
      words: 'weekly bars',
      fact: 'its dates are all Mondays, a week apart',
    });
    expect(words(weeks('2024-01-07', 4))).toBe('weekly bars');
    expect(words(weeks('2024-01-05', 9, 14))).toBe('bars of two weeks');
  });

  // 32 weeks without a weekday in common were called monthly bars.
  it('have one date in each week, whatever its weekday', () => {
    const drifting = weeks('2024-01-02', 32).map((day, i) => day + Math.floor(i / 8));
    expect(longBarsOfDays(drifting)).toEqual({
      words: 'weekly bars',
      fact: 'no two of 32 dates in a row are in one week',
    });
    const weekdays = [0, 2, 1, 4, 3];
    const mixed = weeks('2024-01-01', 24).map((day, i) => day + weekdays[i % 5]);
    expect([9, 10].map((count) => words(mixed.slice(0, count)))).toEqual([
      undefined,
      'weekly bars',
    ]);
    expect(needLook(dayCounts(mixed))).toBe(true);
    const one = [15, 16].map((count) => longBarsOfDays(mixed.slice(0, count), false)?.words);
    expect(one).toEqual([undefined, 'weekly bars']);
  });

  it('begin on a Tuesday or end on a Thursday where the exchange is closed', () => {
    expect(found('2024-01-08', '2024-01-16', '2024-01-22')?.fact).toBe(
      'its dates are the first session of each week',
    );
    expect(found('2024-03-15', '2024-03-22', '2024-03-28')?.fact).toBe(
      'its dates are the last session of each week',
    );
  });

  it('may end with the running week and have holes', () => {
    expect(words([...weeks('2024-01-08', 5), dayFromDate('2024-02-08')])).toBe('weekly bars');
    const holes = weeks('2023-01-02', 30).filter((_, i) => i % 7 !== 3);
    expect(words(holes)).toBe('weekly bars');
    expect(found('2024-01-08', '2024-01-22', '2024-01-29')?.words).toBe('weekly bars');
  });

  it('are found behind and before daily bars', () => {
    const daily = sessions('2023-01-03', '2023-06-30');
    expect(words([...daily, ...weeks('2023-07-03', 5)])).toBe('weekly bars');
    expect(words([...weeks('2022-11-28', 5), ...daily])).toBe('weekly bars');
    const between = [...daily, ...weeks('2023-07-03', 8), ...sessions('2023-08-28', '2023-12-29')];
    expect(longBarsOfDays(between)).toEqual({
      words: 'weekly bars',
      fact: 'from 2023-07-03 to 2023-08-28 its dates are all Mondays, a week apart',
      stretch: [dayFromDate('2023-07-03'), dayFromDate('2023-08-28')],
    });
  });
});

describe('a whole file', () => {
  it('of two dates may have bars of weeks and months', () => {
    expect(found('2024-01-08', '2024-01-15')?.words).toBe('weekly bars');
    expect(found('2024-01-05', '2024-01-19')?.words).toBe('bars of two weeks');
    expect(found('2024-01-02', '2024-02-01')?.fact).toBe(
      'its dates are the first session of each month',
    );
    expect(found('2023-12-29', '2024-12-31')?.words).toBe('yearly bars');
    expect(found('2024-01-05', '2024-01-19', '2024-02-02')?.words).toBe('bars of two weeks');
    // One of several symbols may trade once a week by chance.
    const two = ['2024-01-08', '2024-01-15'].map((date) => dayFromDate(date));
    expect(longBarsOfDays(two, false)).toBeUndefined();
  });

  it('of dates that are some sessions apart has bars of them', () => {
    const days = sessions('2024-03-01', '2024-12-31');
    const every = (step: number, count: number) =>
      days.filter((_, i) => i % step === 0).slice(0, count);
    expect(longBarsOfDays(every(3, 3))).toEqual({
      words: 'bars of 3 sessions',
      fact: 'its dates are all 3 sessions apart',
    });
    expect([2, 4, 10, 21].map((step) => words(every(step, 7)))).toEqual(
      [2, 4, 10, 21].map((step) => `bars of ${step} sessions`),
    );
    // The newest bar is of a day that is not over.
    expect(words([...every(3, 4), every(3, 4)[3] + 1])).toBe('bars of 3 sessions');
    expect(longBarsOfDays(every(3, 7), false)).toBeUndefined();
    expect(longBarsOfDays(every(3, 8), false)?.words).toBe('bars of 3 sessions');
    expect(words([...every(3, 4), ...days.slice(20, 26)])).toBeUndefined();
  });
});

describe('a mix of bar lengths', () => {
  const days = sessions('2023-01-03', '2024-12-31');
  const every = (step: number, count: number) =>
    days.filter((_, i) => i % step === 0).slice(0, count);

  it.each([
    [3, 5, 325],
    [2, 5, 50],
    [4, 5, 20],
    [10, 4, 250],
  ])('of %i sessions, %i of them before %i daily bars, is found', (step, count, daily) => {
    const long = every(step, count);
    const rest = days.filter((day) => day >= long[count - 1] + 1).slice(0, daily);
    const mixed = [...long, ...rest];
    expect(words(mixed)).toBe(`bars of ${step} sessions`);
    expect(needLook(dayCounts(mixed))).toBe(true);
  });

  it('is found behind daily bars, and between them', () => {
    const tail = days.slice(300).filter((_, i) => i % 3 === 0);
    expect(words([...days.slice(0, 300), ...tail.slice(0, 5)])).toBe('bars of 3 sessions');
    const between = [...days.slice(0, 150), ...days.slice(150, 165).filter((_, i) => i % 3 === 0)];
    expect(longBarsOfDays([...between, ...days.slice(165)])?.fact).toBe(
      'from 2023-08-09 to 2023-08-30 its dates are all 3 sessions apart',
    );
    expect(words([...weeks('2023-01-09', 4), ...days.slice(25)])).toBe('weekly bars');
  });

  it('of a few such dates beside holes is none', () => {
    const thin = days.filter((_, i) => i > 40 || [0, 3, 6, 9, 12, 14, 15, 18, 20, 25].includes(i));
    expect(words(thin.filter((_, i) => i < 40))).toBeUndefined();
    expect(words([...every(3, 3), ...days.slice(7)])).toBeUndefined();
  });
});

describe('longer bars', () => {
  it('are dated by the first or last day or session of a month', () => {
    expect(found('2023-01-01', '2023-02-01', '2023-03-01')).toEqual({
      words: 'monthly bars',
      fact: 'its dates are the first day of each month',
    });
    expect(found('2023-03-31', '2023-04-30', '2023-05-31')?.words).toBe('monthly bars');
    expect(found('2023-03-31', '2023-04-28', '2023-05-31')?.fact).toBe(
      'its dates are the last session of each month',
    );
    expect(found('2023-03-31', '2023-06-30', '2023-09-29', '2023-12-29')?.words).toBe(
      'quarterly bars',
    );
    expect(found('2020-12-31', '2021-12-31', '2022-12-31')?.words).toBe('yearly bars');
  });

  it('may end with the running month', () => {
    expect(found('2023-01-01', '2023-02-01', '2023-03-01', '2023-03-17')?.words).toBe(
      'monthly bars',
    );
  });
});

describe('daily bars', () => {
  it('are found as no longer bars', () => {
    expect(longBarsOfDays(sessions('2000-01-03', '2023-12-29'))).toBeUndefined();
    expect(found('2024-01-08', '2024-01-16')?.words).toBe('weekly bars');
    expect(found('2024-01-08', '2024-01-12')).toBeUndefined();
    expect(found('2024-01-09')).toBeUndefined();
  });

  it('may have holes, and one date a week by chance', () => {
    const daily = sessions('2015-01-02', '2023-12-29');
    const holes = daily.filter((_, i) => i % 60 < 35);
    expect(longBarsOfDays(holes)).toBeUndefined();
    // One date in each of 24 weeks, on weekdays without a pattern.
    const weekdays = [0, 3, 1, 4, 2, 2, 0, 1, 3, 0, 4, 1, 2, 0, 3, 4, 0, 2, 1, 3, 4, 4, 0, 2];
    const chance = weekdays.map((weekday, i) => dayFromDate('2016-03-14') + i * 7 + weekday);
    expect(longBarsOfDays(chance.slice(0, 9))).toBeUndefined();
    const mixed = longBarsOfDays([...daily.slice(0, 300), ...chance], false);
    expect(mixed).toMatchObject({ words: 'weekly bars', stretch: [chance[0], chance[23]] });
  });

  it('of securities that trade rarely are none', () => {
    const daily = sessions('2000-01-03', '2023-12-29');
    const random = seededRandom(7);
    const falsely = [0.03, 0.1, 0.2, 0.3, 0.5].flatMap((rate) =>
      Array.from({ length: 20 }, () => longBarsOfDays(daily.filter(() => random() < rate))).filter(
        (bars) => bars !== undefined,
      ),
    );
    expect(falsely).toEqual([]);
  });
});

test.skipIf(!hasRealdata).each([
  ['AAPL_W.csv', 'weekly bars'],
  ['weekly_adjusted_IBM.csv', 'weekly bars'],
  ['AAPL-yahoo-monthly.csv', 'monthly bars'],
  ['AAPL-shifted.txt', undefined],
])('the real file %s has %s', (name, expected) => {
  const text = readFileSync(realdata(`dialects/real/${name}`), 'utf8').trim();
  const days = text
    .split('\n')
    .slice(1)
    .map((line) => dayFromDate(line.slice(0, 10)));
  expect(words(days.sort((a, b) => a - b))).toBe(expected);
});
