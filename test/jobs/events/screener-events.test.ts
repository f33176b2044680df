import { expect, it } from 'vitest';
import { inTurns } from '../../../jobs/events/screener-events.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import type { WebhookScreener } from '../../../src/store/accounts/webhooks/webhook-record.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { jsonFromScreenerRow } from '../../../src/store/arrow/snapshot/screener-table.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { loadAll, run } from '../support/store.ts';
import { inAccounts, subscribe, toldTo } from './told.ts';

it('takes turns by account, each in its own order', () => {
  const webhooks = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((id) => ({ id, account: id[0] }));
  expect(inTurns(webhooks).map(({ id }) => id)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

let minute = 0;

/** Loads a day's closes and publishes. */
async function day(paths: ModePaths, date: string, closes: Record<string, number>): Promise<void> {
  const files = Object.entries(closes).map(([symbol, close]) => ({
    symbol,
    bars: [[date, close] as [string, number]],
  }));
  await loadAll(paths, segmentOf(files, { basis: 'raw', name: date }));
  await run(paths, NOW_MS + ++minute * 60_000);
}

const market = preparedStore((paths) => day(paths, '2026-06-22', { A: 10, B: 30, C: 10 }));

async function screening(
  paths: ModePaths,
  min: number,
  symbols?: string[],
  { screen, ...screener }: Partial<WebhookScreener> & { screen?: string } = {},
): Promise<string> {
  const filters = [{ kind: 'range', name: 'price', min, max: Number.POSITIVE_INFINITY } as const];
  return await subscribe(paths, {
    events: ['screener.matched'],
    screener: {
      query: `price_min=${min}`,
      filters,
      ...screener,
    },
    symbols,
    screen,
  });
}

const matches = (paths: ModePaths, webhook: string) =>
  toldTo(paths, webhook).map(({ data }) => data.symbols);

it('symbols that newly match are told, with their rows as the screener answers them', async () => {
  const paths = await market();
  const webhook = await screening(paths, 20);
  const [own, some] = [
    await screening(paths, 20, ['B']),
    // Of the query's symbols and the webhook's, only those of both count.
    await screening(paths, 20, ['A', 'C'], { symbols: ['B', 'C'] }),
  ];
  await day(paths, '2026-06-23', { A: 25, B: 31, C: 11 });
  const [event] = toldTo(paths, webhook);
  const table = openPublished(paths.serving)!.screener();
  expect(event.data).toEqual({
    screener: 'price_min=20',
    total: 2,
    symbolCount: 1,
    symbols: ['A'],
    rows: [JSON.parse(jsonFromScreenerRow(table, 0))],
  });

  // A leaves, and is new when it comes back.
  await day(paths, '2026-06-24', { A: 5, B: 5, C: 12 });
  await day(paths, '2026-06-25', { A: 21, B: 31, C: 22 });
  expect(matches(paths, webhook)).toEqual([['A'], ['A', 'B', 'C']]);
  expect([matches(paths, own), matches(paths, some)]).toEqual([[['B']], [['C']]]);
});

it('what matched before the webhook was made is not told', async () => {
  const paths = freshPaths();
  const early = await screening(paths, 20);
  await day(paths, '2026-06-22', { A: 25 });
  const late = await screening(paths, 20);
  await run(paths, NOW_MS + ++minute * 60_000);
  expect([matches(paths, early), matches(paths, late)]).toEqual([[], []]);
  await day(paths, '2026-06-23', { A: 26, B: 40 });
  expect([matches(paths, early), matches(paths, late)]).toEqual([[['B']], [['B']]]);
});

long('an event names the saved screen of its query while the screen exists', async () => {
  const paths = await market();
  const query = `price_min=40&industry=${'x'.repeat(3000)}`;
  const screen = await inAccounts(paths, async (accounts) => {
    await accounts.createAccount({ id: 'a', label: 'a' });
    return await accounts.createScreen({ account: 'a', mode: 'live', name: 'Dear', query });
  });
  const webhook = await screening(paths, 40, undefined, { query, screen: screen.id });
  await day(paths, '2026-06-23', { A: 45, B: 10 });
  await inAccounts(paths, (accounts) => accounts.deleteScreen('a', 'live', screen.id));
  await day(paths, '2026-06-24', { A: 45, B: 45 });
  const told = toldTo(paths, webhook).map(({ data }) => data);
  expect(told.map(({ symbols }) => symbols)).toEqual([['A'], ['B']]);
  expect(told[0]).toMatchObject({ screen: { id: screen.id, name: 'Dear' } });
  expect(told[0].screener).toBe(`${query.slice(0, limits.events.queryCharsMax)}…`);
  expect(told[1]).not.toHaveProperty('screen');
});
