import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { readSqlite } from '../../../base/read-sqlite.ts';
import { createLister, type ListPart, type ListPlace } from '../database/list-part.ts';
import { reportingDamage } from '../database/open.ts';
import { isNewestSchema } from '../database/schema.ts';
import { inDurableTransaction } from '../database/transaction.ts';
import { ensureAccount } from './account-store.ts';
import { type CreatedKey, type NewKey, type OperatorKeyRow, UNLIMITED } from './key-record.ts';
import { expiresMsOf, type KeyTableRow, operatorRow } from './key-rows.ts';
import { checkedLabel } from './label.ts';
import { hashFromRawKey, keyPrefixFromRawKey, randomKeyId, randomRawKey } from './raw-key.ts';
import { type Scope, scopesFromNames } from './scopes.ts';

/** Returns a function that creates keys in the transaction of its caller. */
function createKeyMaker(db: DatabaseSync, now: () => number): (key: NewKey) => CreatedKey {
  const insert = db.prepare(
    `INSERT INTO keys (id, account, mode, hash, key_prefix, label, scopes,
                       limit_requests, limit_window_s, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const countActive = db.prepare(
    `SELECT count(*) AS active FROM keys
     WHERE account = ? AND mode = ? AND revoked_at IS NULL`,
  );
  const selectPlan = db.prepare(`SELECT scopes, key_days FROM accounts WHERE id = ?`);

  function checkCount(account: string, mode: Mode): void {
    const max = limits.key.perAccountMax;
    if (Number(countActive.get(account, mode)?.active) < max) return;
    throw new ParameterError('account', `account "${account}" has ${max} keys: revoke some first`);
  }

  return (key) => {
    const { account = 'default', mode } = key;
    const createdMs = now();
    const label = checkedLabel(key.label);
    const asked = scopesFromNames(key.scopes);
    ensureAccount(db, account, createdMs);
    checkCount(account, mode);
    const plan = selectPlan.get(account) as unknown as {
      scopes: string | null;
      key_days: number | null;
    };
    const scopes = scopesOfPlan(asked, key.scopes, plan.scopes);
    const limit = key.limit === null ? UNLIMITED : key.limit;
    const [id, rawKey] = [randomKeyId(), randomRawKey(mode)];
    const keyPrefix = keyPrefixFromRawKey(rawKey);
    const own = [id, account, mode, hashFromRawKey(rawKey), keyPrefix, label, scopes.join(' ')];
    const limitValues = [limit?.requests ?? null, limit?.windowS ?? null];
    insert.run(...own, ...limitValues, createdMs, expiresMsOf(plan.key_days, createdMs));
    const createdAt = new Date(createdMs).toISOString();
    return { id, keyPrefix, label, scopes, rawKey, createdAt };
  };
}

export function createKeyStore(db: DatabaseSync, now: () => number, changed: () => void) {
  const make = createKeyMaker(db, now);
  const selectAll = db.prepare(
    `SELECT * FROM keys WHERE account = coalesce(?, account) ORDER BY seq`,
  );
  const part = createLister(db, { list: 'FROM keys WHERE account = ? AND mode = ?' }, operatorRow);
  const revoke = db.prepare(
    'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING *',
  );
  const revokeOwn = db.prepare(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, ?)
     WHERE id = ? AND account = ? AND mode = ? RETURNING id`,
  );

  return {
    /**
     * @throws {ParameterError} label or scopes break their rules, the account's tier lacks a scope,
     *   or the account has too many keys.
     */
    createKey(key: NewKey): CreatedKey {
      const made = inDurableTransaction(db, () => make(key));
      changed();
      return made;
    },
    /** Lists keys of one account or of all, oldest first, including revoked ones. */
    listKeys: (account?: string): OperatorKeyRow[] =>
      selectAll.all(account ?? null).map((row) => operatorRow(row as unknown as KeyTableRow)),
    /** Lists keys of an account in one mode, including revoked ones. */
    listKeyPart: (account: string, mode: Mode, place: ListPlace): ListPart<OperatorKeyRow> =>
      part([account, mode], place),
    /** Revokes a key, if it is active. @throws {ParameterError} no key has this id. */
    revokeKey(id: string): OperatorKeyRow {
      const row = inDurableTransaction(db, () => revoke.get(now(), id));
      if (!row) throw new ParameterError('id', `id must be that of a key, got ${quoted(id)}`);
      changed();
      return operatorRow(row as unknown as KeyTableRow);
    },
    /** Revokes a key of the account. @returns false if it has no such key in this mode. */
    revokeOwnKey(account: string, mode: Mode, id: string): boolean {
      const row = inDurableTransaction(db, () => revokeOwn.get(now(), id, account, mode));
      if (row) changed();
      return row !== undefined;
    },
  };
}

/** Expands `all` to the scopes of the tier, and rejects a named scope that the tier lacks. */
function scopesOfPlan(
  asked: Scope[],
  names: readonly string[],
  planScopes: string | null,
): Scope[] {
  if (planScopes === null) return asked;
  const allowed = planScopes.split(' ');
  const outside = names.find((name) => name !== 'all' && !allowed.includes(name));
  if (outside !== undefined) {
    throw new ParameterError('scopes', `scopes must be of the account's plan, got "${outside}"`);
  }
  return asked.filter((scope) => allowed.includes(scope));
}

/**
 * Lists all keys, or those of an account, oldest first. The folder may be read-only.
 *
 * @returns undefined if the file has an older schema; opening it for writing upgrades it.
 * @throws {CorruptDataError} the file is damaged.
 */
export function listStoredKeys(path: string, account?: string): OperatorKeyRow[] | undefined {
  if (!existsSync(path)) return [];
  return reportingDamage(path, () => readSqlite(path, (db) => keysOf(db, account)));
}

function keysOf(db: DatabaseSync, account?: string): OperatorKeyRow[] | undefined {
  if (!isNewestSchema(db)) return undefined;
  return createKeyStore(db, Date.now, () => {}).listKeys(account);
}
