import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { ParameterError, StoreMissingError } from '../../../../src/base/errors.ts';
import { limits } from '../../../../src/base/limits.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { queryMarket, runReadOnlySql } from '../../../../src/store/duckdb/connection/query.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { emptyPaths } from '../support/fixtures.ts';

const folder = sharedFolder();
const paths = modePaths(folder, 'live');

let db: MarketDb;

beforeAll(async () => {
  (await openMarketForWriting(paths, { verb: 'test' })).close();
  db = await openMarketForReading(paths);
});

afterAll(() => db.close());

describe('an answer to SQL', () => {
  test('names and types its columns, unique even where the query repeats a name', async () => {
    const answer = await queryMarket(paths, "SELECT 1 AS a, 'x' AS a, NULL AS b");
    expect(answer).toEqual({
      columns: ['a', 'a:1', 'b'],
      types: ['INTEGER', 'VARCHAR', 'INTEGER'],
      rows: [{ a: 1, 'a:1': 'x', b: null }],
    });
  });

  test.each([
    ['9007199254740991::BIGINT', 9007199254740991],
    ['9007199254740993::BIGINT', '9007199254740993'],
    [
      '(-170141183460469231731687303715884105728)::HUGEINT',
      '-170141183460469231731687303715884105728',
    ],
    ['0.1', 0.1],
    ['2.50', 2.5],
    ['100::DECIMAL(10, 2)', 100],
    ['12345678901234567.89', '12345678901234567.89'],
    ["'NaN'::DOUBLE", null],
    ["'-Infinity'::DOUBLE", null],
    ['1e300::DOUBLE', 1e300],
    ["DATE '2020-02-29'", '2020-02-29'],
    ["TIMESTAMP '2020-02-29 14:30:00'", '2020-02-29T14:30:00.000Z'],
    ["TIMESTAMP '2020-02-29 14:30:00.001002'", '2020-02-29T14:30:00.001002Z'],
    ["TIMESTAMP '1969-12-31 23:59:59.999999'", '1969-12-31T23:59:59.999999Z'],
    ["TIMESTAMPTZ '2020-02-29 14:30:00Z'", '2020-02-29T14:30:00.000Z'],
    ['true', true],
    ['[1, NULL, 9007199254740993]', [1, null, '9007199254740993']],
    ["{'a': DATE '2020-01-01', 'b': [1.5]}", { a: '2020-01-01', b: [1.5] }],
    ["MAP {'k': 1}", [{ key: 'k', value: 1 }]],
    ['INTERVAL 90 MINUTE', '01:30:00'],
  ])('gives %s as JSON', async (sql, expected) => {
    const { rows } = await runReadOnlySql(db, `SELECT ${sql} AS v`);
    expect(rows).toEqual([{ v: expected }]);
  });

  test('may come from any statement that reads', async () => {
    for (const sql of ['FROM candles', 'DESCRIBE candles', 'EXPLAIN FROM bars', 'SHOW TABLES;']) {
      await expect(runReadOnlySql(db, sql)).resolves.toBeDefined();
    }
  });

  test('leaves the connection free for other statements', async () => {
    const [a, b] = await Promise.all([
      runReadOnlySql(db, 'SELECT count(*) AS n FROM range(5000)'),
      db.connection.runAndReadAll('SELECT 1'),
    ]);
    expect(a.rows).toEqual([{ n: 5000 }]);
    expect(b.currentRowCount).toBe(1);
  });
});

describe('SQL is refused', () => {
  useLimits(limits.store, { sqlRowsMax: 5000 });

  test.each([
    ['', 'query must be one statement, got none'],
    ['SELECT 1; SELECT 2', 'query must be one statement, got 2'],
    ['DELETE FROM bars', 'query must only read'],
    ["COPY bars TO 'x.csv'", 'disabled by configuration'],
    ['SET threads = 1', 'query must only read'],
    ['CREATE TEMP TABLE t (a INTEGER)', 'query must only read'],
    ['SELEC 1', 'syntax error'],
    ['SELECT * FROM nothing', 'nothing'],
    ["SELECT * FROM read_csv('/etc/passwd')", 'disabled by configuration'],
    ["SELECT 'x'::INTEGER", 'Could not convert'],
    ['SELECT * FROM range(5001)', 'more than 5,000 rows'],
  ])('when it is "%s"', async (sql, message) => {
    const error = await runReadOnlySql(db, sql).catch((cause) => cause);
    expect(error).toBeInstanceOf(ParameterError);
    expect(error.field).toBe('query');
    expect(error.message).toContain(message);
  });

  test('when there is no store', async () => {
    await expect(queryMarket(emptyPaths(), 'SELECT 1')).rejects.toThrow(StoreMissingError);
  });
});
