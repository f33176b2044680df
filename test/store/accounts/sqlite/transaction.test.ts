import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Sql } from '../../../../src/store/accounts/database/sql.ts';
import { openDatabase } from '../../../../src/store/accounts/sqlite/open.ts';
import { sqliteSql } from '../../../../src/store/accounts/sqlite/sql.ts';
import { freshFolder } from '../../../support/folders.ts';

/** Values of the pragma `synchronous`: how SQLite writes the log at a commit. */
const [NORMAL, FULL] = [1, 2];

function fresh() {
  const path = join(freshFolder(), 'accounts.sqlite');
  const db = openDatabase(path, 0);
  onTestFinished(() => {
    db.close();
  });
  return { db, path, sql: sqliteSql(db, path) };
}

const ADD = "INSERT INTO secrets (name, value) VALUES (?, x'00')";

it('a change that a client sees is on the disk first; counts are not waited for', async () => {
  const { db, sql } = fresh();
  const level = async () => db.prepare('PRAGMA synchronous').get()?.synchronous;
  const durable = { isDurable: true };
  expect(await sql.transaction(level, durable)).toBe(FULL);
  expect(await sql.transaction(level)).toBe(NORMAL);
  expect(await sql.transaction((tx) => tx.transaction(level), durable)).toBe(FULL);
  const failed = async () => {
    throw new Error('no');
  };
  await expect(sql.transaction(failed, durable)).rejects.toThrow('no');
  expect(await level()).toBe(NORMAL);
});

it('a statement beside a transaction waits for it, and is not rolled back with it', async () => {
  const { db, path, sql } = fresh();
  const other = openDatabase(path, 0);
  const failing = sql.transaction(async (tx) => {
    await tx.run(ADD, 'inside');
    throw new Error('no');
  });
  const beside: Promise<unknown>[] = [sql, sqliteSql(other, path)].map((one: Sql, i) =>
    one.run(ADD, `beside ${i}`),
  );
  await expect(failing).rejects.toThrow('no');
  await Promise.all(beside);
  const names = db.prepare('SELECT name FROM secrets ORDER BY name').all();
  expect(names.map(({ name }) => name)).toEqual(['beside 0', 'beside 1']);
  other.close();
});
