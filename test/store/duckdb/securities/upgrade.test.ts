/** A store of before dated facts, whose renames and delistings were effects, goes on as facts. */

import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { MIGRATIONS, migrate } from '../../../../src/store/duckdb/connection/migrations.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { stateFact } from '../../../../src/store/duckdb/securities/change-securities.ts';
import { load, NOW_MS, query, risingBars, segmentOf } from '../support/fixtures.ts';

/** An open store of a version of the schema with some rows, upgraded. */
async function upgraded(from: number, rows: readonly string[]): Promise<MarketDb> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const before = MIGRATIONS.filter(({ version }) => version <= from);
  await migrate(connection, NOW_MS, before);
  for (const sql of rows) await connection.run(sql);
  await migrate(connection, NOW_MS);
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, connect: () => instance.connect(), close, [Symbol.dispose]: close };
}

/** A store of the version before in which FB became META, and XYZ was delisted and used again. */
const ROWS = [
  `INSERT INTO securities VALUES (1, 'META', NULL), (2, 'XYZ.201512', DATE '2015-12-15'),
    (3, 'XYZ', NULL)`,
  `INSERT INTO security_tickers VALUES (1, 'FB', NULL, DATE '2022-06-08'),
    (1, 'META', DATE '2022-06-09', NULL), (2, 'XYZ', NULL, DATE '2015-12-15'),
    (3, 'XYZ', NULL, NULL)`,
  `INSERT INTO symbols (symbol) VALUES ('META'), ('XYZ.201512'), ('XYZ')`,
  `INSERT INTO segments SELECT i, 's' || i, 'candles', 'files', '1d', 'raw', DATE '2022-06-08', '',
    'external', 2, 2, 0, DATE '2022-06-08' FROM range(1, 4) r(i)`,
  `INSERT INTO segment_files SELECT i, i, i || '.csv', 'h' || i, DATE '2022-06-08', 2, 2, 0,
    TIMESTAMP '1970-01-01', DATE '2022-06-08', NULL FROM range(1, 4) r(i)`,
  `INSERT INTO series VALUES
    (1, 'META', '1d', 'files', 'raw', DATE '2022-06-08', '', DATE '2022-06-08', DATE '2022-06-08', 1, 'FB', TIMESTAMP '1970-01-01', NULL),
    (2, 'XYZ.201512', '1d', 'files', 'raw', DATE '2015-12-15', '', DATE '2015-12-15', DATE '2015-12-15', 1, 'XYZ', TIMESTAMP '1970-01-01', NULL),
    (3, 'XYZ', '1d', 'files', 'raw', DATE '2018-01-02', '', DATE '2018-01-02', DATE '2018-01-02', 1, 'XYZ', TIMESTAMP '1970-01-01', NULL)`,
  `INSERT INTO bars VALUES (1, 1, DATE '2022-06-08', 190, 191, 189, 190, 1000),
    (2, 2, DATE '2015-12-15', 20, 21, 19, 20, 1000), (3, 3, DATE '2018-01-02', 70, 71, 69, 70, 1000)`,
  `INSERT INTO winners SELECT symbol, interval, series_id, first_ts, last_ts, 1, NULL FROM series`,
];

test('renames and delistings are facts after the upgrade, and later rows go by them', async () => {
  using db = await upgraded(11, ROWS);
  expect(
    await query(db, 'SELECT kind, ticker, on_date, other FROM ticker_facts ORDER BY 1'),
  ).toEqual([
    ['delist', 'XYZ', '2015-12-15', null],
    ['rename', 'FB', '2022-06-09', 'META'],
  ]);
  await load(
    db,
    segmentOf([{ symbol: 'META', bars: risingBars('2022-06-09', 2, 190) }], { basis: 'raw' }),
  );
  await load(
    db,
    segmentOf([{ symbol: 'XYZ', bars: risingBars('2015-12-14', 3, 20) }], { basis: 'raw' }),
  );
  const served =
    'SELECT symbol, count(*)::INTEGER, min(ts)::DATE, max(ts)::DATE FROM candles GROUP BY 1 ORDER BY 1';
  expect(await query(db, served)).toEqual([
    ['META', 3, '2022-06-08', '2022-06-10'],
    ['XYZ', 2, '2015-12-16', '2018-01-02'],
    ['XYZ.201512', 2, '2015-12-14', '2015-12-15'],
  ]);
  expect(await query(db, 'SELECT security_id, symbol FROM securities ORDER BY 1')).toEqual([
    [1, 'META'],
    [2, 'XYZ.201512'],
    [3, 'XYZ'],
  ]);
  expect(
    await query(db, 'SELECT count(*)::INTEGER FROM ticker_facts WHERE NOT is_settled'),
  ).toEqual([[0]]);
});

test('rows of one key under two tickers of a security both stay after the upgrade', async () => {
  const row = (ticker: string, value: number) => `INSERT INTO own_values
    SELECT '${ticker}', 'short', DATE '2020-01-10', ${value}, '${ticker}', 1`;
  using db = await upgraded(14, [
    `INSERT INTO segments SELECT 1, 's1', 'values', 'files', NULL, NULL, DATE '2020-01-10', '',
      'external', 2, 2, 0, DATE '2020-01-10'`,
    row('A', 7),
    row('B', 8),
  ]);
  const rename = (isUndone: boolean) =>
    stateFact(db, {
      fact: { kind: 'rename', ticker: 'A', day: dayFromDate('2020-02-03'), other: 'B' },
      isUndone,
      nowMs: NOW_MS,
    });
  const served = () => query(db, 'SELECT symbol, value FROM own_values ORDER BY 1');
  await rename(false);
  expect(await served()).toEqual([['B', 8]]);
  await rename(true);
  expect(await served()).toEqual([
    ['A', 7],
    ['B', 8],
  ]);
});
