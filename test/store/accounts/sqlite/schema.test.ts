import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import { hashFromRawKey } from '../../../../src/store/accounts/keys/raw-key.ts';
import { SCOPE_NAMES, scopesFromNames } from '../../../../src/store/accounts/keys/scopes.ts';
import { freshFolder } from '../../../support/folders.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = freshFolder();
  path = join(folder, 'accounts.sqlite');
});

/** The file as the first release that had no accounts wrote it. */
function writeOldFile(): void {
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
    INSERT INTO schema_migrations VALUES (1, 0), (2, 0);
    CREATE TABLE keys (
      id TEXT PRIMARY KEY, account TEXT NOT NULL,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
      hash BLOB NOT NULL UNIQUE, key_prefix TEXT NOT NULL, label TEXT NOT NULL,
      scopes TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER,
      created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER) STRICT;
    CREATE INDEX keys_by_account ON keys (account, created_at);
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
    INSERT INTO secrets VALUES ('cursor', x'${'07'.repeat(32)}');`);
  const insert = db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const key = (id: string, account: string, mode: string, createdMs: number) =>
    [id, account, mode, hashFromRawKey(`svc_${id}`), 'svc_live_abc', id, 'quotes:read'].concat([
      5,
      10,
      createdMs,
      null,
      null,
    ] as never[]);
  insert.run(...key('key_b', 'Acme, Inc.', 'live', 2000));
  insert.run(...key('key_a', 'default', 'sandbox', 1000));
  db.prepare("UPDATE keys SET revoked_at = 3000, last_used_at = 2500 WHERE id = 'key_b'").run();
  db.close();
}

it('a file without accounts is upgraded in place, and its keys go on working', async () => {
  writeOldFile();
  const accounts = openAccounts(path);
  expect((await accounts.listKeys()).map(({ id, account }) => [id, account])).toEqual([
    ['key_a', 'default'],
    ['key_b', 'Acme, Inc.'],
  ]);
  expect((await accounts.listKeys('Acme, Inc.'))[0]).toMatchObject({
    limit: { requests: 5, windowS: 10 },
    createdAt: '1970-01-01T00:00:02.000Z',
    expiresAt: null,
    lastUsedAt: '1970-01-01T00:00:02.500Z',
    revokedAt: '1970-01-01T00:00:03.000Z',
  });
  expect(accounts.findKey('svc_key_a')).toMatchObject({ id: 'key_a', mode: 'sandbox' });
  expect(accounts.findKey('svc_key_b')).toBeUndefined();
  expect(accounts.cursorSecret()).toEqual(Buffer.alloc(32, 7));
  const { rows } = await accounts.listAccounts({ limit: 10 });
  expect(rows.map(({ id, label }) => [id, label])).toEqual([
    ['Acme, Inc.', 'Acme, Inc.'],
    ['default', 'default'],
  ]);
  expect(rows[0]).toMatchObject({ createdAt: '1970-01-01T00:00:02.000Z', suspendedAt: null });
  await accounts.close();
});

it('a key with all scopes of an earlier release has all scopes of this one', async () => {
  writeOldFile();
  const db = new DatabaseSync(path);
  const newer = ['screens:write', 'ingest:write', 'accounts:write'];
  const old = SCOPE_NAMES.filter((scope) => !newer.includes(scope));
  const change = db.prepare('UPDATE keys SET scopes = ? WHERE id = ?');
  change.run(old.join(' '), 'key_a');
  change.run([...old, 'accounts:write'].join(' '), 'key_b');
  db.exec("UPDATE keys SET revoked_at = NULL WHERE id = 'key_b'");
  db.prepare(
    `INSERT INTO keys SELECT 'key_c', account, mode, x'00', key_prefix, label,
     'quotes:read webhooks:write', 5, 10, 5000, null, null FROM keys WHERE id = 'key_a'`,
  ).run();
  db.close();
  const accounts = openAccounts(path);
  expect((await accounts.listKeys()).map(({ scopes }) => scopes)).toEqual([
    scopesFromNames(['all']),
    scopesFromNames(['all', 'accounts:write']),
    ['quotes:read', 'webhooks:write'],
  ]);
  await accounts.close();
});

it('an upgraded file has the tables of a new one', () => {
  writeOldFile();
  openAccounts(path).close();
  const fresh = join(folder, 'fresh.sqlite');
  openAccounts(fresh).close();
  const tables = (file: string) => {
    const db = new DatabaseSync(file);
    const rows = db
      .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name')
      .all()
      .map((row) => ({ ...row, sql: String(row.sql).replace(/\s+/g, ' ') }));
    db.close();
    return rows;
  };
  expect(tables(path)).toEqual(tables(fresh));
});
