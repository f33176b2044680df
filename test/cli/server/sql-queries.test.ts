/** `query_sql` and its attackers: a query reads the views of one version, and nothing else. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SqlQueries, viewsOf } from '../../../src/api/mcp/tools/sql.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { createSqlQueries } from '../../../src/cli/server/sql-queries.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { openViews, queryFiles } from '../../../src/store/parquet/query.ts';
import { STOCK, useContractMarket } from '../../contract/contract-market.ts';
import { long, someOf } from '../../support/store-runs.ts';

const market = useContractMarket();
/** Deadline of tests of other things: a loaded machine takes long to start a process. */
const LONG_MS = 900_000;
const queries = createSqlQueries(2, LONG_MS);
const open = new AbortController().signal;

let folder: string;
let views: Record<string, string[]>;

function run(sql: string, by: SqlQueries = queries, signal = open, account = 'one') {
  return by.run(account, { folder, views, sql }, signal);
}

/** Runs a query as its process does, in this one. */
function runHere(sql: string) {
  const paths = Object.entries(views).map(([view, names]) => [
    view,
    names.map((name) => join(folder, name)),
  ]);
  return queryFiles({ views: Object.fromEntries(paths), sql });
}

/** Hashes of all files in the folder, by name. */
function hashes(): [string, string][] {
  return readdirSync(folder).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
}

beforeAll(() => {
  folder = modePaths(market.dataDir, 'sandbox').files;
  views = viewsOf(readFileSets(folder)[0], new Set(['quotes:read', 'fundamentals:read']));
});

it('reads the views of the scopes of a key', async () => {
  const { rows } = await runHere('SHOW TABLES');
  const names = rows.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['bars_1d', 'bars_1min', 'quotes', 'statements']));
  expect(names).not.toContain('news');
});

it('gives the closes of the API', async () => {
  const from = '2026-10-01';
  const { columns, rows } = await run(
    `SELECT date, close FROM bars_1d WHERE symbol = '${STOCK}' AND date >= '${from}' ORDER BY date`,
  );
  const path = `/v1/svc/technical/${STOCK}?from=${from}&adjustment=raw`;
  const { json } = await market.server.get(path);
  const { candles } = json as { candles: { timestamp: string; close: number }[] };
  expect(columns).toEqual(['date', 'close']);
  expect(rows).toEqual(candles.map(({ timestamp, close }) => [timestamp.slice(0, 10), close]));
});

it('gives the first rows of many, and says so', async () => {
  const { rows, hasMore } = await runHere('SELECT symbol FROM bars_1d');
  expect([rows.length, hasMore]).toEqual([limits.sql.rowsMax, true]);
});

