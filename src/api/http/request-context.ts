/** One request and what the server learns about it on the way to the response. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { randomBytes } from '../../base/world/chance.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import type { ValidKey } from '../../store/accounts/keys/key-record.ts';
import type { Quota } from './quota.ts';

export interface RequestContext {
  readonly requestId: string;
  /** `performance.now()` at the start. */
  readonly startMs: number;
  readonly method: string;
  /** Path and query, undecoded. */
  readonly target: string;
  /** The text after `?`, undecoded; empty without one. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Decoded path parameters of the route. */
  readonly params: Readonly<Record<string, string>>;
  /** Source of the body and of the client's address. */
  readonly request: Request;
  /** Template of the path under `/v1`, the unit of usage; undefined without a route. */
  endpoint: string | undefined;
  /** Number of the path's template in the request metrics. */
  route: number;
  /** Set once the key is checked; every route under `/v1/svc` has it. */
  key: ValidKey | undefined;
  /** Rate limit of the key in this window, after this request. */
  quota: Quota | undefined;
  /** Time of the key check in milliseconds since the epoch. */
  admittedMs: number;
  /** Cost of a successful response. */
  tokens: number;
  /** Tokens left to the account today; infinite without a daily quota. */
  tokensLeft: number;
}

/** A context whose key has passed the checks of scope and rate limit. */
export type AdmittedContext = RequestContext & { key: ValidKey };

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** Strips scheme and host from a proxy's `GET http://host/path`, as Express does for routing. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(ABSOLUTE_FORM, '');
  return path.startsWith('/') ? path : `/${path}`;
}

export function openContext(request: Request, requestId: string): RequestContext {
  const target = originForm(request.url);
  const mark = target.indexOf('?');
  return {
    requestId,
    startMs: monotonicMs(),
    method: request.method,
    target,
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers,
    // The value of a wildcard is a list; the one route that has it reads the target.
    params: request.params as Record<string, string>,
    request,
    endpoint: undefined,
    route: 0,
    key: undefined,
    quota: undefined,
    admittedMs: 0,
    tokens: 0,
    tokensLeft: Number.POSITIVE_INFINITY,
  };
}

const COUNTER_CHARS = 8;

/**
 * Creates a generator of request ids, unique over restarts and processes.
 *
 * @returns A function that returns `req_`, 12 hexadecimal digits of this process and a counter.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(6).toString('hex')}`;
  let count = 0;
  return () => prefix + (count++).toString(36).padStart(COUNTER_CHARS, '0');
}
