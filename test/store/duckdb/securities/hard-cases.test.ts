/** Hard cases of securities over time, named one by one, each in several orders. */

import { expect, test } from 'vitest';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { isLong, ours, seededRandom } from '../../../faults/scale.ts';
import { inStore, run } from '../../../jobs/support/store.ts';
import { someOf } from '../../../support/store-runs.ts';
import { expectServed, expectStored, shuffled } from '../support/expect-market.ts';
import { freshPaths, query, withStore } from '../support/fixtures.ts';
import { type Step, stepsOf, toldMarket } from '../support/told-market.ts';
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
  return isLong ? orders : orders.slice(0, 2);
}

const CASES = Object.entries(HARD_CASES).flatMap(([kind, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name, market] = line.trim().split(': ');
      return [`${kind}: ${name}`, market] as const;
    }),
);

test('200 cases or more have names of their own', () => {
  expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(200);
});

const TRIED = ours(someOf(CASES, 100));
let triedCount = 0;

/** Orders run at once: each waits for DuckDB most of its time. */
test.each(TRIED)('%s', async (name, line) => {
  const market = toldMarket(line);
  const steps = await stepsOf(market);
  const [[, published], ...others] = ordersOf(steps);
  const tryOrder = async (db: MarketDb, order: string, ordered: readonly Step[]) => {
    for (const step of ordered) await step(db);
    await expectStored(db, market, order);
    return content(db);
  };
  const paths = freshPaths();
  const [first, ...found] = await Promise.all([
    inStore(paths, (db) => tryOrder(db, 'as told', published)),
    ...others.map(([order, ordered]) => withStore((db) => tryOrder(db, order, ordered))),
  ]);
  for (const [i, one] of found.entries()) expect(one, others[i][0]).toEqual(first);
  await run(paths);
  expectServed(paths, market, line);
  if (isLong) process.stdout.write(`${++triedCount} of ${TRIED.length}: ${name}\n`);
});

/** A ticker without bars may only have stood between two others; its first bars tell. */
test('files of a swap come in any order after its facts', async () => {
  const market = toldMarket('20 C 0-15 A 15-30 B 30-60; 70 B 0-30 A 30-60');
  const [x, y, z, ...facts] = await stepsOf(market);
  const others = [
    [x, y, z],
    [y, x, z],
    [y, z, x],
    [z, x, y],
    [z, y, x],
  ];
  const orders = [[x, z, y], ...(isLong ? others : [])];
  const tryOrder = (files: readonly Step[], i: number) =>
    withStore(async (db) => {
      for (const step of [...facts, ...files]) await step(db);
      await expectStored(db, market, `order ${i}`);
    });
  await Promise.all(orders.map(tryOrder));
});
