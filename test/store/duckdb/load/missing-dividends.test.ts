/**
 * A list of actions without dividends counted as complete beside statements that declare them, so
 * `all` and yields were those of a company that pays none.
 */

import { expect, it } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { SymbolActions } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import { freshStore, NOW_MS, segmentOf } from '../support/fixtures.ts';
import { land, loadSegment } from '../support/row-fixtures.ts';

async function missingOf(declared: string, actions: Partial<SymbolActions>) {
  const db = await freshStore();
  await db.connection.run(`INSERT INTO statements BY NAME
    SELECT 'SPY' AS symbol, date, period, dividends_per_share FROM (VALUES ${declared})
      v(date, period, dividends_per_share)`);
  const segment = segmentOf([], {
    basis: 'raw',
    actions: [
      {
        ...{ symbol: 'SPY', splits: [], dividends: [] },
        coverageFromDay: dayFromDate('2023-01-01'),
        coverageToDay: dayFromDate('2024-12-31'),
        ...actions,
      },
    ],
  });
  const [{ missingDividends = [] }] = await loadCandleBatch(db, [{ segment }], NOW_MS);
  return missingDividends;
}

const quarters = "(DATE '2024-03-31', 'quarterly', 0.24), (DATE '2024-06-30', 'quarterly', 0.25)";

it('names declared dividends that the list lacks', async () => {
  expect(await missingOf(quarters, {})).toEqual([
    { symbol: 'SPY', periods: 2, date: '2024-06-30', amount: 0.25 },
  ]);
});

it('names them when the statements come after the list', async () => {
  const db = await freshStore();
  const coverageFromDay = dayFromDate('2023-01-01');
  const coverageToDay = dayFromDate('2024-12-31');
  const none = { symbol: 'SPY', splits: [], dividends: [], coverageFromDay, coverageToDay };
  await loadCandleBatch(
    db,
    [{ segment: segmentOf([], { basis: 'raw', actions: [none] }) }],
    NOW_MS,
  );
  const row = { symbol: 'SPY', date: dayFromDate('2024-06-30'), period: 'quarterly' };
  const filedAt = Date.parse('2024-08-01T10:00:00Z');
  const statements = await land('statements', [{ ...row, filedAt, dividendsPerShare: 0.25 }]);
  expect((await loadSegment(db, statements)).missingDividends).toEqual([
    { symbol: 'SPY', periods: 1, date: '2024-06-30', amount: 0.25 },
  ]);
});

it.each<[string, string, Partial<SymbolActions>]>([
  [
    'dividends of these days',
    quarters,
    { dividends: [{ exDay: dayFromDate('2024-05-10'), amount: 0.25 }] },
  ],
  ['statements without any', "(DATE '2024-03-31', 'quarterly', 0)", {}],
  ['a list of splits alone', quarters, { covers: 'split' }],
  ['a period that the list begins in', "(DATE '2023-02-28', 'quarterly', 0.24)", {}],
  ['a period whose dividend may still come', "(DATE '2024-12-31', 'annual', 0.24)", {}],
])('is silent about %s', async (_, declared, actions) => {
  expect(await missingOf(declared, actions)).toEqual([]);
});
