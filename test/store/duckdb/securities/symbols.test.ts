import { expect, test } from 'vitest';
import { readLoads } from '../../../../src/store/duckdb/connection/outbox.ts';
import { loadSymbols, readDirectory } from '../../../../src/store/duckdb/securities/symbols.ts';
import { freshStore, load, NOW_MS, query, risingBars, segmentOf } from '../support/fixtures.ts';

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
      venue: null,
      type: null,
      cik: null,
      country: null,
      sector: null,
      industry: null,
      source: null,
      securityId: 1,
      formerTickers: '',
      formerNames: '',
      delistedDay: null,
      delistedReason: '',
      successor: '',
      parent: '',
    },
  ]);
  await loadSymbols(db, facts('Apple Inc.', 'NASDAQ'), { source: 'yahoo', nowMs: NOW_MS + 1 });
  expect(await readDirectory(db)).toMatchObject([
    {
      symbol: 'AAPL',
      companyName: 'Apple Inc.',
      exchange: 'NASDAQ',
      type: 'stock',
      source: 'yahoo',
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

test('an older file that is loaded later fills gaps and replaces nothing', async () => {
  const db = await freshStore();
  const loadOf = (companyName: string, exchange: string | null, asOfUs: bigint) =>
    loadSymbols(db, facts(companyName, exchange), { source: 'sec', nowMs: NOW_MS, asOfUs });
  await loadOf('Apple Inc.', null, 2_000n);
  await loadOf('Apple Computer', 'NASDAQ', 1_000n);
  expect(await readDirectory(db)).toMatchObject([
    { companyName: 'Apple Inc.', exchange: 'NASDAQ' },
  ]);
  await loadOf('Apple', 'NASDAQ', 3_000n);
  expect(await readDirectory(db)).toMatchObject([{ companyName: 'Apple' }]);
});

test('exchange and venue come from one source', async () => {
  const db = await freshStore();
  const listed = (source: string, exchange: string | null, venue: string | null) =>
    loadSymbols(db, [{ symbol: 'SPY', exchange, venue }], { source, nowMs: NOW_MS });
  await listed('sec', 'NYSE', null);
  await listed('nasdaqtrader', null, 'IEX');
  expect(await readDirectory(db)).toMatchObject([{ exchange: null, venue: 'IEX' }]);
  await listed('sec', 'NASDAQ', 'Nasdaq');
  expect(await readDirectory(db)).toMatchObject([{ exchange: null, venue: 'IEX' }]);
});

test('the ledger has each load of facts once', async () => {
  const db = await freshStore();
  const options = { source: 'sec', nowMs: NOW_MS, origin: 'tickers.json', rejected: 2 };
  expect(await readLoads(db, 0)).toEqual([]);
  expect(await loadSymbols(db, facts('Apple Inc.'), options)).toBe(true);
  expect(await loadSymbols(db, facts('Apple Inc.'), options)).toBe(false);
  expect(await readLoads(db, 0)).toMatchObject([{ seq: 1, dataset: 'symbols' }]);
  expect(
    await query(db, 'SELECT dataset, origin, lines, accepted, rejected FROM segments'),
  ).toEqual([['symbols', 'tickers.json', 3, 1, 2]]);
});

test('facts have no characters that a terminal obeys', async () => {
  const db = await freshStore();
  const stated = { ...facts('Ap\x1b[2Jple\u202e')[0], sector: 'Te\x9bch', industry: 'a\u2066b' };
  await loadSymbols(db, [stated], { source: 'sec', nowMs: NOW_MS });
  expect(await readDirectory(db)).toMatchObject([
    { companyName: 'Ap\\u001b[2Jple\\u202e', sector: 'Te\\u009bch', industry: 'a\\u2066b' },
  ]);
});
