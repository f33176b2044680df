/** Counts failed authentications per client address in fixed windows, against guessing. */

import ipaddr from 'ipaddr.js';
import { HttpError } from '../../base/errors.ts';
import type { RequestCounts } from '../../store/accounts/usage/request-counts.ts';
import { pushRateLimitHeaders, type Quota, quotaOf, retryAfterS } from '../http/quota.ts';

/** Responses with 401 to one address in a minute. */
export const failedAuthLimits = { perWindow: 60, windowS: 60 };

/** Matches an address with a port, which some proxies send and which changes per connection. */
const PORT = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/;

/**
 * Returns the text that identifies a client: an IPv4 address, or the 64-bit network of an IPv6
 * address, which belongs to one subscriber. All texts that are no address share the empty text.
 */
export function clientFromAddress(address: string): string {
  const plain = address.replace(PORT, '$1$2');
  if (!ipaddr.isValid(plain)) return '';
  // Turns an IPv4-mapped IPv6 address into IPv4.
  const client = ipaddr.process(plain);
  if (client instanceof ipaddr.IPv4) return client.toString();
  const network = client.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Creates a counter of the failures of an address, which is undefined once the client has
 * disconnected.
 */
export function createFailureCounter({ countFailure }: Pick<RequestCounts, 'countFailure'>) {
  const { perWindow, windowS } = failedAuthLimits;
  return (address: string | undefined, nowMs: number): Quota => {
    const client = address === undefined ? '' : clientFromAddress(address);
    const limit = { requests: perWindow, windowS };
    return quotaOf(limit, nowMs, (window) => countFailure(client, window));
  };
}

/** Returns the failure, or a 429 once its address has had too many. */
export function limitedFailure(failure: HttpError, quota: Quota, nowMs: number): HttpError {
  if (quota.remaining >= 0) return failure;
  const waitS = retryAfterS(quota, nowMs);
  const lines = ['Retry-After', String(waitS)];
  pushRateLimitHeaders(lines, quota);
  const rule = `${quota.requests} requests without a valid API key per ${quota.windowS} s`;
  return new HttpError(429, `Limit of ${rule} reached; try again in ${waitS} s`, lines);
}