describe('attacks', () => {
  const copyTo = (path: string) => `COPY quotes TO '${path}' (FORMAT parquet, USE_TMP_FILE false)`;
  /** Path of a file that a view reads: DuckDB would let it be written. */
  const allowed = () => join(folder, views.quotes[0]);

  /** Attacks that a process could help, or that could harm this one. */
  const ofProcess = someOf<[attack: string, sql: () => string]>(
    [
      ['COPY over a view', () => copyTo(views.quotes[0])],
      ['read_text', () => "SELECT * FROM read_text('/proc/self/environ')"],
      ['the way up', () => "SELECT * FROM read_text('../serving/manifest.json')"],
      ['a link to a foreign file', () => "SELECT * FROM read_parquet('link.parquet')"],
      ['getenv', () => "SELECT getenv('PATH')"],
      ['secrets', () => 'SELECT * FROM duckdb_secrets()'],
      ['much memory', () => 'SELECT list(range) FROM range(1000000000)'],
    ],
    4,
  );

  const others: [attack: string, sql: () => string][] = [
    ['COPY to a new file', () => "COPY quotes TO 'stolen.csv'"],
    ['EXPLAIN ANALYZE of a COPY', () => `EXPLAIN ANALYZE ${copyTo(allowed())}`],
    ['EXPORT DATABASE', () => `EXPORT DATABASE '${allowed()}'`],
    ['ATTACH', () => `ATTACH '${join(folder, '../market.duckdb')}' AS m`],
    ['INSTALL', () => 'INSTALL httpfs'],
    ['LOAD', () => 'LOAD httpfs'],
    ['SET', () => "SET memory_limit = '64GB'"],
    ['RESET', () => 'RESET lock_configuration'],
    ['PRAGMA', () => "PRAGMA memory_limit = '64GB'"],
    ['CREATE', () => 'CREATE TABLE t AS SELECT 1'],
    ['two statements', () => "SELECT 1; COPY quotes TO 'stolen.csv'"],
    ['nothing', () => ' '],
    ['read_csv', () => "SELECT * FROM read_csv('/etc/passwd')"],
    ['glob', () => "SELECT * FROM glob('/etc/*')"],
    ['a name as a file', () => "SELECT * FROM '/etc/passwd'"],
    ['a web address', () => "SELECT * FROM 'http://127.0.0.1:1/x.parquet'"],
    ['files.json', () => `SELECT * FROM read_text('${join(folder, 'files.json')}')`],
    ['a file of another scope', () => `SELECT * FROM '${join(folder, newsFile())}'`],
    ['query()', () => "SELECT * FROM query('COPY quotes TO ''stolen.csv''')"],
    ['extensions', () => 'FROM duckdb_extensions()'],
  ];

  const refusalOf = (sql: string, by: SqlQueries, account?: string): Promise<string> =>
    run(sql, by, open, account).then(
      ({ rows }) => `got through: ${JSON.stringify(rows).slice(0, 200)}`,
      ({ message }: Error) => message,
    );

  function newsFile(): string {
    return String(readdirSync(folder).find((one) => one.startsWith('news-')));
  }

  let before: [string, string][];
  beforeAll(() => {
    symlinkSync(join(folder, newsFile()), join(folder, 'link.parquet'));
    before = hashes();
  });

  it('are refused in a process, without a path of the server', async () => {
    const errors = await Promise.all(
      ofProcess.map(([attack, sql]) => refusalOf(sql(), queries, attack)),
    );
    const refused = ofProcess.map(([attack]) => [attack, expect.stringMatching(/^sql /)]);
    expect(ofProcess.map(([attack], at) => [attack, errors[at]])).toEqual(refused);
    for (const error of errors) expect(error).not.toMatch(new RegExp(`${folder}|${homedir()}`));
    expect(hashes()).toEqual(before);
  });

  it.each(others)('by %s are refused', async (_attack, sql) => {
    const quotes = views.quotes.map((name) => join(folder, name));
    const error = await queryFiles({ views: { quotes }, sql: sql() }).then(
      ({ rows }) => ({ message: `got through: ${JSON.stringify(rows)}` }),
      (error: Error) => error,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error.message).not.toContain(homedir());
    expect(hashes()).toEqual(before);
  });

  it('of endless work end at the deadline', async () => {
    const short = createSqlQueries(2, 1000);
    const cross = 'SELECT count(*) FROM bars_1d a, bars_1d b, bars_1d c WHERE a.close > b.close';
    const late = 'sql took more than 1 s: filter by symbol or day, or aggregate';
    expect(await refusalOf(cross, short)).toBe(late);
  });

  long('with huge values end at the bound of memory', async () => {
    const huge = "SELECT repeat(repeat('x', 1000), 2000000)";
    expect(await refusalOf(huge, createSqlQueries(1, LONG_MS))).toMatch(/^sql needs more than/);
  });

  it.each([
    ['a statement that writes', "EXPORT DATABASE 'x'", 'must only read'],
    ['one behind a comment', "/**/ EXPORT DATABASE 'x'", 'must only read'],
    ['one that reads SQL of a file', "IMPORT DATABASE 'x'", 'must only read'],
    ['CALL', 'CALL duckdb_settings()', 'must only read'],
    ['wrong syntax', 'SELEC 1', 'LINE 1: SELEC 1'],
    ['a setting', "SELECT current_setting('allowed_paths')", 'use current_setting'],
    ['a setting by a quoted name', `SELECT "CURRENT_setting"('x')`, 'use current_setting'],
    ['a setting by a path', "SELECT system.main.current_setting('x')", 'use current_setting'],
    ['a setting in an error', "SELECT current_setting('x')[1]::INTEGER", 'use current_setting'],
    ['a described setting', "DESCRIBE SELECT current_setting('x')", 'use current_setting'],
    ['all settings', 'SELECT (SELECT max(value) FROM duckdb_settings())', 'use duckdb_settings'],
    ['a view of all settings', 'FROM PG_SETTINGS', 'must not use'],
    ['a view of settings', 'SUMMARIZE pg_catalog."pg_settings"', 'must not use'],
    ['SQL of a text', "FROM query('FROM duckdb_' || 'settings()')", 'use query'],
    ['a view by a text', "FROM query_table('pg_' || 'settings')", 'use query_table'],
    [
      'serialized SQL',
      "FROM json_execute_serialized_sql(json_serialize_sql('FROM duckdb_settings()'))",
      'use json_execute_serialized_sql',
    ],
  ])('with %s are refused before they are bound', async (_what, sql, part) => {
    await expect(queryFiles({ views: {}, sql })).rejects.toThrow(part);
  });

  it('find a locked configuration, and no access to other files', async () => {
    const connection = await openViews({});
    const all = await connection.runAndReadAll('SELECT name, value FROM duckdb_settings()');
    const settings = Object.fromEntries(all.getRows() as [string, string][]);
    expect(settings.enable_external_access).toBe('false');
    expect(settings.lock_configuration).toBe('true');
    expect(settings.allowed_directories).not.toContain('/');
    for (const sql of ['SET enable_external_access = true', 'RESET lock_configuration']) {
      await expect(connection.run(sql)).rejects.toThrow('has been locked');
    }
  });

  it('in parallel wait for a place, end with the connection of their client, and too many are refused', async () => {
    const few = createSqlQueries(1, LONG_MS);
    const gone = new AbortController();
    const endless = 'SELECT count(*) FROM range(1000000000000)';
    const first = run(endless, few, gone.signal);
    const next = run('SELECT 42', few);
    const waiting = Array.from({ length: limits.sql.waitingMax - 1 }, (_, i) =>
      run(endless, few, gone.signal, `account ${i >> 1}`),
    );
    const ended = Promise.allSettled([first, ...waiting]);
    await expect(run('SELECT 42', few, open, 'another')).rejects.toMatchObject({ status: 503 });
    gone.abort();
    expect((await next).rows).toEqual([[42]]);
    for (const one of await ended) {
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(/^sql /) },
      });
    }
  });

  it('of one account leave processes and places to others', async () => {
    const few = createSqlQueries(2, LONG_MS);
    const gone = new AbortController();
    const endless = 'SELECT count(*) FROM range(1000000000000)';
    const many = Array.from({ length: (limits.sql.waitingMax + 2) / 2 }, () =>
      run(endless, few, gone.signal, 'busy'),
    );
    const ended = Promise.allSettled(many);
    await expect(run('SELECT 1', few, open, 'busy')).rejects.toMatchObject({ status: 429 });
    // The others of the busy account still wait, so this one has the second process.
    expect((await run('SELECT 42', few, open, 'quiet')).rows).toEqual([[42]]);
    gone.abort();
    await ended;
    expect((await run('SELECT 43', few, open, 'busy')).rows).toEqual([[43]]);
  });
});
