import { expect, test } from 'vitest';
import { loadSymbols, readDirectory } from '../../../src/store/market/symbols.ts';
import { freshStore, load, NOW_MS, risingBars, segmentOf } from './fixtures.ts';

const facts = (companyName: string | null, exchange: string | null = null) => [
  { symbol: 'AAPL', companyName, exchange, type: 'stock' },
];

test('a symbol is known as soon as it has bars', async () => {
  const db = await freshStore();
  await load(db, segmentOf([{ symbol: 'AAPL', bars: risingBars('2020-01-01', 1) }]));
  expect(await readDirectory(db)).toEqual([
    {
      symbol: 'AAPL',
      companyName: null,
      exchange: null,
      type: null,
      source: null,
      firstSeenMs: NOW_MS,
    },
  ]);
  await loadSymbols(db, facts('Apple Inc.', 'NASDAQ'), { source: 'yahoo', nowMs: NOW_MS + 1 });
  expect(await readDirectory(db)).toEqual([
    {
      symbol: 'AAPL',
      companyName: 'Apple Inc.',
      exchange: 'NASDAQ',
      type: 'stock',
      source: 'yahoo',
      firstSeenMs: NOW_MS,
    },
  ]);
});

test('a lesser source fills gaps and replaces nothing', async () => {
  const db = await freshStore();
  await loadSymbols(db, facts('Apple Inc.'), { source: 'yahoo', nowMs: NOW_MS });
  await loadSymbols(db, facts('APPLE', 'NYSE'), { source: 'files', nowMs: NOW_MS });
  expect(await readDirectory(db)).toMatchObject([
    { companyName: 'Apple Inc.', exchange: 'NYSE', source: 'yahoo' },
  ]);
  await loadSymbols(db, facts('Apple', null), { source: 'stooq', nowMs: NOW_MS });
  expect(await readDirectory(db)).toMatchObject([
    { companyName: 'Apple', exchange: 'NYSE', source: 'stooq' },
  ]);
});
