/** Accounts and their plans, in the table `accounts`. */

import { ParameterError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import { isoOrNull } from '../../../base/time/dates.ts';
import { createLister, type ListPlace } from '../database/list-part.ts';
import type { Changed, Sql } from '../database/sql.ts';
import type { Account, AccountChange, NewAccount, Plan } from './account-record.ts';
import { checkedLabel } from './label.ts';
import { randomAccountId } from './raw-key.ts';
import { type Scope, scopesFromNames } from './scopes.ts';

interface AccountTableRow {
  seq: number;
  id: string;
  label: string;
  limit_requests: number | null;
  limit_window_s: number | null;
  tokens_per_day: number | null;
  scopes: string | null;
  key_days: number | null;
  created_at: number;
  suspended_at: number | null;
}

const OPEN_PLAN: Plan = { rateLimit: null, tokensPerDay: null, scopes: null, keyDays: null };

const ID_SHAPE = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * Creates an account without bounds if there is none with this id.
 *
 * @throws {ParameterError} `account`: the id of a new account breaks its rule.
 */
export async function ensureAccount(sql: Sql, id: string, nowMs: number): Promise<void> {
  if (await sql.get('SELECT 1 AS one FROM accounts WHERE id = ?', id)) return;
  checkId(id, 'account');
  await sql.run(
    'INSERT INTO accounts (id, label, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ...[id, id, nowMs],
  );
}

function checkId(id: string, field: string): void {
  if (ID_SHAPE.test(id)) return;
  const rule = 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit';
  throw new ParameterError(field, `${field} ${rule}, got ${quoted(id)}`);
}

export function createAccountStore(sql: Sql, now: () => number, changed: Changed) {
  const insert = `INSERT INTO accounts (id, label, limit_requests, limit_window_s, tokens_per_day, scopes,
                           key_days, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`;
  const update = `UPDATE accounts SET label = ?, limit_requests = ?, limit_window_s = ?, tokens_per_day = ?,
                         scopes = ?, key_days = ?, suspended_at = ? WHERE id = ? RETURNING *`;
  const select = `SELECT * FROM accounts WHERE id = ?`;
  const part = createLister(sql, { list: 'FROM accounts WHERE true' }, accountFromRow);

  async function changeRow(
    tx: Sql,
    id: string,
    change: AccountChange,
  ): Promise<Account | undefined> {
    const row = await tx.get<AccountTableRow>(select, id);
    if (!row) return undefined;
    const { label, plan, isSuspended = row.suspended_at !== null } = change;
    const values = valuesFromPlan({ ...accountFromRow(row).plan, ...plan });
    const newLabel = label === undefined ? row.label : checkedLabel(label);
    const suspendedAt = isSuspended ? (row.suspended_at ?? now()) : null;
    const written = await tx.get<AccountTableRow>(update, newLabel, ...values, suspendedAt, id);
    return written && accountFromRow(written);
  }

  return {
    /** @throws {ParameterError} a field breaks its rule, or `id` is taken. */
    async createAccount({ id = randomAccountId(), label, plan }: NewAccount): Promise<Account> {
      checkId(id, 'id');
      const values = valuesFromPlan({ ...OPEN_PLAN, ...plan });
      const row = await sql.transaction(
        (tx) => tx.get<AccountTableRow>(insert, id, checkedLabel(label), ...values, now()),
        { lock: 'keys', isDurable: true },
      );
      if (!row) throw new ParameterError('id', `id must be new, got ${quoted(id)}, which exists`);
      await changed();
      return accountFromRow(row);
    },
    async findAccount(id: string): Promise<Account | undefined> {
      const row = await sql.get<AccountTableRow>(select, id);
      return row && accountFromRow(row);
    },
    listAccounts: (place: ListPlace) => part([], place),
    /**
     * @returns the changed account; undefined if there is none.
     * @throws {ParameterError} a field breaks its rule.
     */
    async changeAccount(id: string, change: AccountChange): Promise<Account | undefined> {
      const account = await sql.transaction((tx) => changeRow(tx, id, change), {
        ...{ lock: 'keys', isDurable: true },
      });
      // Before the commit, another thread would read and keep the old state.
      if (account) await changed();
      return account;
    },
  };
}

function valuesFromPlan({ rateLimit, tokensPerDay, scopes, keyDays }: Plan) {
  return [
    rateLimit?.requests ?? null,
    rateLimit?.windowS ?? null,
    tokensPerDay,
    scopes && scopesFromNames(scopes).join(' '),
    keyDays,
  ] as const;
}

function accountFromRow(row: AccountTableRow): Account {
  const { limit_requests, limit_window_s } = row;
  const hasLimit = limit_requests !== null && limit_window_s !== null;
  return {
    id: row.id,
    label: row.label,
    plan: {
      rateLimit: hasLimit ? { requests: limit_requests, windowS: limit_window_s } : null,
      tokensPerDay: row.tokens_per_day,
      scopes: row.scopes === null ? null : (row.scopes.split(' ') as Scope[]),
      keyDays: row.key_days,
    },
    createdAt: new Date(row.created_at).toISOString(),
    suspendedAt: isoOrNull(row.suspended_at),
  };
}
