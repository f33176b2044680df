/** Which methods a path takes, and what those answer that no route takes. */

import { HttpError } from '../../base/errors.ts';
import { type Answer, createAnswer } from './response.ts';

/** Methods that routes are made for. */
export const ROUTE_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** The route method that answers a request; Node leaves the body away for HEAD. */
export function routedMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** What `Allow` says of a path. */
export function allowText(methods: readonly RouteMethod[]): string {
  const routed = ROUTE_METHODS.filter((method) => methods.includes(method));
  return [...routed.flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m])), 'OPTIONS'].join(', ');
}

/**
 * The answer to a method without a route.
 *
 * @param allow As `allowText` gives it.
 * @throws {HttpError} 405, unless it is OPTIONS.
 */
export function otherMethod(method: string, allow: string): Answer {
  const headers = ['Allow', allow];
  if (method === 'OPTIONS') return createAnswer(204, '', '', headers);
  throw new HttpError(405, `method must be one of ${allow}, got "${method}"`, headers);
}
