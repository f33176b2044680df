/** Fresh accounts for each test of a file, in each database, with a clock that tests move. */

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { type AccountsPlace, accountsPlace } from '../../../../src/base/config/data-dir.ts';
import type { NewKey, ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { openAccounts } from '../../../../src/store/accounts/open.ts';
import type { Accounts } from '../../../../src/store/accounts/records/contract.ts';
import { freshFolder } from '../../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../../support/postgres-server.ts';
import { postgresFolder } from '../../../support/tools.ts';

export const START_MS = Date.UTC(2026, 0, 5, 12);
export const START_DAY = Date.UTC(2026, 0, 5) / 86_400_000;

export type Database = 'SQLite' | 'Postgres';

export interface AccountsFixture {
  database: Database;
  folder: string;
  place: AccountsPlace;
  clock: { nowMs: number };
  accounts: Accounts;
  /** A new key as authentication finds it. */
  validKey(key?: Partial<NewKey>): Promise<ValidKey>;
  /** Closes and opens again. */
  reopen(): Promise<void>;
  /** Opens the same accounts as another process does. */
  openOther(): Accounts;
  /** Writes what was counted, to where reports read it. */
  writeUsage(): Promise<void>;
  /** Runs a statement beside the accounts. */
  query(text: string): Promise<Record<string, unknown>[]>;
}

/** Runs the tests over each database. */
export function overDatabases(tests: (fixture: AccountsFixture) => void): void {
  describe('in SQLite', () => tests(useAccounts('SQLite')));
  describe.skipIf(!postgresFolder)('in Postgres', () => tests(useAccounts('Postgres')));
}

let databaseCount = 0;

/** Makes fresh accounts for each test of a file or of a `describe`. */
export function useAccounts(database: Database = 'SQLite'): AccountsFixture {
  const fixture = { database } as AccountsFixture;
  let server: RunningPostgres | undefined;
  const opened: Accounts[] = [];
  const open = () => {
    const accounts = openAccounts(fixture.place, () => fixture.clock.nowMs);
    opened.push(accounts);
    return accounts;
  };
  const close = async () => {
    for (const accounts of opened.splice(0)) await accounts.close();
  };
  if (database === 'Postgres') {
    beforeAll(async () => {
      server = await startPostgres();
      // The tests copy its tables: making them takes ten times as long.
      const { openRecords } = await import('../../../../src/store/accounts/open.ts');
      const records = openRecords({
        ...accountsPlace('.', await server.create('filled')),
      });
      await records.openBackfills();
      await records.close();
    });
    afterAll(() => server?.stop());
  }
  beforeEach(async () => {
    const name = `one_${databaseCount++}`;
    await server?.query(`CREATE DATABASE ${name} TEMPLATE filled`);
    fixture.folder = freshFolder();
    fixture.place = accountsPlace(fixture.folder, server?.url(name));
    fixture.clock = { nowMs: START_MS };
    fixture.accounts = open();
    await fixture.accounts.refresh();
    fixture.openOther = () => {
      const place = { ...fixture.place, copyPath: join(freshFolder(), 'copy.sqlite') };
      const other = openAccounts(database === 'SQLite' ? fixture.place : place, () => {
        return fixture.clock.nowMs;
      });
      opened.push(other);
      return other;
    };
    fixture.validKey = async (key = {}) => {
      const all = { mode: 'live', label: 'x', scopes: ['all'] } as const;
      const { rawKey } = await fixture.accounts.createKey({ ...all, ...key });
      return fixture.accounts.findKey(rawKey) as ValidKey;
    };
    fixture.reopen = async () => {
      await close();
      fixture.accounts = open();
    };
    fixture.writeUsage = async () => {
      fixture.accounts.flush();
      if (database !== 'Postgres') return;
      // Usage is sent by a close that reaches Postgres.
      await fixture.accounts.refresh();
      await fixture.reopen();
    };
    fixture.query = async (text) => {
      if (server) return await server.query(text, name);
      const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(fixture.place.path);
      const rows = db.prepare(text).all();
      db.close();
      return rows;
    };
  });
  afterEach(close);
  return fixture;
}
