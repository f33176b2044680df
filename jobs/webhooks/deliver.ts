/** Delivers events. Several processes may do so, by leases in `accounts.sqlite`. */

import type { Agent } from 'undici';
import { limits } from '../../src/base/limits/limits.ts';
import {
  type DeliveryLog,
  type DeliveryOptions,
  deliverOne,
  type FailedAttempt,
  type Settled,
} from './deliver-one.ts';

/** Number of attempts by result. A type, as it is reported as a record of numbers. */
export type DeliveryCounts = Record<'delivered' | 'retried' | 'givenUp', number>;

export interface Deliverer {
  /** Starts attempts at what is due, or has been due for `lateMs`. */
  deliverDue(lateMs?: number): void;
  /**
   * Attempts what is due for at most `limits.webhook.jobMs`, and waits for these attempts.
   *
   * @throws as `claimDeliveries`.
   */
  deliverNow(onGivenUp: (line: FailedAttempt) => void): Promise<DeliveryCounts>;
  /** Returns true while a `deliverNow` also takes what becomes due. */
  isTaking(): boolean;
  idle(): Promise<void>;
  /**
   * Ends attempts that run after `graceMs`; their deliveries are due again when their leases end.
   */
  close(graceMs: number): Promise<void>;
}

export function createDeliverer(options: DeliveryOptions): Deliverer {
  const { accounts, settings, log, resolve, ca } = options;
  let agent: Promise<Agent> | undefined;
  // Imported for the first delivery: most servers have none, and the import takes 100 ms.
  const connect = () => {
    agent ??= import('./guarded-agent.ts').then(({ createGuardedAgent }) =>
      createGuardedAgent({ allowPrivate: settings.webhookPrivate, resolve, ca }),
    );
    return agent;
  };
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let isClosing = false;

  /** Begins attempts at what is due. @param onEnd Called when one has ended. */
  function begin(lateMs: number, onEnd: (settled: Settled | undefined) => void): Promise<void>[] {
    const room = limits.webhook.allRunningMax - running.size;
    return accounts.claimDeliveries(room, lateMs).map((claimed) => {
      const attempt = deliverOne(claimed, options, connect, stop.signal).then((settled) => {
        running.delete(attempt);
        onEnd(settled);
      });
      running.add(attempt);
      return attempt;
    });
  }

  function deliverDue(lateMs = 0): void {
    if (isClosing) return;
    try {
      begin(lateMs, () => deliverDue(lateMs));
    } catch (error) {
      log.failure('deliveries', error);
    }
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    deliverDue,
    ...createJobTaking({ begin, log, isClosing: () => isClosing }),
    idle,
    async close(graceMs) {
      isClosing = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      await idle();
      clearTimeout(timer);
      await (await agent)?.destroy();
    },
  };
}

type Begin = (lateMs: number, onEnd: (settled: Settled | undefined) => void) => Promise<void>[];

interface JobTaking {
  begin: Begin;
  log: DeliveryLog;
  isClosing: () => boolean;
}

/** Builds deliveries by jobs: each job takes what is due, and what becomes due, for a while. */
function createJobTaking({
  begin,
  log,
  isClosing,
}: JobTaking): Pick<Deliverer, 'deliverNow' | 'isTaking'> {
  /** One member for each `deliverNow` that still takes deliveries. */
  const taking = new Set<object>();

  async function deliverNow(onGivenUp: (line: FailedAttempt) => void): Promise<DeliveryCounts> {
    const counts: DeliveryCounts = { delivered: 0, retried: 0, givenUp: 0 };
    const endMs = performance.now() + limits.webhook.jobMs;
    const isOver = () => isClosing() || performance.now() >= endMs;
    const own = new Set<Promise<void>>();
    const take = () => {
      for (const attempt of isOver() ? [] : begin(0, ended)) {
        const one = attempt.finally(() => own.delete(one));
        own.add(one);
      }
    };
    const ended = (settled: Settled | undefined) => {
      if (settled?.status === 'delivered') counts.delivered++;
      if (settled?.status === 'pending') counts.retried++;
      if (settled?.status === 'failed') {
        counts.givenUp++;
        onGivenUp(settled.line);
      }
      try {
        take();
      } catch (error) {
        log.failure('deliveries', error);
      }
    };
    const takes = {};
    taking.add(takes);
    const timer = setTimeout(() => taking.delete(takes), limits.webhook.jobMs);
    try {
      take();
      while (own.size > 0) await Promise.all(own);
      return counts;
    } finally {
      clearTimeout(timer);
      taking.delete(takes);
    }
  }

  return { deliverNow, isTaking: () => taking.size > 0 };
}

/** Delivers until the signal aborts and the last attempt has ended. */
export async function startDelivery(
  options: DeliveryOptions & { signal: AbortSignal; lateMs?: number },
): Promise<void> {
  const { signal, lateMs } = options;
  const deliverer = createDeliverer(options);
  const polling = setInterval(() => deliverer.deliverDue(lateMs), limits.webhook.pollMs);
  const { promise: aborted, resolve: stop } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => stop(), { once: true });
  if (signal.aborted) stop();
  await aborted;
  clearInterval(polling);
  await deliverer.close(limits.shutdown.graceMs);
}
