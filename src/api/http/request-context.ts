/** One request and what is known of it on the way to its answer. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { ValidKey } from '../../store/sqlite/keys/key-record.ts';
import type { Quota } from '../access/rate-limit.ts';

export interface Exchange {
  readonly requestId: string;
  /** `performance.now()` at the start. */
  readonly startMs: number;
  readonly method: string;
  /** Path and query, undecoded. */
  readonly target: string;
  /** The text behind `?`, undecoded; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Decoded path parameters of the route. */
  readonly params: Readonly<Record<string, string>>;
  /** Where its body comes from, and who sends it. */
  readonly request: Request;
  /** Template of the path under `/v1`, which usage is counted by; undefined where there is none. */
  endpoint: string | undefined;
  /** Number of the path's template in what is measured. */
  route: number;
  /** Set once the key is checked; every route under `/v1/svc` has it. */
  key: ValidKey | undefined;
  /** What the key may still ask in this window, this request counted. */
  quota: Quota | undefined;
  /** When the key was checked, in milliseconds since the epoch. */
  admittedMs: number;
  /** What the answer costs, unless it is an error. */
  tokens: number;
  /** Tokens that the account may use up at most; infinite where nothing bounds them. */
  tokensLeft: number;
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** Express routes `GET http://host/path`, as proxies send it, by its path; so does this. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(ABSOLUTE_FORM, '');
  return path.startsWith('/') ? path : `/${path}`;
}

export function openExchange(request: Request, requestId: string): Exchange {
  const target = originForm(request.url);
  const mark = target.indexOf('?');
  return {
    requestId,
    startMs: performance.now(),
    method: request.method,
    target,
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers,
    // No path here has a wildcard, whose value would be a list.
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
