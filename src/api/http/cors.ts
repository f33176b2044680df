/** Answers to pages of other origins, where the setting names them; off unless it does. */

import { limits } from '../../base/limits/limits.ts';
import { shortened } from '../../base/quoted.ts';
import type { Log } from './log.ts';
import type { Exchange } from './request-context.ts';
import { type Answer, createAnswer } from './response.ts';

/** Origins that may read answers, `*` for all; empty: none. */
export type CorsOrigins = readonly string[];

/** Beside those that browsers always show. */
const EXPOSED = [
  'ETag',
  'Retry-After',
  'X-Request-Id',
  'X-SVC-Adjustment',
  'X-SVC-Next-Cursor',
  'X-SVC-Not-Found',
  'X-SVC-RateLimit-Limit',
  'X-SVC-RateLimit-Remaining',
  'X-SVC-RateLimit-Reset',
  'X-SVC-Snapshot-Changed',
  'X-SVC-Total-Count',
].join(', ');

const PREFLIGHT_HEADERS = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers',
  'Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, X-API-Key',
  'Access-Control-Max-Age',
  '86400',
];

function isAllowed(origins: CorsOrigins, origin: string | undefined): origin is string {
  return origin !== undefined && (origins.includes('*') || origins.includes(origin));
}

/**
 * The answer to a browser that asks whether it may send the real request. Browsers send no key with
 * it, so it needs none; without the headers that allow it they don't send the request.
 *
 * @returns undefined where it is no such question.
 */
export function preflightAnswer(
  origins: CorsOrigins,
  { method, headers }: Exchange,
): Answer | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
  if (headers['access-control-request-method'] === undefined) return undefined;
  const allowed = isAllowed(origins, headers.origin) ? PREFLIGHT_HEADERS : [];
  return createAnswer(204, '', '', allowed);
}

/**
 * Logs origins that are refused, each once a minute: a browser tells its page no reason.
 *
 * @param now Milliseconds since the epoch.
 * @returns looks at a request.
 */
export function createOriginLog(
  origins: CorsOrigins,
  { origin: write }: Pick<Log, 'origin'>,
  now: () => number,
): (exchange: Exchange) => void {
  const { everyMs, originsMax } = limits.originLog;
  const logged = new Set<string>();
  let minute = 0;
  return ({ headers: { origin, host } }) => {
    // Pages of this server send the header with some requests too.
    if (origin === undefined || isAllowed(origins, origin) || isOwn(origin, host)) return;
    const current = Math.floor(now() / everyMs);
    if (current !== minute) logged.clear();
    minute = current;
    if (logged.size >= originsMax || logged.has(origin)) return;
    logged.add(origin);
    write(shortened(origin));
  };
}

function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Adds what lets a page of an allowed origin read the answer, names and values in turn. */
export function pushCorsHeaders(
  lines: string[],
  origins: CorsOrigins,
  { headers }: Exchange,
): void {
  if (origins.length === 0) return;
  lines.push('Vary', 'Origin');
  if (!isAllowed(origins, headers.origin)) return;
  lines.push('Access-Control-Allow-Origin', headers.origin);
  lines.push('Access-Control-Expose-Headers', EXPOSED);
}
