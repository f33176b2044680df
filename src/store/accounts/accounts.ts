/**
 * `accounts.sqlite`: the state that belongs to accounts. One small interface, so that a shared
 * database can take its place when the API outgrows a machine.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../data-dir.ts';
import { ParameterError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import {
  type CreatedKey,
  type NewKey,
  type OperatorKeyRow,
  UNLIMITED,
  type ValidKey,
} from './key-record.ts';
import { createKeyUses } from './key-uses.ts';
import { hashFromRawKey, keyPrefixFromRawKey, randomKeyId, randomRawKey } from './raw-key.ts';
import { migrateAccounts } from './schema.ts';
import { type Scope, scopesFromNames } from './scopes.ts';

export interface Accounts {
  /** @throws {ParameterError} label or scopes break their rules. */
  createKey(key: NewKey): CreatedKey;
  /** Keys of one account or of all, oldest first, revoked ones among them. */
  listKeys(account?: string): OperatorKeyRow[];
  /**
   * Revoking a revoked key changes nothing.
   *
   * @throws {ParameterError} no key has this id.
   */
  revokeKey(id: string): OperatorKeyRow;
  /** The key of this text unless it is unknown or revoked. */
  findKey(rawKey: string): ValidKey | undefined;
  /** Notes a use in memory; all uses of a second are then written in one transaction. */
  noteUse(id: string, nowMs: number): void;
  /** A text that differs after anything but uses of keys may have changed. */
  version(): string;
  /** 32 random bytes that sign cursors: the same for every process, made at first use. */
  cursorSecret(): Buffer;
  /** Writes what is noted and closes. */
  close(): void;
}

interface KeyTableRow {
  id: string;
  account: string;
  mode: Mode;
  key_prefix: string;
  label: string;
  scopes: string;
  limit_requests: number | null;
  limit_window_s: number | null;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

const SECRET_BYTES = 32;

/** @param now Milliseconds since the epoch; stamps creation and revocation. */
export function openAccounts(path: string, now: () => number = Date.now): Accounts {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  migrateAccounts(db, now());
  const insert = db.prepare(
    `INSERT INTO keys (id, account, mode, hash, key_prefix, label, scopes,
                       limit_requests, limit_window_s, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = db.prepare(
    'SELECT * FROM keys WHERE account = coalesce(?, account) ORDER BY created_at, rowid',
  );
  const selectByHash = db.prepare('SELECT * FROM keys WHERE hash = ? AND revoked_at IS NULL');
  const revoke = db.prepare(
    'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING *',
  );
  // Counts what other connections commit; `ownChanges` counts what this one does.
  const dataVersion = db.prepare('PRAGMA data_version');
  let ownChanges = 0;
  const insertSecret = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const selectSecret = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const uses = createKeyUses(db);

  function createKey(key: NewKey): CreatedKey {
    const label = checkedLabel(key.label);
    const scopes = scopesFromNames(key.scopes);
    const limit = key.limit === null ? UNLIMITED : key.limit;
    const [id, rawKey, createdMs] = [randomKeyId(), randomRawKey(key.mode), now()];
    const keyPrefix = keyPrefixFromRawKey(rawKey);
    insert.run(
      id,
      key.account ?? 'default',
      key.mode,
      hashFromRawKey(rawKey),
      keyPrefix,
      label,
      scopes.join(' '),
      limit?.requests ?? null,
      limit?.windowS ?? null,
      createdMs,
    );
    return { id, keyPrefix, label, scopes, rawKey, createdAt: isoFromMillis(createdMs) };
  }

  return {
    createKey,
    listKeys: (account) =>
      select.all(account ?? null).map((row) => operatorRow(row as unknown as KeyTableRow)),
    revokeKey(id) {
      const row = revoke.get(now(), id);
      ownChanges++;
      if (!row) throw new ParameterError('id', `id must be that of a key, got "${id}"`);
      return operatorRow(row as unknown as KeyTableRow);
    },
    findKey(rawKey) {
      const row = selectByHash.get(hashFromRawKey(rawKey));
      return row && validKey(row as unknown as KeyTableRow);
    },
    noteUse: uses.note,
    version: () => `${dataVersion.get()?.data_version}.${ownChanges}`,
    cursorSecret() {
      insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from(selectSecret.get('cursor')?.value as Uint8Array);
    },
    close() {
      uses.close();
      db.close();
    },
  };
}

function checkedLabel(label: string): string {
  const max = limits.key.labelCharsMax;
  if (label.length === 0 || label.length > max) {
    throw new ParameterError('label', `label must have 1 to ${max} characters, got "${label}"`);
  }
  return label;
}

function operatorRow(row: KeyTableRow): OperatorKeyRow {
  return {
    id: row.id,
    account: row.account,
    mode: row.mode,
    keyPrefix: row.key_prefix,
    label: row.label,
    scopes: row.scopes.split(' ') as Scope[],
    limit: limitOf(row) ?? null,
    createdAt: isoFromMillis(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : isoFromMillis(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : isoFromMillis(row.revoked_at),
  };
}

function validKey(row: KeyTableRow): ValidKey {
  return {
    id: row.id,
    account: row.account,
    mode: row.mode,
    scopes: new Set(row.scopes.split(' ') as Scope[]),
    limit: limitOf(row),
  };
}

function limitOf(row: KeyTableRow): ValidKey['limit'] {
  if (row.limit_requests === null || row.limit_window_s === null) return undefined;
  return { requests: row.limit_requests, windowS: row.limit_window_s };
}

function isoFromMillis(ms: number): string {
  return new Date(ms).toISOString();
}
