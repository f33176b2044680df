/** Waits before a request is retried. Pure. */

import { limits } from '../../base/limits/limits.ts';

const MILLIS_PER_SECOND = 1000;

/**
 * Computes an exponential back-off with full jitter: any part of a span that doubles, so that
 * clients that failed together do not return together.
 *
 * @param failures Number of failed tries, from 1 up.
 * @param random From 0 to 1.
 */
export function backoffMs(failures: number, random: number): number {
  const { backoffFirstMs, backoffMaxMs } = limits.http;
  return random * Math.min(backoffMaxMs, backoffFirstMs * 2 ** (failures - 1));
}

/**
 * Reads the milliseconds of a `Retry-After` header: whole seconds, or a date.
 *
 * @returns undefined where there is none or it can't be read; never below 0.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * MILLIS_PER_SECOND;
  // Dates of HTTP start with the day of the week; `Date.parse` would also take a fraction for one.
  const atMs = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
