/** Failed authentications per address, in fixed windows: who guesses or hammers is told to stop. */

import ipaddr from 'ipaddr.js';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import type { RequestCounts } from '../../store/sqlite/usage/request-counts.ts';
import { pushRateLimitHeaders, type Quota, retryAfterS } from './rate-limit.ts';

/**
 * Counts one failure of an address.
 *
 * @param address As the connection or, behind a trusted proxy, its header says; undefined where
 *   the client is already gone.
 * @returns the quota of failures; below zero remaining once the limit is passed.
 */
export type FailureCounter = (address: string | undefined, nowMs: number) => Quota;

/** Some proxies write the client's port behind its address: another one for each connection. */
const PORT = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/;

/**
 * What counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that one
 * subscriber has to himself. Texts that are no address count as one client, empty.
 */
export function clientFromAddress(address: string): string {
  const plain = address.replace(PORT, '$1$2');
  if (!ipaddr.isValid(plain)) return '';
  // Makes IPv4 of what is mapped.
  const client = ipaddr.process(plain);
  if (client instanceof ipaddr.IPv4) return client.toString();
  const network = client.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

export function createFailureCounter({
  countFailure,
}: Pick<RequestCounts, 'countFailure'>): FailureCounter {
  const { perWindow, windowS } = limits.failedAuth;
  return (address, nowMs) => {
    const window = Math.floor(nowMs / (windowS * 1000));
    const count = countFailure(address === undefined ? '' : clientFromAddress(address), window);
    return {
      requests: perWindow,
      windowS,
      remaining: perWindow - count,
      resetS: (window + 1) * windowS,
    };
  };
}

/** What such a request is answered: its failure, or 429 once its address has had too many. */
export function limitedFailure(failure: HttpError, quota: Quota, nowMs: number): HttpError {
  if (quota.remaining >= 0) return failure;
  const waitS = retryAfterS(quota, nowMs);
  const lines = ['Retry-After', String(waitS)];
  pushRateLimitHeaders(lines, quota);
  const rule = `${quota.requests} requests without a valid API key per ${quota.windowS} s`;
  return new HttpError(429, `Limit of ${rule} reached; try again in ${waitS} s`, lines);
}
