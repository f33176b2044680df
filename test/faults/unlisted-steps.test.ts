import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { FAILPOINTS } from '../../src/base/failpoints.ts';
import { inFreshFolder, runChild } from './children/run.ts';
import { fillMarket } from './support/rebuild-market.ts';
import { watchStatements } from './support/statement-watch.ts';
import { soundLines, withUndisturbed } from './support/undisturbed.ts';
import { stepOf, unlistedCalls } from './support/unlisted-calls.ts';

/** Statements that change a file of accounts and no row: they begin its log. */
const BEGINS_LOG =
  /^accounts: (PRAGMA journal_mode = WAL|BEGIN IMMEDIATE$|SELECT 1 FROM sqlite_schema )/;

/** Changes of the disk that need no failpoint, by call and path, and why they need none. */
const EXCEPTIONS: readonly (readonly [text: RegExp, reason: string])[] = [
  [/\/scratch(\/|$)/, 'a crash leaves it to the next start, which removes it'],
  [/\/(writer|rebuild)\.lock\.json/, 'names a writer that is gone'],
  [/^create .*\/accounts\.sqlite$/, 'SQLite makes it if this does not'],
  [/\/webhook\.key/, 'linked whole or not at all'],
  [/^remove .*\.arrow\.tmp$/, 'a draft that never had a name'],
  [/^write .*\.replaced$/, 'a lost time keeps the file a little shorter'],
];

/** Steps that neither the flow nor a rebuild takes: `relay-crash` and simulated nights do. */
const ELSEWHERE = ['put object', 'swap manifest', 'remove object', 'drop outbox'];

it.skipIf(process.platform !== 'linux')(
  'each call of loads, publishes, compactions, rebuilds and the relay that changes the disk has a failpoint',
  async () => {
    const lines = await soundLines();
    await inFreshFolder(async (dataDir) => {
      await fillMarket(dataDir);
      const { code, steps } = await runChild('watched.ts', ['-1', 'rebuild.ts', dataDir, '']);
      expect(code).toBe(0);
      lines.push(...steps);
    });
    const unlisted = unlistedCalls(lines);
    const texts = unlisted.map(({ call, path }) => `${call} ${path}`);
    const isExcepted = (text: string) => EXCEPTIONS.some(([pattern]) => pattern.test(text));
    expect(texts.filter((text) => !isExcepted(text))).toEqual([]);
    // An exception that is not needed any more would hide the next call like it.
    const isUsed = ([pattern]: (typeof EXCEPTIONS)[number]) =>
      texts.some((text) => pattern.test(text));
    expect(EXCEPTIONS.filter((exception) => !isUsed(exception))).toEqual([]);
    const names = new Set(lines.map((line) => stepOf(line)?.name));
    expect(FAILPOINTS.filter((name) => !names.has(name))).toEqual(ELSEWHERE);
  },
);

const RENAME = '{"call":"rename","path":"/a.tmp","to":"/a"}';
const WRITE = '{"call":"write","path":"/a.tmp"}';

it.each([
  ['its own failpoint', ['rename file a@1', RENAME], 0],
  ['one of another kind', ['fsync file a@1', RENAME], 1],
  ['one that another call has used', ['rename file a@1', RENAME, RENAME], 1],
  ['one after it', [RENAME, 'rename file a@1'], 1],
  ['one long before it', ['rename file a@1', 'fsync folder@1', RENAME], 1],
  [
    'one of the same file before several writes',
    ['write file a@1', 'fsync folder@1', WRITE, WRITE],
    0,
  ],
  ['one of another file before a write', ['write file b@1', WRITE], 1],
])('a call without a failpoint of its own is found: %s', (_name, lines, count) => {
  expect(unlistedCalls(lines)).toHaveLength(count);
});

it('no statement of the flow changes a database without a failpoint, in a transaction or not', () =>
  withUndisturbed(async (stages) => {
    const { changes, unlisted } = stages[stages.length - 1].statements;
    expect(changes).toBeGreaterThan(30);
    expect(unlisted.filter((statement) => !BEGINS_LOG.test(statement))).toEqual([]);
  }));

it('a statement that writes outside of a transaction is found, and one inside of it at its commit', async () => {
  await inFreshFolder(async (dataDir) => {
    mkdirSync(join(dataDir, 'live'));
    const paths = {
      market: join(dataDir, 'live', 'market.duckdb'),
      accounts: join(dataDir, 'accounts.sqlite'),
    };
    const watch = watchStatements(paths);
    try {
      const instance = await DuckDBInstance.create(paths.market);
      const connection = await instance.connect();
      watch.step('commit rows');
      await connection.run('CREATE TABLE bars (close DOUBLE)');
      await connection.run('INSERT INTO bars VALUES (1)');
      await connection.run('BEGIN TRANSACTION');
      await connection.run('DELETE FROM bars');
      await connection.run('COMMIT');
      await connection.run('SELECT * FROM bars');
      connection.disconnectSync();
      watch.step('close store');
      instance.closeSync();
      const accounts = new DatabaseSync(paths.accounts);
      watch.step('commit accounts');
      accounts.exec('CREATE TABLE keys (id TEXT)');
      accounts.prepare('INSERT INTO keys VALUES (?)').run('a');
      await accounts.close();
    } finally {
      watch.end();
    }
    expect(watch.found).toEqual([
      'market: INSERT INTO bars VALUES (1)',
      'market: COMMIT',
      'accounts: INSERT INTO keys VALUES (?)',
    ]);
  });
});
