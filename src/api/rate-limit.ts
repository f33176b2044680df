/** Requests per key in fixed windows that start at multiples of their length since the epoch. */

import type { RateLimit } from '../config.ts';
import type { ValidKey } from '../store/accounts/key-record.ts';

export interface Quota {
  /** Requests per window. */
  requests: number;
  /** Requests left in this window; below zero once the limit is passed. */
  remaining: number;
  /** End of the window in seconds since the epoch. */
  resetS: number;
}

/** Counts one request of a key; a request beyond the limit counts too but changes nothing. */
export type RateLimiter = (key: ValidKey, nowMs: number) => Quota;

interface Counter {
  window: number;
  used: number;
}

/** @param standard The limit of keys that have none of their own. */
export function createRateLimiter(standard: RateLimit): RateLimiter {
  const counters = new Map<string, Counter>();
  return (key, nowMs) => {
    const { requests, windowS } = key.limit ?? standard;
    const window = Math.floor(nowMs / (windowS * 1000));
    let counter = counters.get(key.id);
    if (counter?.window !== window) {
      counter = { window, used: 0 };
      counters.set(key.id, counter);
    }
    counter.used++;
    return { requests, remaining: requests - counter.used, resetS: (window + 1) * windowS };
  };
}

/** Adds the three headers of every authenticated answer, names and values in turn. */
export function pushRateLimitHeaders(lines: string[], quota: Quota): void {
  lines.push(
    'X-SVC-RateLimit-Limit',
    String(quota.requests),
    'X-SVC-RateLimit-Remaining',
    String(Math.max(0, quota.remaining)),
    'X-SVC-RateLimit-Reset',
    String(quota.resetS),
  );
}

/** Whole seconds until the next window, at least 1. */
export function retryAfterS(quota: Quota, nowMs: number): number {
  return Math.max(1, Math.ceil(quota.resetS - nowMs / 1000));
}
