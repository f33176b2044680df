/** What each route needs and costs: the one declaration of scopes and tokens. */

import { assert } from '../../base/errors.ts';
import type { Scope } from '../../store/sqlite/keys/scopes.ts';

export interface RouteAccess {
  scope: Scope;
  /** Tokens of an answer; an error costs none. */
  tokens: number;
  /** … for each symbol that is answered; the route charges for those beyond the first. */
  perSymbol?: true;
  /** Answers after the tokens of the day are used up too: who has none left can still look why. */
  beyondQuota?: true;
}

export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  'GET /svc/accounts': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'POST /svc/accounts': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'GET /svc/accounts/usage/daily': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'GET /svc/accounts/{accountId}': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'PATCH /svc/accounts/{accountId}': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'GET /svc/accounts/{accountId}/keys': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'POST /svc/accounts/{accountId}/keys': { scope: 'accounts:write', tokens: 1, beyondQuota: true },
  'DELETE /svc/accounts/{accountId}/keys/{keyId}': {
    scope: 'accounts:write',
    tokens: 1,
    beyondQuota: true,
  },
  'GET /svc/analyst-consensus/{symbol}': { scope: 'analyst:read', tokens: 1 },
  'GET /svc/analyst-targets/{symbol}': { scope: 'analyst:read', tokens: 1 },
  'GET /svc/candles': { scope: 'quotes:read', tokens: 1, perSymbol: true },
  'GET /svc/corporate-actions/{symbol}': { scope: 'quotes:read', tokens: 1 },
  'GET /svc/developer/keys': { scope: 'developer:read', tokens: 1, beyondQuota: true },
  'POST /svc/developer/keys': { scope: 'developer:write', tokens: 1, beyondQuota: true },
  'DELETE /svc/developer/keys/{keyId}': { scope: 'developer:write', tokens: 1, beyondQuota: true },
  'GET /svc/developer/usage/daily': { scope: 'developer:read', tokens: 1, beyondQuota: true },
  'GET /svc/earnings/calendar': { scope: 'earnings:read', tokens: 1 },
  'GET /svc/fundamentals/{symbol}/balance-sheet': { scope: 'fundamentals:read', tokens: 10 },
  'GET /svc/fundamentals/{symbol}/statements': { scope: 'fundamentals:read', tokens: 10 },
  'GET /svc/insider/{symbol}': { scope: 'insider:read', tokens: 1 },
  'GET /svc/insider/{symbol}/summary': { scope: 'insider:read', tokens: 1 },
  'GET /svc/news': { scope: 'news:read', tokens: 5 },
  'GET /svc/news/{symbol}': { scope: 'news:read', tokens: 5 },
  'GET /svc/options/{symbol}/expirations': { scope: 'options:read', tokens: 1 },
  'GET /svc/quotes/batch': { scope: 'quotes:read', tokens: 1, perSymbol: true },
  'GET /svc/quotes/{symbol}': { scope: 'quotes:read', tokens: 1 },
  'GET /svc/screener': { scope: 'fundamentals:read', tokens: 5 },
  'GET /svc/symbols': { scope: 'quotes:read', tokens: 1 },
  'GET /svc/technical/{symbol}': { scope: 'technicals:read', tokens: 5 },
  'GET /svc/upgrades-downgrades/{symbol}': { scope: 'analyst:read', tokens: 1 },
  'GET /svc/webhooks': { scope: 'webhooks:read', tokens: 1, beyondQuota: true },
  'POST /svc/webhooks': { scope: 'webhooks:write', tokens: 1, beyondQuota: true },
  'GET /svc/webhooks/{id}': { scope: 'webhooks:read', tokens: 1, beyondQuota: true },
  'DELETE /svc/webhooks/{id}': { scope: 'webhooks:write', tokens: 1, beyondQuota: true },
  'GET /svc/webhooks/{id}/deliveries': { scope: 'webhooks:read', tokens: 1, beyondQuota: true },
  'POST /svc/webhooks/{id}/rotate-secret': {
    scope: 'webhooks:write',
    tokens: 1,
    beyondQuota: true,
  },
  'POST /svc/webhooks/{id}/test': { scope: 'webhooks:write', tokens: 1, beyondQuota: true },
};

/** What usage calls paths without a route; no template looks like this. */
export const NO_ENDPOINT = '(none)';

/** What usage is counted by: templates, and that name. */
export const USAGE_ENDPOINTS: readonly string[] = [
  ...new Set(Object.keys(ROUTE_ACCESS).map((route) => route.split(' ')[1])),
  NO_ENDPOINT,
];

/**
 * What a route declares.
 *
 * @param route Method and template: `GET /svc/quotes/{symbol}`.
 * @throws {Error} it declares nothing, which stops the server from starting.
 */
export function accessOfRoute(route: string): RouteAccess {
  const access = ROUTE_ACCESS[route];
  assert(access, `the route "${route}" declares its scope and tokens`);
  return access;
}
