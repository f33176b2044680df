import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { readActions } from '../../../../src/store/duckdb/candles/read-actions.ts';
import type { SymbolActions } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import { long } from '../../../support/store-runs.ts';
import {
  actionsOf,
  freshStore,
  load,
  rename,
  risingBars,
  type SegmentOptions,
  segmentOf,
} from '../support/fixtures.ts';

const SPLIT = { exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 };
const DIVIDEND = { exDay: dayFromDate('2020-08-07'), amount: 0.82 };

function statement(actions: Partial<SymbolActions>, from = '2020-01-01', to = '2020-12-31') {
  return { ...actionsOf('AAPL', [from, to]), ...actions };
}

/** One symbol's bars with what their source states of its actions. */
function segmentWith(actions: SymbolActions[], options: SegmentOptions = {}) {
  const bars = risingBars('2020-08-01', 40);
  return segmentOf([{ symbol: 'AAPL', bars }], { source: 'yahoo', actions, ...options });
}

describe('corporate actions', () => {
  test('are read with the days for which they are complete', async () => {
    const db = await freshStore();
    await load(db, segmentWith([statement({ splits: [SPLIT], dividends: [DIVIDEND] })]));
    expect(await readActions(db)).toEqual(
      new Map([
        [
          'AAPL',
          {
            splits: [SPLIT],
            dividends: [DIVIDEND],
            coverage: { fromDay: dayFromDate('2020-01-01'), toDay: dayFromDate('2020-12-31') },
          },
        ],
      ]),
    );
    expect(await readActions(db, ['MSFT'])).toEqual(new Map());
    expect((await readActions(db, ['AAPL'])).size).toBe(1);
  });

  test('keep the currency of a dividend', async () => {
    const db = await freshStore();
    const foreign = { ...DIVIDEND, currency: 'CAD' };
    const both = [DIVIDEND, foreign];
    await load(db, segmentWith([statement({ dividends: both })]));
    const { dividends } = (await readActions(db)).get('AAPL')!;
    expect(dividends).toHaveLength(2);
    expect(dividends).toEqual(expect.arrayContaining(both));
  });

  long('of two sources are those of the better one on the days that it covers', async () => {
    const late = { ...SPLIT, exDay: SPLIT.exDay + 1 };
    const older = { ...SPLIT, exDay: dayFromDate('2014-06-09'), numerator: 7 };
    const yahoo = segmentWith([statement({ splits: [SPLIT] })]);
    const files = segmentWith([statement({ splits: [older, late] }, '2010-01-01')], {
      source: 'files',
      basis: 'split',
    });
    for (const order of [
      [yahoo, files],
      [files, yahoo],
    ]) {
      const db = await freshStore();
      for (const segment of order) await load(db, segment);
      const actions = (await readActions(db)).get('AAPL');
      expect(actions?.splits).toEqual([older, SPLIT]);
      expect(actions?.coverage?.fromDay).toBe(dayFromDate('2010-01-01'));
    }
  });

  long('of one type leave the other one to other records', async () => {
    const files = { source: 'files' };
    const splitsOnly = [
      statement({ splits: [SPLIT], covers: 'split' }, '2010-01-01', '2026-06-30'),
    ];
    const alone = await freshStore();
    await load(alone, segmentWith(splitsOnly, files));
    const span = (from: string, to: string) => ({
      fromDay: dayFromDate(from),
      toDay: dayFromDate(to),
    });
    expect((await readActions(alone)).get('AAPL')).toEqual({
      splits: [SPLIT],
      dividends: [],
      coverage: { ...span('2010-01-01', '2026-06-30'), dividends: null },
    });
    const dividendsOnly = [statement({ dividends: [DIVIDEND], covers: 'dividend' })];
    for (const order of [
      [splitsOnly, dividendsOnly],
      [dividendsOnly, splitsOnly],
    ]) {
      const db = await freshStore();
      for (const [day, actions] of order.entries()) {
        await load(db, segmentWith(actions, { ...files, asOf: `2021-01-0${day + 1}` }));
      }
      expect((await readActions(db)).get('AAPL')).toEqual({
        splits: [SPLIT],
        dividends: [DIVIDEND],
        coverage: {
          ...span('2010-01-01', '2026-06-30'),
          dividends: span('2020-01-01', '2020-12-31'),
        },
      });
    }
    // A record of dividends alone makes no adjustment possible, and its dividends are listed.
    const paid = await freshStore();
    await load(paid, segmentWith(dividendsOnly, files));
    expect((await readActions(paid)).get('AAPL')).toEqual({
      splits: [],
      dividends: [DIVIDEND],
      coverage: undefined,
    });
  });

  test('can be withdrawn by a newer record of the same source', async () => {
    const db = await freshStore();
    await load(db, segmentWith([statement({ splits: [SPLIT] })], { asOf: '2021-01-01' }));
    await load(db, segmentWith([statement({})], { asOf: '2021-01-02' }));
    expect((await readActions(db)).get('AAPL')?.splits).toEqual([]);
    await load(db, segmentWith([statement({ splits: [SPLIT] })], { asOf: '2020-12-31' }));
    expect((await readActions(db)).get('AAPL')?.splits).toEqual([]);
  });

  // A list by the ticker of each day: the later ticker's part lost all actions of the former one.
  test('of two tickers of a security in one input are one list', async () => {
    const db = await freshStore();
    const days = ['2020-01-01', '2020-12-31'] as const;
    const both = [
      actionsOf('AAPL', days, { splits: ['2020-08-31'], dividends: [['2020-08-07', 1]] }),
      actionsOf('APPL', days, { splits: ['2020-08-31'], dividends: [['2020-09-07', 2]] }),
    ];
    const bars = risingBars('2020-08-01', 40);
    await load(db, segmentOf([{ symbol: 'APPL', bars }], { basis: 'raw', actions: both }));
    const own = await readActions(db, ['APPL']);
    await rename(db, 'AAPL', 'APPL', '2020-08-20');
    const { splits, dividends } = (await readActions(db)).get('APPL')!;
    expect(splits.map(({ exDay }) => exDay)).toEqual([SPLIT.exDay]);
    expect(dividends.map(({ amount }) => amount)).toEqual([1, 2]);
    // A newer list of one ticker replaces both.
    await load(db, segmentOf([], { basis: 'raw', actions: [both[1]], asOf: '2021-01-02' }));
    expect(await readActions(db, ['APPL'])).toEqual(own);
  });

  test('are covered from the last gap on', async () => {
    const db = await freshStore();
    const spans = [
      ['2019-01-01', '2019-06-30'],
      ['2020-01-01', '2020-06-30'],
      ['2020-07-01', '2020-12-31'],
    ];
    const statements = spans.map(([from, to]) => statement({}, from, to));
    await load(db, segmentWith(statements));
    expect((await readActions(db)).get('AAPL')?.coverage).toEqual({
      fromDay: dayFromDate('2020-01-01'),
      toDay: dayFromDate('2020-12-31'),
    });
  });
});

