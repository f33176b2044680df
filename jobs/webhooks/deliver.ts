/**
 * Brings events to webhooks. Any number of processes may do so side by side: each claims what is
 * due by leases in `accounts.sqlite`.
 */

import type { Settings } from '../../src/config.ts';
import { SecretKeyError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import type { Accounts } from '../../src/store/accounts/accounts.ts';
import type { ClaimedDelivery, SettledAttempt } from '../../src/store/accounts/delivery-queue.ts';
import { afterAttempt, putOff } from './after-attempt.ts';
import { attemptDelivery } from './attempt.ts';
import { createGuardedAgent, type Resolve } from './guarded-agent.ts';

/** An attempt that did not succeed. Without the address, which may hold a secret. */
export interface FailedAttempt {
  webhook: string;
  event: string;
  attempts: number;
  status: number | null;
  error: string | null;
  /** What the webhook was disabled for. */
  disabled?: string;
}

export interface DeliveryLog {
  delivery(line: FailedAttempt): void;
  /** A failure of our own, with its story. */
  failure(id: string, error: unknown): void;
}

export interface DeliveryOptions {
  accounts: Pick<Accounts, 'claimDeliveries' | 'settleDelivery' | 'webhookSecrets'>;
  settings: Pick<Settings, 'webhookPrivate'>;
  log: DeliveryLog;
  /** Replaced by tests, which pin clock and chance and trust their own certificate. */
  now?: () => number;
  random?: () => number;
  answerMs?: number;
  resolve?: Resolve;
  ca?: string;
}

export interface Deliverer {
  /** Begins attempts at what is due, as many as may run at once. */
  deliverDue(): void;
  /** Resolves when no attempt runs. */
  idle(): Promise<void>;
  /** Ends attempts that run after `graceMs`; theirs are due again when their leases end. */
  close(graceMs: number): Promise<void>;
}

export function createDeliverer(options: DeliveryOptions): Deliverer {
  const { accounts, settings, log, now = Date.now, random = Math.random } = options;
  const { resolve, ca, answerMs } = options;
  const { webhookPrivate: allowPrivate } = settings;
  const agent = createGuardedAgent({ allowPrivate, resolve, ca });
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let isClosing = false;

  async function attempted(claimed: ClaimedDelivery): Promise<SettledAttempt | undefined> {
    const nowMs = now();
    let secrets: string[] | undefined;
    try {
      secrets = accounts.webhookSecrets(claimed.webhookId);
    } catch (error) {
      if (!(error instanceof SecretKeyError)) throw error;
      log.failure(claimed.webhookId, error);
      return putOff(claimed, error.message, nowMs);
    }
    // Deleted since it was claimed.
    if (secrets === undefined) return undefined;
    const { signal } = stop;
    const attempt = { agent, allowPrivate, secrets, nowMs, answerMs, signal };
    const result = await attemptDelivery(claimed, attempt);
    return afterAttempt(claimed, result, { nowMs: now(), random: random() });
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    try {
      const settled = await attempted(claimed);
      if (!settled || !accounts.settleDelivery(claimed, settled)) return;
      if (settled.status === 'delivered') return;
      log.delivery({
        webhook: claimed.webhookId,
        event: claimed.eventId,
        attempts: settled.attempts,
        status: settled.responseStatus,
        error: settled.error,
        disabled: settled.disabledReason,
      });
    } catch (error) {
      // Unsettled, it is due again when its lease ends.
      if (!stop.signal.aborted) log.failure(claimed.webhookId, error);
    }
  }

  function deliverDue(): void {
    if (isClosing) return;
    try {
      for (const claimed of accounts.claimDeliveries(limits.webhook.allRunningMax - running.size)) {
        const attempt = deliver(claimed).finally(() => {
          running.delete(attempt);
          deliverDue();
        });
        running.add(attempt);
      }
    } catch (error) {
      log.failure('deliveries', error);
    }
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    deliverDue,
    idle,
    async close(graceMs) {
      isClosing = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      await idle();
      clearTimeout(timer);
      await agent.destroy();
    },
  };
}

/** Delivers until the signal is aborted. @returns when the last attempt has ended. */
export async function startDelivery(
  options: DeliveryOptions & { signal: AbortSignal },
): Promise<void> {
  const { signal } = options;
  const deliverer = createDeliverer(options);
  const polling = setInterval(deliverer.deliverDue, limits.webhook.pollMs);
  const { promise: aborted, resolve: stop } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => stop(), { once: true });
  if (signal.aborted) stop();
  await aborted;
  clearInterval(polling);
  await deliverer.close(limits.shutdown.graceMs);
}
