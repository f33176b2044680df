/** Methods of a path, and the response to a method without a route. */

import { HttpError } from '../../base/errors.ts';
import { type ApiResponse, createResponse } from './response.ts';

export const ROUTE_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** Maps HEAD to GET, whose body Node then omits. */
export function routedMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** Returns the header `Allow` of a path. */
export function allowText(methods: readonly RouteMethod[]): string {
  const routed = ROUTE_METHODS.filter((method) => methods.includes(method));
  return [...routed.flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m])), 'OPTIONS'].join(', ');
}

/**
 * Responds to a method without a route.
 *
 * @param allow The text from `allowText`.
 * @throws {HttpError} 405, unless the method is OPTIONS.
 */
export function otherMethod(method: string, allow: string): ApiResponse {
  const headers = ['Allow', allow];
  if (method === 'OPTIONS') return createResponse(204, '', '', headers);
  throw new HttpError(405, `method must be one of ${allow}, got "${method}"`, headers);
}
