/** One attempt at a claimed delivery: made, recorded, logged. */

import type { Settings } from '../../src/base/config/config.ts';
import { SecretKeyError } from '../../src/base/errors.ts';
import type { Agents } from '../../src/base/http/send.ts';
import { limits } from '../../src/base/limits.ts';
import { randomFraction } from '../../src/base/world/chance.ts';
import { wallMs } from '../../src/base/world/clock.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import type {
  ClaimedDelivery,
  SettledAttempt,
} from '../../src/store/accounts/webhooks/delivery-queue.ts';
import type { AttemptResult } from './attempt.ts';
import type { Resolve } from './guarded-agent.ts';

/** A failed attempt. Without the address, which may hold a secret. */
export interface FailedAttempt {
  webhook: string;
  event: string;
  attempts: number;
  status: number | null;
  error: string | null;
  disabled?: string;
}

export interface DeliveryLog {
  delivery(line: FailedAttempt): void;
  /** Logs a failure of this program with its stack. */
  failure(id: string, error: unknown): void;
}

export interface DeliveryOptions {
  accounts: Pick<Accounts, 'claimDeliveries' | 'settleDelivery' | 'webhookSecrets'>;
  settings: Pick<Settings, 'webhookPrivate'>;
  log: DeliveryLog;
  /** Set by tests, which pin clock and jitter and trust their own certificate. */
  now?: () => number;
  random?: () => number;
  responseMs?: number;
  resolve?: Resolve;
  ca?: string;
}

export interface Settled extends SettledAttempt {
  line: FailedAttempt;
}

/**
 * Makes the attempt and records it.
 *
 * @param connect Returns the connections, which the first delivery makes.
 * @param signal Ends the attempt; the delivery is due again when its lease ends.
 * @returns undefined if nothing was recorded.
 */
export async function deliverOne(
  claimed: ClaimedDelivery,
  options: DeliveryOptions,
  connect: () => Promise<Agents>,
  signal: AbortSignal,
): Promise<Settled | undefined> {
  const { accounts, log } = options;
  try {
    const settled = await attempted(claimed, options, connect, signal);
    if (!settled || !(await accounts.settleDelivery(claimed, settled))) return undefined;
    const line = {
      webhook: claimed.webhookId,
      event: claimed.eventId,
      attempts: settled.attempts,
      status: settled.responseStatus,
      error: settled.error,
      disabled: settled.disabledReason,
    };
    if (settled.status !== 'delivered') log.delivery(line);
    return { ...settled, line };
  } catch (error) {
    // Without a record, the delivery is due again when its lease ends.
    if (!signal.aborted) log.failure(claimed.webhookId, error);
    return undefined;
  }
}

async function attempted(
  claimed: ClaimedDelivery,
  { accounts, settings, log, now = wallMs, random = randomFraction, responseMs }: DeliveryOptions,
  connect: () => Promise<Agents>,
  signal: AbortSignal,
): Promise<SettledAttempt | undefined> {
  const [{ attemptDelivery }, agents] = await Promise.all([import('./attempt.ts'), connect()]);
  const nowMs = now();
  let secrets: string[] | undefined;
  try {
    secrets = await accounts.webhookSecrets(claimed.webhookId);
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    log.failure(claimed.webhookId, error);
    return putOff(claimed, error.message, nowMs);
  }
  // The webhook was deleted since the claim.
  if (secrets === undefined) return undefined;
  const { webhookPrivate: allowPrivate } = settings;
  const attempt = { agents, allowPrivate, secrets, nowMs, responseMs, signal };
  const result = await attemptDelivery(claimed, attempt);
  return afterAttempt(claimed, result, { nowMs: now(), random: random() });
}

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
