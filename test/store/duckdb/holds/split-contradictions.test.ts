/**
 * A file of adjusted prices was read as traded, and a 4:1 split divided them again: 12.75 for 51.
 * Bars and splits come in any order, so they are compared wherever they meet.
 */

import { describe, expect, it } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { SymbolActions } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { long } from '../../../support/store-runs.ts';
import {
  dateAfter,
  freshStore,
  oneFile,
  query,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone, loadGuarded, reasonOf } from '../support/held-symbols.ts';

holdSymbolsAlone();

/** Twenty bars from 4 March 2024; `after` holds from the 14th on. */
const bars = (before: number, after: number, splitDay = '2024-03-14'): TestBar[] =>
  Array.from({ length: 20 }, (_, i): TestBar => {
    const date = dateAfter('2024-03-04', i);
    return [date, (date < splitDay ? before : after) + (i % 3)];
  });

type Ratio = readonly [date: string, numerator: number, denominator: number];

const splitsOf = (symbol: string, [date, numerator, denominator]: Ratio): SymbolActions => ({
  symbol,
  splits: [{ exDay: dayFromDate(date), numerator, denominator }],
  dividends: [],
  coverageFromDay: dayFromDate('2024-01-01'),
  coverageToDay: dayFromDate('2024-06-01'),
});
const FOUR_FOR_ONE: Ratio = ['2024-03-14', 4, 1];
const statement = (...actions: SymbolActions[]) => segmentOf([], { basis: 'raw', actions });
const fourForOne = statement(splitsOf('SPY', FOUR_FOR_ONE));

const flatReason =
  '1 series does not move as a known split says, so the prices are not as traded, or the split is wrong (load the bars with --basis split or all, or correct the split): SPY 4:1 on 2024-03-14 (50, then 51)';

describe('a series that contradicts a split', () => {
  it('is named when the split is loaded, and nothing of the load is stored', async () => {
    const db = await freshStore();
    await loadGuarded(db, oneFile(bars(50, 50), { basis: 'raw' }));
    expect(await reasonOf(db, fourForOne)).toBe(`.zip: ${flatReason}`);
    expect(await query(db, 'SELECT * FROM corporate_actions')).toEqual([]);
  });

  long(
    'is named when its bars are loaded after the split, and if it jumps though it is adjusted',
    async () => {
      const db = await freshStore();
      await loadGuarded(db, fourForOne);
      expect(await reasonOf(db, oneFile(bars(50, 50), { basis: 'raw' }))).toBe(
        `.zip: ${flatReason}`,
      );
      expect(await reasonOf(db, oneFile(bars(200, 50), { basis: 'split' }))).toMatch(
        /^\.zip: 1 series jumps at a known split, so the prices are not adjusted for it \(load the bars with --basis raw, or correct the split\): SPY 4:1 on 2024-03-14 \(200, then 51\)/,
      );
      expect(await reasonOf(db, oneFile(bars(50, 50), { basis: 'split' }))).toBeUndefined();
    },
  );

  long('is named if the split has another ratio or day', async () => {
    const cases: [string, TestBar[], Ratio][] = [
      ['the inverse ratio', bars(200, 50), ['2024-03-14', 1, 4]],
      ['ten times the ratio', bars(200, 50), ['2024-03-14', 40, 1]],
      ['a later day', bars(200, 50), ['2024-03-18', 4, 1]],
      ['an earlier day', bars(200, 50, '2024-03-18'), FOUR_FOR_ONE],
      ['the inverse of 3:2', bars(75, 50), ['2024-03-14', 2, 3]],
      ['nothing wrong', bars(200, 50), FOUR_FOR_ONE],
    ];
    const db = await freshStore();
    const files = cases.map(([, its], i) => ({ symbol: `S${i}`, bars: its }));
    await loadGuarded(db, segmentOf(files, { basis: 'raw' }));
    const actions = cases.map(([, , ratio], i) => splitsOf(`S${i}`, ratio));
    const reasons = await heldSymbols(db, statement(...actions));
    expect(cases.filter((_, i) => !reasons.has(`S${i}`)).map(([name]) => name)).toEqual([
      'nothing wrong',
    ]);
    for (const reason of reasons.values()) expect(reason).toMatch(/^a contradicted split: /);
  });

  long('is named if one piece ends before the split and another begins with it', async () => {
    const db = await freshStore();
    await loadGuarded(db, fourForOne);
    await loadGuarded(db, oneFile(bars(50, 50).slice(0, 10), { basis: 'raw' }));
    expect(await reasonOf(db, oneFile(bars(50, 50).slice(10), { basis: 'raw' }))).toMatch(
      /SPY 4:1 on 2024-03-14/,
    );
  });
});

