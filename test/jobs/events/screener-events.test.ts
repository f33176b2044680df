import { expect, it } from 'vitest';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { jsonFromScreenerRow } from '../../../src/store/arrow/snapshot/screener-table.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { loadAll, run } from '../support/store.ts';
import { subscribe, toldTo } from './told.ts';

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

function screening(paths: ModePaths, min: number, symbols?: string[]): string {
  const ranges = [{ column: 'price' as const, min, max: Number.POSITIVE_INFINITY }];
  return subscribe(paths, {
    events: ['screener.matched'],
    screener: {
      query: `price_min=${min}`,
      conditions: { ranges, texts: [], activeSinceDay: undefined },
    },
    symbols,
  });
}

const matches = (paths: ModePaths, webhook: string) =>
  toldTo(paths, webhook).map(({ data }) => data.symbols);

it('symbols that newly match are told, with their rows as the screener answers them', async () => {
  const paths = freshPaths();
  await day(paths, '2026-06-22', { A: 10, B: 30, C: 10 });
  const webhook = screening(paths, 20);
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
  await day(paths, '2026-06-24', { A: 5, B: 31, C: 12 });
  await day(paths, '2026-06-25', { A: 21, B: 31, C: 22 });
  expect(matches(paths, webhook)).toEqual([['A'], ['A', 'C']]);
});

it('what matched before the webhook was made is not told', async () => {
  const paths = freshPaths();
  const early = screening(paths, 20);
  await day(paths, '2026-06-22', { A: 25 });
  const late = screening(paths, 20);
  await run(paths, NOW_MS + ++minute * 60_000);
  expect([matches(paths, early), matches(paths, late)]).toEqual([[], []]);
  await day(paths, '2026-06-23', { A: 26, B: 40 });
  expect([matches(paths, early), matches(paths, late)]).toEqual([[['B']], [['B']]]);
});

it('of a webhook that names symbols only these are looked at', async () => {
  const paths = freshPaths();
  await day(paths, '2026-06-22', { A: 10, B: 10 });
  const own = screening(paths, 20, ['B']);
  await day(paths, '2026-06-23', { A: 25, B: 25 });
  expect(matches(paths, own)).toEqual([['B']]);
});
