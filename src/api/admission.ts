/** The checks between a request and its route, in the order of their statuses: 401, 403, 429. */

import type { RateLimit } from '../config.ts';
import { HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import type { Scope } from '../store/accounts/scopes.ts';
import { createAuthenticator } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import { createRateLimiter, retryAfterS } from './rate-limit.ts';
import type { AdmittedExchange } from './route.ts';

/**
 * Finds the key, counts the request and checks what the key may do.
 *
 * @param scope What the route needs; undefined where there is no route: such a path needs a key
 *   as well.
 * @throws {HttpError} 401, 403, 429, and 414 for a target that is too long.
 */
export type Admit = (
  exchange: Exchange,
  scope: Scope | undefined,
) => asserts exchange is AdmittedExchange;

export function createAdmit(
  accounts: Accounts,
  standardLimit: RateLimit,
  now: () => number,
): Admit {
  const authenticate = createAuthenticator(accounts);
  const count = createRateLimiter(standardLimit);
  return (exchange, scope) => {
    const nowMs = now();
    const key = authenticate(exchange.headers, nowMs);
    const quota = count(key, nowMs);
    exchange.key = key;
    exchange.quota = quota;
    if (scope && !key.scopes.has(scope)) {
      throw new HttpError(403, `API key lacks the scope "${scope}" that this path needs`);
    }
    if (quota.remaining < 0) {
      const retryAfter = ['Retry-After', String(retryAfterS(quota, nowMs))];
      throw new HttpError(429, `Rate limit of ${quota.requests} requests is used up`, retryAfter);
    }
    const { urlBytesMax } = limits.request;
    if (exchange.target.length > urlBytesMax) {
      throw new HttpError(414, `path and query must have at most ${urlBytesMax} characters`);
    }
  };
}
