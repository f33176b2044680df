/** The scope that each route needs. */

import { assert } from '../errors.ts';
import type { Scope } from '../store/accounts/scopes.ts';

export const ROUTE_SCOPES: Readonly<Record<string, Scope>> = {
  'GET /svc/candles': 'quotes:read',
  'GET /svc/corporate-actions/{symbol}': 'quotes:read',
  'GET /svc/quotes/batch': 'quotes:read',
  'GET /svc/quotes/{symbol}': 'quotes:read',
  'GET /svc/screener': 'fundamentals:read',
  'GET /svc/symbols': 'quotes:read',
  'GET /svc/technical/{symbol}': 'technicals:read',
};

/**
 * The scope of a GET route, by its template.
 *
 * @throws {Error} the route declares none, which stops the server from starting.
 */
export function scopeOfRoute(template: string): Scope {
  const scope = ROUTE_SCOPES[`GET ${template}`];
  assert(scope, `the route "GET ${template}" declares its scope`);
  return scope;
}
