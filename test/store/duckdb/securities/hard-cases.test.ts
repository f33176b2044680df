/** Hard cases of securities over time, named one by one, each in several orders. */

import { describe, expect, test } from 'vitest';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { isLong, seededRandom, TIMEOUT_MS } from '../../../faults/scale.ts';
import { inStore, run } from '../../../jobs/support/store.ts';
import { someOf } from '../../../support/store-runs.ts';
import { expectServed, expectStored, shuffled } from '../support/expect-market.ts';
import { freshPaths, query, withStore } from '../support/fixtures.ts';
import { stepsOf, toldMarket } from '../support/told-market.ts';
import { HARD_CASES } from './hard-cases.ts';

/** All that readers see, without ids. */
async function content(db: MarketDb): Promise<unknown> {
  const queries = [
    'SELECT symbol, ticker, basis, from_date, first_ts, last_ts, row_count FROM series',
    `SELECT w.symbol, s.ticker, from_ts, to_ts, factor FROM winners w JOIN series s USING (series_id)`,
    'SELECT symbol FROM symbols',
    `SELECT symbol, delisted_on, ticker, from_date, to_date
     FROM securities JOIN security_tickers USING (security_id)`,
    'SELECT symbol, type, ex_date FROM corporate_actions',
    'SELECT symbol, from_date, to_date FROM action_coverage',
    'SELECT kind, ticker, on_date, end_date, other, source FROM ticker_facts',
  ];
  const found: unknown[] = [];
  for (const sql of queries) found.push(await query(db, `${sql} ORDER BY ALL`));
  return found;
}

function ordersOf<T>(steps: readonly T[]): [string, T[]][] {
  const random = seededRandom(steps.length);
  const orders: [string, T[]][] = [
    ['as told', [...steps]],
    ['backwards', steps.toReversed()],
    ['shuffled', shuffled(steps, random)],
    ['shuffled again', shuffled(steps, random)],
  ];
  return isLong ? orders : orders.slice(1, 3);
}

const KINDS = Object.entries(HARD_CASES).map(([kind, lines]) => {
  const rows = lines.trim().split('\n');
  return [kind, rows.map((line) => line.trim().split(': ') as [string, string])] as const;
});

test('200 cases or more have names of their own', () => {
  const names = KINDS.flatMap(([kind, rows]) => rows.map(([name]) => `${kind}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(200);
});

describe.each(KINDS)('%s', (_, rows) => {
  test.each(someOf(rows, 20))(
    '%s',
    async (_name, line) => {
      const market = toldMarket(line);
      const steps = await stepsOf(market);
      let first: unknown;
      for (const [order, ordered] of ordersOf(steps)) {
        await withStore(async (db) => {
          for (const step of ordered) await step(db);
          await expectStored(db, market, order);
          const found = await content(db);
          first ??= found;
          expect(found, order).toEqual(first);
        });
      }
      const paths = freshPaths();
      await inStore(paths, async (db) => {
        for (const step of steps) await step(db);
      });
      await run(paths);
      expectServed(paths, market, line);
    },
    TIMEOUT_MS,
  );
});
