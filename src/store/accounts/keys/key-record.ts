/** Types of a key: as the API checks it, as lists show it, and as its creation returns it. */

import type { Mode } from '../../../base/config/data-dir.ts';
import type { RateLimit } from '../../../base/config/values.ts';
import type { Scope } from './scopes.ts';

/** Fields of section 2.4 of the specification; `rawKey` is shown here and never again. */
export interface CreatedKey {
  id: string;
  keyPrefix: string;
  label: string;
  scopes: Scope[];
  rawKey: string;
  createdAt: string;
}

/** A key as lists show it; date-times are ISO texts, null where it never happened. */
export interface KeyRow {
  id: string;
  keyPrefix: string;
  label: string;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** A key as the operator sees it: with account, mode, own limit and expiry. */
export interface OperatorKeyRow extends KeyRow {
  account: string;
  mode: Mode;
  /** Null: the limit of the account. */
  limit: RateLimit | null;
  /** Null: valid until it is revoked. */
  expiresAt: string | null;
}

/** A key that is not revoked, with the plan of its account, as authentication needs it. */
export interface ValidKey {
  id: string;
  /** Number of its row, ascending from 1 and never reused; the index of its counters. */
  number: number;
  account: string;
  accountNumber: number;
  mode: Mode;
  /** Scopes of the key that its account's plan allows. */
  scopes: ReadonlySet<Scope>;
  /** Limit of the key, else of the account; undefined: the server's default. */
  limit: RateLimit | undefined;
  /** Limit of the key, unless it has none; keys that it creates inherit it. */
  ownLimit: RateLimit | undefined;
  /** Quota of the account in the key's mode on a UTC day; undefined: none. */
  tokensPerDay: number | undefined;
  isSuspended: boolean;
  /** Milliseconds since the epoch; infinite if the key does not expire. */
  expiresMs: number;
}

/** Limit of a key that has none. The headers stay integers that fit a client's 32-bit type. */
export const UNLIMITED: RateLimit = { requests: 2_147_483_647, windowS: 60 };

export interface NewKey {
  mode: Mode;
  label: string;
  /** Scope names; `all` is every scope except `accounts:write`. */
  scopes: readonly string[];
  /** Created if it does not exist; default: `default`. */
  account?: string;
  /** Default: the limit of the account; null: none. */
  limit?: RateLimit | null;
}
