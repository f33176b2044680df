/** Splits and dividends of tickers that changed, with files and commands in any order. */

import { describe, expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { expectStored } from '../support/expect-market.ts';
import { actionsOf, load, query, segmentOf, withStore } from '../support/fixtures.ts';
import { stepsOf, toldMarket } from '../support/told-market.ts';

function* ordersOf<T>(steps: readonly T[]): Generator<T[]> {
  if (steps.length === 0) yield [];
  for (const [i, step] of steps.entries()) {
    for (const rest of ordersOf(steps.toSpliced(i, 1))) yield [step, ...rest];
  }
}

/** Expects the rows of a query after a market and a statement of actions, in any order. */
async function expectActions(
  line: string,
  stated: CandleSegment,
  { sql, rows }: { sql: string; rows: unknown[][] },
): Promise<void> {
  const steps = [...(await stepsOf(toldMarket(line))), (db: MarketDb) => load(db, stated)];
  const orders = [...ordersOf(steps)];
  // Of many orders CI tries two, the long form all.
  for (const order of someOf(orders, Math.ceil(orders.length / 2))) {
    await withStore(async (db) => {
      for (const step of order) await step(db);
      expect(await query(db, sql)).toEqual(rows);
    });
  }
}

describe('every order gives joined tickers one security, with the ticker of each day', () => {
  const lines = [
    '20 A 0-30 B 30-60 / joins',
    '20 A 0-20 B 20-40 C 40-60 / one / say rename A B 20, join B C',
    '20 A 0-20 B 20-40 C 40-60 / one / say join A B, rename B C 40',
    '20 A 0-20 B 20-40 C 40-60 / one / say join A C, join C B',
  ];
  test.each(someOf(lines, 9))('%s', async (line) => {
    const market = toldMarket(line);
    const orders = [...ordersOf(await stepsOf(market))];
    const found = await Promise.all(
      someOf(orders, Math.ceil(orders.length / 2)).map((order) =>
        withStore(async (db) => {
          for (const step of order) await step(db);
          await expectStored(db, market, line);
          return query(
            db,
            `SELECT symbol, ticker, from_date, to_date
             FROM securities JOIN security_tickers USING (security_id) ORDER BY ALL`,
          );
        }),
      ),
    );
    for (const one of found) expect(one).toEqual(found[0]);
  });
});

describe('every order gives each security its splits and dividends', () => {
  test.each(someOf(['B', 'A'], 2))('of the day of a rename, stated under %s', async (ticker) => {
    const actions = [actionsOf(ticker, ['2018-01-01', '2018-03-01'], { splits: ['2018-01-31'] })];
    await expectActions('50 A 0-30 B 30-60', segmentOf([], { basis: 'raw', actions }), {
      sql: 'SELECT symbol, type, ex_date FROM corporate_actions',
      rows: [['B', 'split', '2018-01-31']],
    });
  });

  long('of each day, under a ticker that two had', async () => {
    const dividends: [string, number][] = [
      ['2018-01-10', 1],
      ['2018-02-14', 2],
    ];
    const actions = [actionsOf('XYZ', ['2018-01-01', '2018-03-01'], { dividends })];
    await expectActions('20 XYZ 0-30 x; 70 XYZ 30-60', segmentOf([], { basis: 'raw', actions }), {
      sql: 'SELECT symbol, amount FROM corporate_actions ORDER BY 1',
      rows: [
        ['XYZ', 2],
        ['XYZ.201801', 1],
      ],
    });
  });
});
