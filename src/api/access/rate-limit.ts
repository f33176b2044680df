/** Requests per key in fixed windows that start at multiples of their length since the epoch. */

import type { RateLimit } from '../../base/config/values.ts';
import type { ValidKey } from '../../store/sqlite/keys/key-record.ts';
import type { RequestCounts } from '../../store/sqlite/usage/request-counts.ts';

export interface Quota {
  /** Requests per window. */
  requests: number;
  windowS: number;
  /** Requests left in this window; below zero once the limit is passed. */
  remaining: number;
  /** End of the window in seconds since the epoch. */
  resetS: number;
}

/** Counts one request of a key; a request beyond the limit counts too but changes nothing. */
export type RateLimiter = (key: ValidKey, nowMs: number) => Quota;

/** @param standard The limit of keys that have none of their own. */
export function createRateLimiter(
  { countRequest }: Pick<RequestCounts, 'countRequest'>,
  standard: RateLimit,
): RateLimiter {
  return (key, nowMs) => {
    const { requests, windowS } = key.limit ?? standard;
    const window = Math.floor(nowMs / (windowS * 1000));
    const used = countRequest(key, window);
    return { requests, windowS, remaining: requests - used, resetS: (window + 1) * windowS };
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
