/** The shapes of an account and its plan. */

import type { RateLimit } from '../../../base/config/values.ts';
import type { Scope } from './scopes.ts';

/** What an account may do. Null everywhere: nothing is bounded but by the server's own limit. */
export interface Plan {
  /** Requests of each key that has no limit of its own; null: the server's own limit. */
  rateLimit: RateLimit | null;
  /** Tokens of all keys together in a day (UTC), in each mode apart; null: as many as wanted. */
  tokensPerDay: number | null;
  /** What keys may do at most, also keys that exist; null: everything. */
  scopes: Scope[] | null;
  /** Days that a key made from now on is valid; null: until it is revoked. */
  keyDays: number | null;
}

export interface Account {
  id: string;
  label: string;
  plan: Plan;
  /** Date-times are ISO texts. */
  createdAt: string;
  /** Null: the account may ask. */
  suspendedAt: string | null;
}

export interface NewAccount {
  /** Undefined: a random one. */
  id?: string;
  label: string;
  plan?: Partial<Plan>;
}

/** What is undefined stays as it is. */
export interface AccountChange {
  label?: string;
  plan?: Partial<Plan>;
  isSuspended?: boolean;
}

/** Where a list goes on: rows that were made before the one with this number. */
export interface ListPlace {
  /** Undefined: from the newest row on. */
  beforeSeq?: number;
  limit: number;
}

export interface ListPart<Row> {
  /** Newest first. */
  rows: Row[];
  /** Number of the last row; what `beforeSeq` takes for the next part. */
  lastSeq: number;
  hasMore: boolean;
  /** Rows of all parts together. */
  total: number;
}
