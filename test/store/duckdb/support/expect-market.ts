/** Compares stores and published versions with the fold of a told market. */

import { expect } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { membersOn, universeNamed } from '../../../../src/store/arrow/snapshot/universes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { published } from '../../../jobs/support/store.ts';
import { asOf } from '../../../screens/run/support/finished.ts';
import { dateAfter, query } from './fixtures.ts';
import {
  allOn,
  byText,
  FIRST,
  recordsOf,
  screenOn,
  seriesOf,
  type ToldMarket,
  toldOn,
} from './told-market.ts';

/** @param story Stands before a difference. */
export async function expectStored(db: MarketDb, market: ToldMarket, story: string): Promise<void> {
  const series = await query(
    db,
    `SELECT symbol, count(*)::INTEGER, min(ts)::DATE, max(ts)::DATE, min(close), max(close)
     FROM candles WHERE interval = '1d' GROUP BY symbol`,
  );
  expect(byText(series as string[][]), story).toEqual(seriesOf(market));
  const records = await query(
    db,
    'SELECT symbol, value, count(*)::INTEGER FROM own_values GROUP BY ALL',
  );
  expect(byText(records as string[][]), story).toEqual(recordsOf(market));
}

/** Compares the universe of each day, and screens as of the days on which something changes. */
export function expectServed(paths: ModePaths, market: ToldMarket, story: string): void {
  const version = published(paths);
  const universes = [[universeNamed(version, 'all')!, allOn] as const];
  const index = universeNamed(version, 'told');
  expect(index !== undefined, story).toBe(market.options.has('members'));
  if (index) universes.push([index, toldOn]);
  const changes = market.companies.flatMap(({ spans }) =>
    spans.flatMap(({ from, to }) => [from, to]),
  );
  const first = Math.min(...changes);
  for (let day = 0; day <= Math.max(...changes); day++) {
    for (const [universe, told] of universes) {
      const members = membersOn(version, universe, dayFromDate(FIRST) + day);
      const names = members.map(({ symbol }) => symbol);
      expect([day, ...names], story).toEqual([day, ...told(market, day)]);
    }
  }
  for (const day of new Set(changes.flatMap((one) => [one - 1, one]))) {
    if (day < first) continue;
    const { symbols, columns } = asOf(version, dateAfter(FIRST, day)).table;
    const rows = symbols.map((symbol, row) => [symbol, columns.price[row]]);
    expect([day, ...byText(rows)], story).toEqual([day, ...screenOn(market, day)]);
  }
}

/** @param random Numbers from 0 up to 1. */
export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
}
