/** Tokens: what an answer costs, and whether the account has as many left. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { HttpError } from '../../base/errors.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';
import type { ValidKey } from '../../store/sqlite/keys/key-record.ts';
import type { Exchange } from '../http/request-context.ts';
import type { Quota } from './rate-limit.ts';

/** Tokens that the account of a key may still use up today; infinite without a quota. */
export function tokensLeft(accounts: Accounts, key: ValidKey, nowMs: number): number {
  if (key.tokensPerDay === undefined) return Number.POSITIVE_INFINITY;
  return key.tokensPerDay - accounts.tokensUsed(key, nowMs);
}

/**
 * Sets what the answer to a request costs.
 *
 * @throws {HttpError} 429: the account has fewer tokens left; they are back at midnight UTC.
 */
export function charge(exchange: Exchange, tokens: number): void {
  if (tokens > exchange.tokensLeft) {
    const seconds = secondsUntilTokens(exchange.admittedMs, exchange.quota);
    const left = Math.max(0, exchange.tokensLeft);
    throw new HttpError(
      429,
      `The account has ${left} tokens left until midnight UTC, and this request needs ${tokens}`,
      ['Retry-After', String(seconds)],
    );
  }
  exchange.tokens = tokens;
}

/** Until midnight, or longer where the window of requests is used up and ends after it. */
function secondsUntilTokens(nowMs: number, quota: Quota | undefined): number {
  const midnightMs = (Math.floor(nowMs / MILLIS_PER_DAY) + 1) * MILLIS_PER_DAY;
  const windowMs = quota && quota.remaining <= 0 ? quota.resetS * 1000 : 0;
  return Math.max(1, Math.ceil((Math.max(midnightMs, windowMs) - nowMs) / 1000));
}
