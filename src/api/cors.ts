/** Answers to pages of other origins, where the setting names them; off unless it does. */

import { type Answer, createAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

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
 * The answer to a browser that asks, without a key, whether it may send the real request.
 *
 * @returns undefined where it is no such question, or of an origin that may not.
 */
export function preflightAnswer(
  origins: CorsOrigins,
  { method, headers }: Exchange,
): Answer | undefined {
  if (method !== 'OPTIONS' || origins.length === 0) return undefined;
  const isQuestion = headers['access-control-request-method'] !== undefined;
  if (!isQuestion || !isAllowed(origins, headers.origin)) return undefined;
  return createAnswer(204, '', '', PREFLIGHT_HEADERS);
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