describe('a series that agrees with its splits loads with', () => {
  const cases: [string, Basis, TestBar[], Ratio][] = [
    ['a jump of traded prices', 'raw', bars(200, 50), FOUR_FOR_ONE],
    ['a jump and a rise at the open', 'raw', bars(200, 57), FOUR_FOR_ONE],
    ['a reverse split', 'raw', bars(10, 100), ['2024-03-14', 1, 10]],
    ['no jump of adjusted prices', 'all', bars(50, 50), FOUR_FOR_ONE],
    ['a stock dividend within usual moves', 'raw', bars(50, 50), ['2024-03-14', 21, 20]],
    ['a fall beside the split', 'raw', bars(120, 50), FOUR_FOR_ONE],
    ['a split before the first bar', 'raw', bars(50, 50), ['2024-03-04', 4, 1]],
    ['a split after the last bar', 'raw', bars(50, 50), ['2024-03-25', 4, 1]],
  ];
  const actions = statement(...cases.map(([, , , ratio], i) => splitsOf(`S${i}`, ratio)));
  const files = cases.map(([, basis, its], i) => ({ basis, symbol: `S${i}`, bars: its }));
  const segments = [...Map.groupBy(files, ({ basis }) => basis)].map(([basis, alike]) =>
    segmentOf(alike, { basis }),
  );

  it.each([
    ['before', [actions, ...segments]],
    ['after', [...segments, actions]],
  ])('the split %s it', async (_, order) => {
    await withStore(async (db) => {
      for (const segment of order) expect(await reasonOf(db, segment)).toBeUndefined();
    });
  });
});

describe('a newer list that lacks a stored split', () => {
  const later = (actions: Partial<SymbolActions>) =>
    segmentOf([], {
      ...{ basis: 'raw', asOf: '2024-07-01' },
      actions: [{ ...splitsOf('SPY', FOUR_FOR_ONE), splits: [], ...actions }],
    });

  async function loadedWith(its: TestBar[]) {
    const db = await freshStore();
    await loadGuarded(db, oneFile(its, { basis: 'raw' }));
    await loadGuarded(db, fourForOne, { accepted: new Set(['SPY']) });
    return db;
  }

  // `split` served 200, then 50, as split-adjusted, and the report said nothing.
  it('is held where the traded prices show it', async () => {
    const db = await loadedWith(bars(200, 50));
    expect(await reasonOf(db, later({}))).toBe(
      '.zip: 1 series loses a known split that the traded prices show, since the new list lacks it (add it: a list is complete for its symbols): SPY 4:1 on 2024-03-14 (200, then 51)',
    );
    const count = await query(db, "SELECT count(*) FROM corporate_actions WHERE type = 'split'");
    expect(count).toEqual([[1]]);
    const moved = later({
      splits: [{ exDay: dayFromDate('2024-03-15'), numerator: 4, denominator: 1 }],
    });
    expect(await reasonOf(db, moved)).not.toMatch(/loses/);
    expect(await reasonOf(db, later({ covers: 'dividend' }))).toBeUndefined();
  });

  it('loads where they do not, and names it', async () => {
    const db = await loadedWith(bars(50, 50));
    const { withdrawn } = await loadGuarded(db, later({}));
    expect(withdrawn).toEqual(['SPY split 4:1 on 2024-03-14']);
  });
});

it('a series of a vendor is left to the flags of quality', async () => {
  const db = await freshStore();
  await loadGuarded(db, oneFile(bars(50, 50), { basis: 'raw', source: 'massive' }));
  expect(await reasonOf(db, fourForOne)).toBeUndefined();
});
