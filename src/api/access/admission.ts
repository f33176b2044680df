/** The checks between a request and its route, in the order of their statuses: 401, 403, 429. */

import type { RateLimit } from '../../base/config/values.ts';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';
import type { ValidKey } from '../../store/sqlite/keys/key-record.ts';
import type { Exchange } from '../http/request-context.ts';
import type { AdmittedExchange } from '../http/route.ts';
import type { RouteAccess } from '../http/route-access.ts';
import { createAuthenticator } from './authenticate.ts';
import { charge, tokensLeft } from './charge.ts';
import { createFailureCounter, limitedFailure } from './failed-auth.ts';
import { createRateLimiter, retryAfterS } from './rate-limit.ts';

/**
 * Finds the key, counts the request and checks what the key may do.
 *
 * @param access What the route needs; undefined where there is no route: such a path needs a key
 *   as well.
 * @throws {HttpError} 401, 403, 429, and 414 for a target that is too long.
 */
export type Admit = (
  exchange: Exchange,
  access: RouteAccess | undefined,
) => asserts exchange is AdmittedExchange;

export function createAdmit(
  accounts: Accounts,
  standardLimit: RateLimit,
  now: () => number,
): Admit {
  const authenticate = createAuthenticator(accounts);
  const countFailure = createFailureCounter(accounts);
  const count = createRateLimiter(accounts, standardLimit);

  function keyOf({ headers, request }: Exchange, nowMs: number): ValidKey {
    try {
      return authenticate(headers, nowMs);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw limitedFailure(error, countFailure(request.ip, nowMs), nowMs);
    }
  }

  return (exchange, access) => {
    const nowMs = now();
    const key = keyOf(exchange, nowMs);
    const quota = count(key, nowMs);
    exchange.key = key;
    exchange.quota = quota;
    exchange.admittedMs = nowMs;
    if (key.isSuspended) {
      throw new HttpError(403, `Account "${key.account}" is suspended: ask who runs this server`);
    }
    if (access && !key.scopes.has(access.scope)) {
      throw new HttpError(403, `API key lacks the scope "${access.scope}" that this path needs`);
    }
    if (quota.remaining < 0) {
      const { requests, windowS } = quota;
      const waitS = retryAfterS(quota, nowMs);
      const rule = `Rate limit of ${requests} requests per ${windowS} s`;
      const retryAfter = ['Retry-After', String(waitS)];
      throw new HttpError(429, `${rule} reached; try again in ${waitS} s`, retryAfter);
    }
    if (access && !access.beyondQuota) exchange.tokensLeft = tokensLeft(accounts, key, nowMs);
    charge(exchange, access?.tokens ?? 0);
    const { urlBytesMax } = limits.request;
    if (exchange.target.length > urlBytesMax) {
      throw new HttpError(414, `path and query must have at most ${urlBytesMax} characters`);
    }
  };
}
