/** Failed authentications per address, in fixed windows: who guesses or hammers is told to stop. */

import { isIPv6 } from 'node:net';
import { limits } from '../limits.ts';
import type { Quota } from './rate-limit.ts';

/**
 * Counts one failure of an address.
 *
 * @param address As the connection or, behind a trusted proxy, its header says; undefined where
 *   the client is already gone.
 * @returns the quota of failures; below zero remaining once the limit is passed.
 */
export type FailureCounter = (address: string | undefined, nowMs: number) => Quota;

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/**
 * What counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that one
 * subscriber has to himself.
 */
export function clientFromAddress(address: string): string {
  const plain = address.replace(MAPPED_IPV4, '');
  if (!isIPv6(plain)) return plain;
  const [head, tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? 0 : tail.split(':').length;
    for (let i = groups.length + rest; i < 8; i++) groups.push('0');
    if (rest > 0) groups.push(...tail.split(':'));
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

export function createFailureCounter(): FailureCounter {
  const { perWindow, windowS, addressesMax } = limits.failedAuth;
  const failures = new Map<string, number>();
  let window = Number.NEGATIVE_INFINITY;
  return (address, nowMs) => {
    const current = Math.floor(nowMs / (windowS * 1000));
    if (current !== window) {
      failures.clear();
      window = current;
    }
    const client = address === undefined ? '' : clientFromAddress(address);
    // Memory is bounded: where so many fail at once, the ones that come later share one count.
    const counted = failures.size < addressesMax || failures.has(client) ? client : '';
    const count = (failures.get(counted) ?? 0) + 1;
    failures.set(counted, count);
    return { requests: perWindow, remaining: perWindow - count, resetS: (current + 1) * windowS };
  };
}
