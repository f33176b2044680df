import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { Mode } from '../../../base/config/data-dir.ts';
import { isoOrNull } from '../../../base/time/dates.ts';
import { type OperatorKeyRow, UNLIMITED, type ValidKey } from './key-record.ts';
import type { Scope } from './scopes.ts';

export interface KeyTableRow {
  seq: number;
  id: string;
  account: string;
  mode: Mode;
  hash: Uint8Array;
  key_prefix: string;
  label: string;
  scopes: string;
  limit_requests: number | null;
  limit_window_s: number | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface ValidKeyRow
  extends Pick<
    KeyTableRow,
    | 'seq'
    | 'id'
    | 'account'
    | 'mode'
    | 'scopes'
    | 'limit_requests'
    | 'limit_window_s'
    | 'expires_at'
  > {
  account_seq: number;
  plan_requests: number | null;
  plan_window_s: number | null;
  tokens_per_day: number | null;
  plan_scopes: string | null;
  suspended_at: number | null;
}

export function operatorRow(row: KeyTableRow): OperatorKeyRow {
  return {
    id: row.id,
    account: row.account,
    mode: row.mode,
    keyPrefix: row.key_prefix,
    label: row.label,
    scopes: row.scopes.split(' ') as Scope[],
    limit: limitOf(row.limit_requests, row.limit_window_s) ?? null,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: isoOrNull(row.expires_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    revokedAt: isoOrNull(row.revoked_at),
  };
}

export function validKey(row: ValidKeyRow): ValidKey {
  const scopes = new Set(row.scopes.split(' ') as Scope[]);
  const planScopes = row.plan_scopes === null ? scopes : new Set(row.plan_scopes.split(' '));
  const ownLimit = limitOf(row.limit_requests, row.limit_window_s);
  return {
    id: row.id,
    number: row.seq,
    account: row.account,
    accountNumber: row.account_seq,
    mode: row.mode,
    scopes: scopes.intersection(planScopes) as Set<Scope>,
    limit: ownLimit ?? limitOf(row.plan_requests, row.plan_window_s),
    ownLimit: ownLimit?.requests === UNLIMITED.requests ? undefined : ownLimit,
    tokensPerDay: row.tokens_per_day ?? undefined,
    isSuspended: row.suspended_at !== null,
    expiresMs: row.expires_at ?? Number.POSITIVE_INFINITY,
  };
}

/** Returns the expiry of a new key; null: it does not expire. */
export function expiresMsOf(keyDays: number | null, createdMs: number): number | null {
  return keyDays === null ? null : createdMs + keyDays * MILLIS_PER_DAY;
}

function limitOf(requests: number | null, windowS: number | null): ValidKey['limit'] {
  return requests === null || windowS === null ? undefined : { requests, windowS };
}
