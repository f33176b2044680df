/** Result of an attempt: delivered, to be tried again, or failed. */

import { limits } from '../../src/base/limits/limits.ts';
import type {
  ClaimedDelivery,
  SettledAttempt,
} from '../../src/store/sqlite/webhooks/delivery-queue.ts';
import type { AttemptResult } from './attempt.ts';

const GONE = 410;

/** Status codes of an overloaded receiver or its proxy. */
const OVERLOADED = [429, 502, 504];

const MILLIS_PER_DAY = 24 * 3_600_000;

/**
 * Decides what follows an attempt. Only 2xx is success, and 410 disables the webhook. Anything else
 * is tried again after `limits.webhook.waitsS`, or later if the receiver asks for it.
 *
 * @param random Jitter of the wait, from 0 to 1.
 */
export function afterAttempt(
  claimed: ClaimedDelivery,
  { status, error, retryAfterMs }: AttemptResult,
  { nowMs, random }: { nowMs: number; random: number },
): SettledAttempt {
  const attempts = claimed.attempts + 1;
  const ended = { attempts, responseStatus: status, error: null, nextMs: null };
  if (status !== null && status >= 200 && status < 300) return { ...ended, status: 'delivered' };
  const failed = { ...ended, error: error ?? `answered ${status}` };
  if (status === GONE) {
    return { ...failed, status: 'failed', disabledReason: 'the receiver answered 410 Gone' };
  }
  const { waitsS, jitterShare, failingMaxMs } = limits.webhook;
  const restMs = restAfter(status, retryAfterMs);
  const restUntilMs = restMs === undefined ? undefined : nowMs + restMs;
  if (attempts === waitsS.length) {
    const isDead =
      claimed.failingSinceMs !== null && nowMs - claimed.failingSinceMs >= failingMaxMs;
    const days = failingMaxMs / MILLIS_PER_DAY;
    const disabledReason = isDead ? `nothing was delivered for ${days} days` : undefined;
    return { ...failed, status: 'failed', restUntilMs, disabledReason };
  }
  const waitMs = waitsS[attempts] * 1000 * (1 + jitterShare * random);
  return {
    ...failed,
    status: 'pending',
    nextMs: Math.ceil(nowMs + Math.max(waitMs, restMs ?? 0)),
    restUntilMs,
  };
}

/** Puts off an attempt that could not be made; it does not count. */
export function putOff(claimed: ClaimedDelivery, error: string, nowMs: number): SettledAttempt {
  const nextMs = nowMs + limits.webhook.keyWaitMs;
  const { attempts } = claimed;
  return { status: 'pending', attempts, responseStatus: null, error, nextMs, restUntilMs: nextMs };
}

/** Returns the pause of the whole webhook, if there is one. */
function restAfter(status: number | null, wishMs: number | undefined): number | undefined {
  const { restMs, restMaxMs } = limits.webhook;
  if (wishMs !== undefined) return Math.min(wishMs, restMaxMs);
  return status !== null && OVERLOADED.includes(status) ? restMs : undefined;
}
