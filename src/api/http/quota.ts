/** Rate limit of a key or a client address, and the headers that report it. */

/** State of one fixed window of requests. */
export interface Quota {
  /** Requests per window. */
  requests: number;
  windowS: number;
  /** Requests left in this window; below zero beyond the limit. */
  remaining: number;
  /** End of the window in seconds since the epoch. */
  resetS: number;
}

/** @param count Counts a request in a window, and returns how many it has. */
export function quotaOf(
  { requests, windowS }: Pick<Quota, 'requests' | 'windowS'>,
  nowMs: number,
  count: (window: number) => number,
): Quota {
  // Windows start at multiples of their length since the epoch.
  const window = Math.floor(nowMs / (windowS * 1000));
  const remaining = requests - count(window);
  return { requests, windowS, remaining, resetS: (window + 1) * windowS };
}

/** Adds the three headers of every authenticated response. */
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

/** Returns the whole seconds until the next window, at least 1. */
export function retryAfterS(quota: Quota, nowMs: number): number {
  return Math.max(1, Math.ceil(quota.resetS - nowMs / 1000));
}
