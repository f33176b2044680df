import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { countOf, createLister, type ListPlace } from '../database/list-part.ts';
import type { Changed, Sql } from '../database/sql.ts';
import { ensureAccount } from './account-store.ts';
import { type CreatedKey, type NewKey, type OperatorKeyRow, UNLIMITED } from './key-record.ts';
import { expiresMsOf, type KeyTableRow, operatorRow } from './key-rows.ts';
import { checkedLabel } from './label.ts';
import { hashFromRawKey, keyPrefixFromRawKey, randomKeyId, randomRawKey } from './raw-key.ts';
import { type Scope, scopesFromNames } from './scopes.ts';

const INSERT = `INSERT INTO keys (id, account, mode, hash, key_prefix, label, scopes,
                       limit_requests, limit_window_s, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Creates a key in the transaction of its caller. */
async function makeKey(tx: Sql, key: NewKey, createdMs: number): Promise<CreatedKey> {
  const { account = 'default', mode } = key;
  const label = checkedLabel(key.label);
  const asked = scopesFromNames(key.scopes);
  await ensureAccount(tx, account, createdMs);
  await checkCount(tx, account, mode);
  const plan = (await tx.get<{ scopes: string | null; key_days: number | null }>(
    'SELECT scopes, key_days FROM accounts WHERE id = ?',
    account,
  ))!;
  const scopes = scopesOfPlan(asked, key.scopes, plan.scopes);
  const limit = key.limit === null ? UNLIMITED : key.limit;
  const [id, rawKey] = [randomKeyId(), randomRawKey(mode)];
  const keyPrefix = keyPrefixFromRawKey(rawKey);
  const own = [id, account, mode, hashFromRawKey(rawKey), keyPrefix, label, scopes.join(' ')];
  const limitValues = [limit?.requests ?? null, limit?.windowS ?? null];
  const expiresMs = expiresMsOf(plan.key_days, createdMs);
  await tx.run(INSERT, ...own, ...limitValues, createdMs, expiresMs);
  const createdAt = new Date(createdMs).toISOString();
  return { id, keyPrefix, label, scopes, rawKey, createdAt };
}

/** @throws {ParameterError} the account has too many keys. */
async function checkCount(tx: Sql, account: string, mode: Mode): Promise<void> {
  const max = limits.key.perAccountMax;
  const active = 'FROM keys WHERE account = ? AND mode = ? AND revoked_at IS NULL';
  if ((await countOf(tx, active, account, mode)) < max) return;
  throw new ParameterError('account', `account "${account}" has ${max} keys: revoke some first`);
}

export function createKeyStore(sql: Sql, now: () => number, changed: Changed) {
  const selectAll = `SELECT * FROM keys WHERE account = coalesce(?, account) ORDER BY seq`;
  const own = 'FROM keys WHERE account = ? AND mode = ?';
  const part = createLister(sql, { list: own }, operatorRow);
  const revoke = 'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING *';
  const revokeOwn = `UPDATE keys SET revoked_at = coalesce(revoked_at, ?)
     WHERE id = ? AND account = ? AND mode = ? RETURNING id`;
  const rules = { lock: 'keys', isDurable: true } as const;

  return {
    /**
     * @throws {ParameterError} label or scopes break their rules, the account's plan lacks a scope,
     *   or the account has too many keys.
     */
    async createKey(key: NewKey): Promise<CreatedKey> {
      const made = await sql.transaction((tx) => makeKey(tx, key, now()), rules);
      await changed();
      return made;
    },
    /** Lists keys of one account or of all, oldest first, including revoked ones. */
    listKeys: async (account?: string): Promise<OperatorKeyRow[]> =>
      (await sql.all<KeyTableRow>(selectAll, account ?? null)).map(operatorRow),
    /** Lists keys of an account in one mode, including revoked ones. */
    listKeyPart: (account: string, mode: Mode, place: ListPlace) => part([account, mode], place),
    /** Revokes a key, if it is active. @throws {ParameterError} no key has this id. */
    async revokeKey(id: string): Promise<OperatorKeyRow> {
      const row = await sql.transaction((tx) => tx.get<KeyTableRow>(revoke, now(), id), rules);
      if (!row) throw new ParameterError('id', `id must be that of a key, got ${quoted(id)}`);
      await changed();
      return operatorRow(row);
    },
    /** Revokes a key of the account. @returns false if it has no such key in this mode. */
    async revokeOwnKey(account: string, mode: Mode, id: string): Promise<boolean> {
      const revokeOne = (tx: Sql) => tx.get(revokeOwn, now(), id, account, mode);
      const row = await sql.transaction(revokeOne, rules);
      if (row) await changed();
      return row !== undefined;
    },
  };
}

/** Expands `all` to the scopes of the plan, and rejects a named scope that the plan lacks. */
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