describe('a load that only changes actions', () => {
  const rewrite = {
    symbol: 'AAPL',
    interval: '1d',
    kind: 'rewrite',
    fromUs: Date.parse('2020-08-01') * 1000,
  };

  test('rewrites the whole series, unless it says the same', async () => {
    const db = await freshStore();
    const actions = [statement({ splits: [SPLIT] })];
    await load(db, segmentWith(actions, { asOf: '2021-01-01' }));
    await load(db, segmentWith(actions, { asOf: '2021-01-02' }));
    expect((await readPendingChanges(db, 1)).changes).toEqual([]);
    const more = [statement({ splits: [SPLIT], dividends: [DIVIDEND] })];
    await load(db, segmentWith(more, { asOf: '2021-01-03' }));
    expect((await readPendingChanges(db, 2)).changes).toEqual([rewrite]);
  });

  test('rewrites a raw series that can be adjusted only now', async () => {
    const db = await freshStore();
    await load(
      db,
      segmentOf([{ symbol: 'AAPL', bars: risingBars('2020-08-01', 40) }], { basis: 'raw' }),
    );
    await load(
      db,
      segmentOf([], { actions: [statement({})], source: 'yahoo', asOf: '2021-01-01' }),
    );
    expect((await readPendingChanges(db, 1)).changes).toEqual([rewrite]);
  });
});
