/** Errors for failed responses, in the vendor's own words. Pure. */

import type { RateLimit } from '../../base/config/values.ts';
import {
  RateLimitedError,
  SourceBlockedError,
  SourceUnavailableError,
  SubscriptionNeededError,
  type TapeworksError,
  UnknownSymbolError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

export interface FailedAnswer {
  title: string;
  /** Address of the request, without its query, which may hold a key. */
  address: string;
  /** True if the vendor takes keys; else a refusal is meant for this machine. */
  isKeyed: boolean;
  status: number;
  /** From `vendorWords`. */
  words: string;
  /** From `Retry-After`. */
  retryMs: number | undefined;
  /** True if the status refuses a rate; default for 429. */
  isRateRefusal?: boolean;
  symbol: string | undefined;
}

const NOT_FOUND = 404;
const RATE_LIMITED = 429;
const REFUSALS = [401, 402, 403];

/** Returns the error for a response with a status of 400 or more. */
export function failureOf(failed: FailedAnswer): TapeworksError {
  const { title, address, isKeyed, status, words, retryMs, symbol } = failed;
  const said = words === '' ? `status ${status}` : `status ${status}: ${words}`;
  if (failed.isRateRefusal ?? status === RATE_LIMITED) {
    const pause = retryMs === undefined ? 'some minutes' : `${Math.ceil(retryMs / 1000)} s`;
    return new RateLimitedError(
      retryMs,
      `${title} limits the rate of requests; try again in ${pause} (${said})`,
    );
  }
  if (REFUSALS.includes(status)) return refusalOf(title, isKeyed, said);
  if (status === NOT_FOUND && symbol !== undefined) {
    return new UnknownSymbolError(symbol, `${title} does not know "${symbol}" (${said})`);
  }
  return new SourceUnavailableError(`${title} is not available: ${address} answered with ${said}`);
}

function refusalOf(title: string, isKeyed: boolean, said: string): TapeworksError {
  return isKeyed
    ? new SubscriptionNeededError(
        `${title} refuses: the key is missing or wrong, or its plan lacks this (${said})`,
      )
    : new SourceBlockedError(`${title} refuses to answer this machine (${said})`);
}

interface SystemError {
  code?: string;
  hostname?: string;
  address?: string;
  port?: number;
}

/** Returns the error of a request without a whole response: unreachable, or broken off. */
export function networkFailure(title: string, cause: unknown): SourceUnavailableError {
  const { code, hostname, address, port } = (cause ?? {}) as SystemError;
  const said = cause instanceof Error ? cause.message || cause.name : String(cause);
  const reach = (reason: string) => `Could not reach ${title} (${reason})`;
  const message =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? reach(`DNS lookup of ${hostname} failed`)
      : code === 'ECONNREFUSED' && address !== undefined
        ? reach(`${address}:${port} refused the connection`)
        : `Could not reach ${title}, or its answer broke off (${said})`;
  return new SourceUnavailableError(message, { cause });
}

const MILLIS_PER_MINUTE = 60_000;

/** Returns the error for a limit of ours that is used up; the vendor itself refused nothing. */
export function limitUsedUp(
  title: string,
  { requests, windowS }: RateLimit,
  waitMs: number,
): RateLimitedError {
  const minutes = Math.ceil(waitMs / MILLIS_PER_MINUTE);
  return new RateLimitedError(
    waitMs,
    `${title} was asked ${requests} times in ${windowS} s, which is the limit that is set; ` +
      `the next request may be made in ${minutes} min`,
  );
}

/** Returns true if the same request may succeed in a moment. */
export function isPassing(status: number): boolean {
  return status === RATE_LIMITED || status === 408 || status >= 500;
}

const JSON_FIELDS = ['message', 'error', 'detail', 'errors', 'error_message'] as const;

/** Returns the vendor's message in one line, without markup and the secrets of the request. */
export function vendorWords(body: string, secrets: readonly string[]): string {
  let words = wordsOfJson(body) ?? body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ');
  for (const secret of secrets) words = words.replaceAll(secret, '***');
  const line = words.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > limits.http.wordsCharsMax
    ? `${line.slice(0, limits.http.wordsCharsMax)}…`
    : line;
}

function wordsOfJson(body: string): string | undefined {
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json !== 'object' || json === null) return undefined;
    const field = JSON_FIELDS.find((name) => name in json);
    const value: unknown = field && (json as Record<string, unknown>)[field];
    return value === undefined
      ? undefined
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const MILLIS_PER_SECOND = 1000;

/**
 * Computes an exponential back-off with full jitter, so that clients do not return together.
 * @param random From 0 to 1.
 */
export function backoffMs(failures: number, random: number): number {
  const { backoffFirstMs, backoffMaxMs } = limits.http;
  return random * Math.min(backoffMaxMs, backoffFirstMs * 2 ** (failures - 1));
}

/** Reads the milliseconds of a `Retry-After` header; undefined where it can't be read. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * MILLIS_PER_SECOND;
  // Dates of HTTP start with the day of the week; `Date.parse` would also take a fraction for one.
  const atMs = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
