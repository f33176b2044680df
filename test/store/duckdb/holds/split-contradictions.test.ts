/**
 * A file of adjusted prices was read as traded, and a 4:1 split divided them again: 12.75 for 51.
 * Bars and splits come in any order, so they are compared wherever they meet.
 */

import { describe, expect, it } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import { HeldLoadError } from '../../../../src/base/errors.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import {
  dateAfter,
  freshStore,
  NOW_MS,
  oneFile,
  query,
  segmentOf,
  type TestBar,
} from '../support/fixtures.ts';

const guard = { isScheduled: false, published: undefined, earlyRows: () => 0 };

async function loadGuarded(db: Awaited<ReturnType<typeof freshStore>>, segment: CandleSegment) {
  const error = await loadCandleBatch(db, [{ segment, guard }], NOW_MS).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error === undefined) return undefined;
  if (error instanceof HeldLoadError) return error.message;
  throw error;
}

/** Twenty bars from 4 March 2024; `after` holds from the 14th on. */
const bars = (before: number, after: number, splitDay = '2024-03-14'): TestBar[] =>
  Array.from({ length: 20 }, (_, i): TestBar => {
    const date = dateAfter('2024-03-04', i);
    return [date, (date < splitDay ? before : after) + (i % 3)];
  });

const splits = (...ratios: readonly [string, number, number][]) =>
  segmentOf([], {
    basis: 'raw',
    actions: [
      {
        symbol: 'SPY',
        splits: ratios.map(([date, numerator, denominator]) => ({
          exDay: dayFromDate(date),
          numerator,
          denominator,
        })),
        dividends: [],
        coverageFromDay: dayFromDate('2024-01-01'),
        coverageToDay: dayFromDate('2024-06-01'),
      },
    ],
  });
const fourForOne = splits(['2024-03-14', 4, 1]);

const flatReason =
  '1 series does not move as a known split says, so the prices are not as traded, or the split is wrong (load the bars with --basis split or all, or correct the split): SPY 4:1 on 2024-03-14 (50, then 51)';

describe('a series that contradicts a split', () => {
  it('is named when the split is loaded, and nothing of the load is stored', async () => {
    const db = await freshStore();
    await loadGuarded(db, oneFile(bars(50, 50), { basis: 'raw' }));
    expect(await loadGuarded(db, fourForOne)).toBe(`.zip: ${flatReason}`);
    expect(await query(db, 'SELECT * FROM corporate_actions')).toEqual([]);
  });

  it('is named when its bars are loaded after the split', async () => {
    const db = await freshStore();
    await loadGuarded(db, fourForOne);
    expect(await loadGuarded(db, oneFile(bars(50, 50), { basis: 'raw' }))).toBe(
      `.zip: ${flatReason}`,
    );
    expect(await loadGuarded(db, oneFile(bars(50, 50), { basis: 'split' }))).toBeUndefined();
  });

  it('is named if it jumps though it is adjusted', async () => {
    const db = await freshStore();
    await loadGuarded(db, fourForOne);
    expect(await loadGuarded(db, oneFile(bars(200, 50), { basis: 'split' }))).toMatch(
      /^\.zip: 1 series jumps at a known split, so the prices are not adjusted for it \(load the bars with --basis raw, or correct the split\): SPY 4:1 on 2024-03-14 \(200, then 51\)/,
    );
    expect(await loadGuarded(db, oneFile(bars(200, 50), { basis: 'raw' }))).toBeUndefined();
  });

  it.each<[string, TestBar[], CandleSegment]>([
    ['the inverse ratio', bars(200, 50), splits(['2024-03-14', 1, 4])],
    ['ten times the ratio', bars(200, 50), splits(['2024-03-14', 40, 1])],
    ['a later day', bars(200, 50), splits(['2024-03-18', 4, 1])],
    ['an earlier day', bars(200, 50, '2024-03-18'), fourForOne],
    ['the inverse of 3:2', bars(75, 50), splits(['2024-03-14', 2, 3])],
  ])('is named if the split has %s', async (_, its, actions) => {
    const db = await freshStore();
    await loadGuarded(db, oneFile(its, { basis: 'raw' }));
    expect(await loadGuarded(db, actions)).toMatch(/does not move as a known split says/);
  });

  it('is named if one piece ends before the split and another begins with it', async () => {
    const db = await freshStore();
    await loadGuarded(db, fourForOne);
    await loadGuarded(db, oneFile(bars(50, 50).slice(0, 10), { basis: 'raw' }));
    expect(await loadGuarded(db, oneFile(bars(50, 50).slice(10), { basis: 'raw' }))).toMatch(
      /SPY 4:1 on 2024-03-14/,
    );
  });
});

describe('a series that agrees with its splits', () => {
  it.each<[string, Basis, TestBar[], CandleSegment]>([
    ['a jump of traded prices', 'raw', bars(200, 50), fourForOne],
    ['a jump and a rise at the open', 'raw', bars(200, 57), fourForOne],
    ['a reverse split', 'raw', bars(10, 100), splits(['2024-03-14', 1, 10])],
    ['no jump of adjusted prices', 'all', bars(50, 50), fourForOne],
    ['a stock dividend within usual moves', 'raw', bars(50, 50), splits(['2024-03-14', 21, 20])],
    ['a fall beside the split', 'raw', bars(120, 50), fourForOne],
    ['a split before the first bar', 'raw', bars(50, 50), splits(['2024-03-04', 4, 1])],
    ['a split after the last bar', 'raw', bars(50, 50), splits(['2024-03-25', 4, 1])],
  ])('loads with %s', async (_, basis, its, actions) => {
    const db = await freshStore();
    expect(await loadGuarded(db, actions)).toBeUndefined();
    expect(await loadGuarded(db, oneFile(its, { basis }))).toBeUndefined();
    const other = await freshStore();
    expect(await loadGuarded(other, oneFile(its, { basis }))).toBeUndefined();
    expect(await loadGuarded(other, actions)).toBeUndefined();
  });

  it('of a vendor is left to the flags of quality', async () => {
    const db = await freshStore();
    await loadGuarded(db, oneFile(bars(50, 50), { basis: 'raw', source: 'massive' }));
    expect(await loadGuarded(db, fourForOne)).toBeUndefined();
  });
});
