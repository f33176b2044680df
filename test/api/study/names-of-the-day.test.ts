/** A move to another exchange, or another name, counts from its day on in studies, as in screens. */

import { expect, it } from 'vitest';
import { studyQuery } from '../../../src/api/routes/study/query.ts';
import { answeredStudy } from '../../../src/api/study/answer.ts';
import { studyRows } from '../../../src/api/study/respond.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { published } from '../../screens/run/market.ts';
import { finished } from '../../screens/run/support/finished.ts';
import { freshFolder } from '../../support/folders.ts';
import { weekdayBars } from '../support/market-fixture.ts';

const bars = weekdayBars(100, 7);
const MOVED_ROW = 40;
const MICROS_PER_DAY = 86_400_000_000n;
const lastDate = new Date(Number(bars.timestampUs[MOVED_ROW - 1] / MICROS_PER_DAY) * 86_400_000)
  .toISOString()
  .slice(0, 10);

/** A security that was "Old" on AMEX in its first 40 bars, and is "New" on NASDAQ now. */
async function movedMarket(others: readonly string[] = []): Promise<Snapshot> {
  const of = await published(
    freshFolder(),
    ['MVD', ...others].map((symbol, i) => ({
      ...{ symbol, basis: 'raw' as const, bars: i === 0 ? bars : weekdayBars(100, 70 + i) },
      ...{ splits: [], dividends: [], isCovered: true },
    })),
  );
  const { listings } = of;
  const all = (text: string) => listings.symbol.map(() => text);
  const former = JSON.stringify([['Old', 'AMEX', 'NYSE American', lastDate]]);
  const moved = {
    companyName: all('New'),
    exchange: all('NASDAQ'),
    formerNames: listings.symbol.map((symbol) => (symbol === 'MVD' ? former : '')),
  };
  return new Proxy(of, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name === 'listings') return { ...listings, ...moved };
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function study(query: string, of: Snapshot) {
  const request = studyQuery(`${query}&mode=matches&horizons=1`, undefined);
  const { table, warnings } = finished(answeredStudy(of, new ScreenMemory(1e8), request));
  return { rows: studyRows(table), warnings };
}

it('reads exchange and company_name of each day without current_fields', async () => {
  const of = await movedMarket();
  const eventsOf = (where: string) => {
    const { rows, warnings } = study(`where=${encodeURIComponent(where)}`, of);
    expect(warnings.join()).not.toContain('know the future');
    return rows[0].events;
  };
  expect(eventsOf("exchange = 'AMEX'")).toBe(MOVED_ROW);
  expect(eventsOf("exchange = 'NASDAQ'")).toBe(100 - MOVED_ROW);
  expect(eventsOf("company_name = 'Old'")).toBe(MOVED_ROW);
});

it('groups by the exchange of the day of the signal', async () => {
  const of = await movedMarket();
  const { rows } = study('where=close > 0&by=exchange&rows=groups', of);
  expect(rows.map(({ group, events }) => [group, events])).toEqual([
    ['AMEX', MOVED_ROW],
    ['NASDAQ', 100 - MOVED_ROW],
  ]);
});

it('compares symbols of one exchange by that of each day', async () => {
  const of = await movedMarket(['ONE', 'TWO']);
  // Alone on its exchange a symbol has no rank. One group for all days gave it one of 3 on each day.
  const { rows } = study(
    `where=${encodeURIComponent("symbol = 'MVD' and rank(close, by exchange) is null")}`,
    of,
  );
  expect(rows[0].events).toBe(MOVED_ROW);
});

it('refuses fields that have no past, as before', async () => {
  const of = await movedMarket();
  expect(() => study("where=sector = 'Energy'", of)).toThrow('known as of today alone');
});
