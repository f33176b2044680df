/** Cross-origin requests, off unless the setting lists origins. */

import { shortened } from '../../base/quoted.ts';
import { originLogLimits } from './limits.ts';
import type { Log } from './log.ts';
import type { RequestContext } from './request-context.ts';
import { type ApiResponse, createResponse } from './response.ts';

/** Origins that may read responses, `*` for all; empty: none. */
export type CorsOrigins = readonly string[];

/** Headers that pages may read, in addition to those that browsers always expose. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
  'X-SVC-Adjusted',
  'X-SVC-Adjustment',
  'X-SVC-As-Of',
  'X-SVC-Next-Cursor',
  'X-SVC-Not-Found',
  'X-SVC-Null',
  'X-SVC-RateLimit-Limit',
  'X-SVC-RateLimit-Remaining',
  'X-SVC-RateLimit-Reset',
  'X-SVC-Rows',
  'X-SVC-Session',
  'X-SVC-Snapshot-Changed',
  'X-SVC-Total-Count',
].join(', ');

const PREFLIGHT_HEADERS = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers',
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, ' +
    'Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Range, X-API-Key',
  'Access-Control-Max-Age',
  '86400',
];

/** Returns true if the setting lists the origin. */
export function isAllowed(origins: CorsOrigins, origin: string | undefined): origin is string {
  return origin !== undefined && (origins.includes('*') || origins.includes(origin));
}

/**
 * Responds to a CORS preflight. Browsers send no key with it, so it needs none; without the
 * headers that allow it they don't send the real request.
 *
 * @returns undefined if the request is no preflight.
 */
export function preflightResponse(
  origins: CorsOrigins,
  { method, headers }: RequestContext,
): ApiResponse | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
  if (headers['access-control-request-method'] === undefined) return undefined;
  const allowed = isAllowed(origins, headers.origin) ? PREFLIGHT_HEADERS : [];
  return createResponse(204, '', '', allowed);
}

/**
 * Creates a check that logs refused origins, each once a minute: a browser hides the reason from
 * its page.
 *
 * @param now Milliseconds since the epoch.
 */
export function createOriginLog(
  origins: CorsOrigins,
  { origin: write }: Pick<Log, 'origin'>,
  now: () => number,
): (context: RequestContext) => void {
  const { everyMs, originsMax } = originLogLimits;
  const logged = new Set<string>();
  let minute = 0;
  return ({ headers: { origin, host } }) => {
    // Pages of this server also send the header with some requests.
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

/** Adds the headers that let a page of an allowed origin read the response. */
export function pushCorsHeaders(
  lines: string[],
  origins: CorsOrigins,
  { headers }: RequestContext,
): void {
  if (origins.length === 0) return;
  lines.push('Vary', 'Origin');
  if (!isAllowed(origins, headers.origin)) return;
  lines.push('Access-Control-Allow-Origin', headers.origin);
  lines.push('Access-Control-Expose-Headers', EXPOSED);
}
