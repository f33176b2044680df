import type { RateLimit } from '../../../base/config/values.ts';
import type { Scope } from './scopes.ts';

/** Bounds of an account, its plan; null in all fields: only the server's own limits. */
export interface Plan {
  /** Requests of each key that has no limit of its own; null: the server's own limit. */
  rateLimit: RateLimit | null;
  /** Token quota of all keys for a day (UTC), in each mode; null: none. */
  tokensPerDay: number | null;
  /** Scopes that its keys may have, also existing keys; null: all. */
  scopes: Scope[] | null;
  /** Days for which a new key is valid; null: until it is revoked. */
  keyDays: number | null;
}

export interface Account {
  id: string;
  label: string;
  plan: Plan;
  /** Date-times are ISO texts. */
  createdAt: string;
  /** Null: the account is active. */
  suspendedAt: string | null;
}

export interface NewAccount {
  id?: string;
  label: string;
  plan?: Partial<Plan>;
}

/** Changes of an account; an undefined field stays the same. */
export interface AccountChange {
  label?: string;
  plan?: Partial<Plan>;
  isSuspended?: boolean;
}
