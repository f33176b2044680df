/** The shapes of a key: as the API checks it, as lists show it, as its creation answers. */

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

/** What the operator sees beside a row: whose it is, which mode, its own limit and its end. */
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
  /** Of its row, by which threads count: ascending from 1, and never given again. */
  number: number;
  account: string;
  accountNumber: number;
  mode: Mode;
  /** Its own, as far as the plan allows them. */
  scopes: ReadonlySet<Scope>;
  /** Its own, else the account's; undefined: the server's own limit. */
  limit: RateLimit | undefined;
  /** Its own, unless that is to have none; keys that it makes get it too. */
  ownLimit: RateLimit | undefined;
  /** Of the account in the key's mode and a UTC day; undefined: as many as wanted. */
  tokensPerDay: number | undefined;
  isSuspended: boolean;
  /** Milliseconds since the epoch; infinite where it has no end. */
  expiresMs: number;
}

/**
 * The limit of a key that has none, as numbers: nobody sends 2³¹ requests a minute, and the
 * headers stay integers that every client's integer type holds.
 */
export const UNLIMITED: RateLimit = { requests: 2_147_483_647, windowS: 60 };

export interface NewKey {
  mode: Mode;
  label: string;
  /** Scope names; `all` is every scope except `accounts:write`. */
  scopes: readonly string[];
  /** Is created where it does not exist; default: `default`. */
  account?: string;
  /** Default: the limit of the account; null: none. */
  limit?: RateLimit | null;
}
