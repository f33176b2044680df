/** Admits a request: finds its key, counts it, and checks scope, rate limit and token quota. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type { RateLimit } from '../../base/config/values.ts';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ValidKey } from '../../store/accounts/keys/key-record.ts';
import type { Scope } from '../../store/accounts/keys/scopes.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import type { RequestCounts } from '../../store/accounts/usage/request-counts.ts';
import { type Quota, quotaOf, retryAfterS } from '../http/quota.ts';
import type { AdmittedContext, RequestContext } from '../http/request-context.ts';
import { createAuthenticator, UnknownKeyError } from './authenticate.ts';
import { createFailureCounter, limitedFailure } from './failed-auth.ts';
import type { FileLinks } from './file-links.ts';

/** Requirements and cost of a route. */
export interface RouteAccess {
  scope: Scope;
  /** Tokens of a successful response; errors are free. */
  tokens: number;
  /** True if the tokens are per returned symbol; the route charges those beyond the first. */
  perSymbol?: true;
  /** Exempt from the daily token quota, so an exhausted account can still read its usage. */
  beyondQuota?: true;
  /**
   * True if a signed link can stand for the key. Counted apart from other requests, with
   * `limits.files.requestsFactor` times their rate limit: one scan of a file takes many short ones.
   */
  isFile?: true;
}

/**
 * Admits a request.
 *
 * @param access Undefined for a path without a route, which needs a key too.
 * @param isFirst True if an unknown key is tried again. Default: false.
 * @throws {HttpError} 401, 403, 429, and 414 for a target that is too long.
 */
export type Admit = (
  context: RequestContext,
  access: RouteAccess | undefined,
  isFirst?: boolean,
) => asserts context is AdmittedContext;

export function createAdmit(
  accounts: Accounts,
  links: FileLinks,
  standardLimit: RateLimit,
  now: () => number,
): Admit {
  const authenticate = createAuthenticator(accounts);
  const countFailure = createFailureCounter(accounts);
  const count = createRateLimiter(accounts, standardLimit);

  function keyOf(
    { headers, request, params }: RequestContext,
    access: RouteAccess | undefined,
    nowMs: number,
    isFirst: boolean,
  ): ValidKey {
    try {
      const linkedId = access?.isFile ? links.keyIdOf(params.version, nowMs) : undefined;
      return authenticate(headers, nowMs, linkedId);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Counted at the second try.
      if (isFirst && error instanceof UnknownKeyError) throw error;
      throw limitedFailure(error, countFailure(request.ip, nowMs), nowMs);
    }
  }

  return (context, access, isFirst = false) => {
    const nowMs = now();
    const key = keyOf(context, access, nowMs, isFirst);
    const quota = count(key, nowMs, access?.isFile);
    context.key = key;
    context.quota = quota;
    context.admittedMs = nowMs;
    if (key.isSuspended) {
      throw new HttpError(
        403,
        `Account "${key.account}" is suspended: contact the operator of this server`,
      );
    }
    if (access) checkScope(key, access);
    if (quota.remaining < 0) {
      const { requests, windowS } = quota;
      const waitS = retryAfterS(quota, nowMs);
      const rule = `Rate limit of ${requests} requests per ${windowS} s`;
      const retryAfter = ['Retry-After', String(waitS)];
      throw new HttpError(429, `${rule} reached; try again in ${waitS} s`, retryAfter);
    }
    if (access && !access.beyondQuota) context.tokensLeft = tokensLeft(accounts, key, nowMs);
    charge(context, access?.tokens ?? 0);
    const { urlBytesMax } = limits.request;
    if (context.target.length > urlBytesMax) {
      throw new HttpError(414, `path and query must have at most ${urlBytesMax} characters`);
    }
  };
}

/** @throws {HttpError} 403: the key lacks the scope. */
function checkScope(key: ValidKey, { scope }: RouteAccess): void {
  if (key.scopes.has(scope)) return;
  throw new HttpError(403, `API key lacks the scope "${scope}" that this path needs`);
}

/**
 * Opens the context of a route that a request of another protocol calls. The request was admitted
 * without a route, so it is counted; here come the route's scope and tokens.
 *
 * @throws {HttpError} 403, and 429 for tokens.
 */
export function contextOfCall(
  context: AdmittedContext,
  access: RouteAccess,
  request: Pick<RequestContext, 'endpoint' | 'params' | 'query' | 'target' | 'headers'>,
  accounts: Accounts,
): AdmittedContext {
  checkScope(context.key, access);
  const left = tokensLeft(accounts, context.key, context.admittedMs) - context.tokens;
  const own = { ...context, ...request, method: 'GET', tokensLeft: left };
  charge(own, access.tokens);
  return own;
}

/**
 * Counts requests per key in fixed windows. A request beyond the limit is counted too.
 *
 * @param standard Limit of keys without their own.
 */
export function createRateLimiter(
  { countRequest, countFileRequest }: Pick<RequestCounts, 'countRequest' | 'countFileRequest'>,
  standard: RateLimit,
) {
  return (key: ValidKey, nowMs: number, isFile = false): Quota => {
    const { requests: others, windowS } = key.limit ?? standard;
    const { requestsMax } = limits.plan;
    const requests = isFile ? Math.min(requestsMax, others * limits.files.requestsFactor) : others;
    const count = isFile ? countFileRequest : countRequest;
    return quotaOf({ requests, windowS }, nowMs, (window) => count(key, window));
  };
}

/** Returns the tokens that the account of a key has left today; infinite without a quota. */
export function tokensLeft(accounts: Accounts, key: ValidKey, nowMs: number): number {
  if (key.tokensPerDay === undefined) return Number.POSITIVE_INFINITY;
  return key.tokensPerDay - accounts.tokensUsed(key, nowMs);
}

/**
 * Sets the cost of the response.
 *
 * @throws {HttpError} 429: the account has fewer tokens left; the quota resets at midnight UTC.
 */
export function charge(context: RequestContext, tokens: number): void {
  if (tokens > context.tokensLeft) {
    const seconds = secondsUntilTokens(context.admittedMs, context.quota);
    const left = Math.max(0, context.tokensLeft);
    throw new HttpError(
      429,
      `The account has ${left} tokens left until midnight UTC, and this request needs ${tokens}`,
      ['Retry-After', String(seconds)],
    );
  }
  context.tokens = tokens;
}

/** Returns the seconds until midnight, or until an exhausted rate-limit window that ends later. */
function secondsUntilTokens(nowMs: number, quota: Quota | undefined): number {
  const midnightMs = (Math.floor(nowMs / MILLIS_PER_DAY) + 1) * MILLIS_PER_DAY;
  const windowMs = quota && quota.remaining <= 0 ? quota.resetS * 1000 : 0;
  return Math.max(1, Math.ceil((Math.max(midnightMs, windowMs) - nowMs) / 1000));
}
