/**
 * Stooq divides volumes by dividends as it multiplies prices by them: Apple's 8,210,800 shares of
 * 2013-12-17 are 61,879,032, which is 7.536 times as many, for a 7:1 split and 7 % of dividends.
 */

import { describe, expect, it, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { dividendSteps, partsOf } from '../../../../src/store/duckdb/vintages/dividend-volumes.ts';
import { long } from '../../../support/store-runs.ts';
import {
  actionsOf,
  freshStore,
  load,
  oneFile,
  query,
  segmentOf,
  type TestBar,
} from '../support/fixtures.ts';

// Closes of 100, a dividend of 2 on the 4th and of 1 on the 6th; 1,000 shares each day.
const [first, second] = [0.98, 0.99];
const served: TestBar[] = [
  ['2020-01-02', 100 * first * second, 1000 / (first * second)],
  ['2020-01-03', 100 * first * second, 1000 / (first * second)],
  ['2020-01-04', 100 * second, 1000 / second],
  ['2020-01-05', 100 * second, 1000 / second],
  ['2020-01-06', 100, 1000],
];
const ofStooq = oneFile(served, { basis: 'all', source: 'stooq' });
const stooq = {
  ...ofStooq,
  files: ofStooq.files.map((file) => ({ ...file, scalesVolume: true })),
};
const paid = (to = '2020-01-06') =>
  segmentOf([], {
    basis: 'raw',
    actions: [
      actionsOf('SPY', ['2020-01-01', to], {
        dividends: [
          ['2020-01-04', 2],
          ['2020-01-06', 1],
        ],
      }),
    ],
  });

const volumes = async (db: Awaited<ReturnType<typeof freshStore>>) => {
  const rows = await query(db, 'SELECT volume FROM candles ORDER BY ts');
  return rows.map(([volume]) => Math.round(Number(volume) * 1e6) / 1e6);
};

describe('volumes that contain dividends', () => {
  long('are restored where the dividends are known, in either order', async () => {
    for (const segments of [
      [stooq, paid()],
      [paid(), stooq],
    ]) {
      const db = await freshStore();
      for (const segment of segments) await load(db, segment);
      expect(await volumes(db)).toEqual([1000, 1000, 1000, 1000, 1000]);
      expect(await query(db, 'SELECT close FROM candles ORDER BY ts LIMIT 1')).toEqual([
        [100 * first * second],
      ]);
    }
  });

  it('stay as they are where the dividends are not known up to the last bar', async () => {
    const db = await freshStore();
    await load(db, stooq);
    await load(db, paid('2020-01-05'));
    expect((await volumes(db))[0]).toBe(Math.round((1000 / (first * second)) * 1e6) / 1e6);
  });

  it('stay as they are where splits are known for all bars, and dividends for some', async () => {
    const db = await freshStore();
    await load(db, stooq);
    const splits = {
      ...actionsOf('SPY', ['2020-01-01', '2020-01-06'], {}),
      covers: 'split' as const,
    };
    const dividends = {
      ...actionsOf('SPY', ['2020-01-05', '2020-01-06'], { dividends: [['2020-01-06', 1]] }),
      covers: 'dividend' as const,
    };
    await load(db, segmentOf([], { basis: 'raw', actions: [splits, dividends] }));
    const stored = served.map(([, , volume]) => Math.round(Number(volume) * 1e6) / 1e6);
    expect(await volumes(db)).toEqual(stored);
  });

  it('stay as they are where a dividend is in another currency than the prices', async () => {
    const db = await freshStore();
    await load(db, stooq);
    const [own] = paid().actions!;
    const [first, ...others] = own.dividends;
    const actions = [{ ...own, dividends: [{ ...first, currency: 'CAD' }, ...others] }];
    await load(db, { ...paid(), actions });
    expect((await volumes(db))[0]).not.toBe(1000);
  });

  it('of others stay as they are', async () => {
    const db = await freshStore();
    await load(db, oneFile(served, { basis: 'all' }));
    await load(db, paid());
    expect((await volumes(db))[0]).not.toBe(1000);
  });

  it('count a dividend before a split on the basis of the newest bar', async () => {
    const db = await freshStore();
    await load(db, stooq);
    const actions = actionsOf('SPY', ['2020-01-01', '2020-01-06'], {
      splits: ['2020-01-05'],
      dividends: [
        ['2020-01-04', 4],
        ['2020-01-06', 1],
      ],
    });
    await load(db, segmentOf([], { basis: 'raw', actions: [actions] }));
    expect(await volumes(db)).toEqual([1000, 1000, 1000, 1000, 1000]);
  });
});

test('a piece is cut at the ex-dates within it', () => {
  const steps = dividendSteps([
    { exDay: 10, amount: 2, closeBefore: 97.02 },
    { exDay: 20, amount: 1, closeBefore: 99 },
  ]);
  expect(steps.map(({ factor }) => Number(factor.toFixed(12)))).toEqual([0.9702, 0.99]);
  const day = 86_400_000_000;
  const piece = { seriesId: 1, fromUs: 5 * day, toUs: 15 * day, factor: 0.5 };
  expect(partsOf(piece, steps).map(({ fromUs, toUs }) => [fromUs / day, toUs])).toEqual([
    [5, 10 * day - 1],
    [10, 15 * day],
  ]);
  expect(partsOf(piece, []).map(({ splitFactor }) => splitFactor)).toEqual([0.5]);
  expect(dayFromDate('1970-01-11')).toBe(10);
});
