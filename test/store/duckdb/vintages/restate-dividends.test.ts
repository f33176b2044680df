/**
 * Two files of one split-adjusted history, both made after a 4:1 split that lies in the later one.
 * The earlier one states a dividend of 2 as 0.5, and it was taken for declared: `all` gave 49.875
 * for 49.5.
 */

import { describe, expect, it, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { readCoverage } from '../../../../src/store/duckdb/candles/read-actions.ts';
import { containedRatio } from '../../../../src/store/duckdb/vintages/restate-dividends.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { dateAfter, freshStore, load, oneFile, query, type TestBar } from '../support/fixtures.ts';

const flat = (date: string, count: number, close = 50): TestBar[] =>
  Array.from({ length: count }, (_, i) => [dateAfter(date, i), close]);

const actions = (
  [from, to]: readonly [string, string],
  splits: readonly [string, number, number][],
  dividends: readonly [string, number][],
) => [
  {
    symbol: 'SPY',
    splits: splits.map(([date, numerator, denominator]) => ({
      exDay: dayFromDate(date),
      numerator,
      denominator,
    })),
    dividends: dividends.map(([date, amount]) => ({ exDay: dayFromDate(date), amount })),
    coverageFromDay: dayFromDate(from),
    coverageToDay: dayFromDate(to),
  },
];

const dividends =
  'SELECT ex_date::VARCHAR, amount FROM corporate_actions WHERE type = $$dividend$$';

const earlier = (to = '2020-01-20', amount = 0.5, basis: 'split' | 'all' = 'split') =>
  oneFile(flat('2020-01-01', dayFromDate(to) - dayFromDate('2020-01-01') + 1), {
    basis,
    actions: actions(['2020-01-01', to], [], [['2020-01-08', amount]]),
  });
const later = (splits: readonly [string, number, number][], basis: 'split' | 'all' = 'split') =>
  oneFile(flat('2020-01-18', 30), {
    basis,
    actions: actions(['2020-01-18', '2020-02-16'], splits, []),
  });
const fourForOne: [string, number, number][] = [['2020-02-03', 4, 1]];

describe('a dividend of the earlier of two pieces', () => {
  it.each(someOf(['split', 'all'] as const, 2))(
    'is declared before the split of the later, on %s',
    async (basis) => {
      const db = await freshStore();
      await load(db, earlier(undefined, 0.5, basis));
      expect(await query(db, dividends)).toEqual([['2020-01-08', 0.5]]);
      await load(db, later(fourForOne, basis));
      expect(await query(db, dividends)).toEqual([['2020-01-08', 2]]);
    },
  );

  long('is so in the other order, and for a reverse split', async () => {
    const db = await freshStore();
    await load(db, later([['2020-02-03', 1, 5]]));
    await load(db, earlier());
    expect(await query(db, dividends)).toEqual([['2020-01-08', 0.1]]);
  });

  long('is so without a common day, and no session between leaves the actions known', async () => {
    const db = await freshStore();
    await load(db, earlier('2020-01-17'));
    const piece = oneFile(flat('2020-01-21', 20), {
      basis: 'split',
      actions: actions(['2020-01-21', '2020-02-09'], fourForOne, []),
    });
    await load(db, piece);
    expect(await query(db, dividends)).toEqual([['2020-01-08', 2]]);
    const coverage = await readCoverage(db.connection);
    expect(coverage.get('SPY')).toEqual({
      fromDay: dayFromDate('2020-01-01'),
      toDay: dayFromDate('2020-02-09'),
    });
  });

  it('is so if no piece has a bar on the day of the split: the load broke off', async () => {
    const db = await freshStore();
    await load(db, earlier('2020-01-17'));
    const piece = oneFile(flat('2020-01-21', 20), {
      basis: 'split',
      actions: actions(['2020-01-18', '2020-02-09'], [['2020-01-20', 4, 1]], []),
    });
    await load(db, piece);
    expect(await query(db, dividends)).toEqual([['2020-01-08', 2]]);
  });

  it('stays as it was where its file was made before the split', async () => {
    const db = await freshStore();
    const before = oneFile(flat('2020-01-01', 20, 200), {
      basis: 'split',
      actions: actions(['2020-01-01', '2020-01-20'], [], [['2020-01-08', 2]]),
    });
    await load(db, before);
    await load(db, later(fourForOne));
    expect(await query(db, dividends)).toEqual([['2020-01-08', 2]]);
  });
});

test('the contained splits are the first ones, as many as the factor shows', () => {
  const pieces = [
    { fromDay: 0, toDay: 100, factor: 0.5 },
    { fromDay: 101, toDay: 300, factor: 1 },
  ];
  const splits = [
    { exDay: 150, ratio: 4 },
    { exDay: 200, ratio: 2 },
  ];
  const factors = [1, 0.5, 0.125, 0.49].map((factor) =>
    containedRatio({ lastDay: 100, factor }, pieces, splits),
  );
  expect(factors).toEqual([8, 4, 1, 4]);
  expect(containedRatio({ lastDay: 250, factor: 1 }, pieces, splits)).toBe(1);
});
