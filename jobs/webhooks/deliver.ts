/** Delivers events. Several processes may do so, by leases in `accounts.sqlite`. */

import { once } from 'node:events';
import { type Agents, closeAgents } from '../../src/base/http/send.ts';
import { limits } from '../../src/base/limits.ts';
import {
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
  let agents: Promise<Agents> | undefined;
  // Imported for the first delivery: most servers have none, and the import takes 100 ms.
  const connect = () => {
    agents ??= import('./guarded-agent.ts').then(({ createGuardedAgents }) =>
      createGuardedAgents({ allowPrivate: settings.webhookPrivate, resolve, ca }),
    );
    return agents;
  };
  const running = new Set<Promise<unknown>>();
  /** Jobs that take deliveries, until their ends by `performance.now()`. */
  const taking = new Set<{ endMs: number }>();
  const stop = new AbortController();
  let isClosing = false;
  /** The last claim. Claims follow each other, so that all of them see the attempts that run. */
  let claiming: Promise<unknown> = Promise.resolve();
  let isLooking = false;
  let isDueAgain = false;

  /** Starts attempts at what is due. */
  function begin(lateMs: number): Promise<Promise<Settled | undefined>[]> {
    const begun = claiming.then(() => claimed(lateMs));
    claiming = begun.catch(() => undefined);
    return begun;
  }

  async function claimed(lateMs: number): Promise<Promise<Settled | undefined>[]> {
    const room = limits.webhook.allRunningMax - running.size;
    const due = await accounts.claimDeliveries(room, lateMs);
    return due.map((claimed) => {
      const attempt = deliverOne(claimed, options, connect, stop.signal).finally(() =>
        running.delete(attempt),
      );
      running.add(attempt);
      return attempt;
    });
  }

  function deliverDue(lateMs = 0): void {
    if (isClosing) return;
    // One more look is enough for all calls during a look.
    isDueAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    begin(lateMs)
      .then((attempts) => {
        for (const attempt of attempts) attempt.then(() => deliverDue(lateMs));
      })
      .catch((error) => log.failure('deliveries', error))
      .finally(() => {
        isLooking = false;
        if (isDueAgain) deliverDue(lateMs);
      });
  }

  async function deliverNow(onGivenUp: (line: FailedAttempt) => void): Promise<DeliveryCounts> {
    const counts: DeliveryCounts = { delivered: 0, retried: 0, givenUp: 0 };
    const job = { endMs: performance.now() + limits.webhook.jobMs };
    const own = new Set<Promise<void>>();
    const take = async () => {
      if (isClosing || performance.now() >= job.endMs) return;
      for (const attempt of await begin(0)) {
        const one = attempt.then(ended).finally(() => own.delete(one));
        own.add(one);
      }
    };
    const ended = async (settled: Settled | undefined) => {
      if (settled?.status === 'delivered') counts.delivered++;
      if (settled?.status === 'pending') counts.retried++;
      if (settled?.status === 'failed') {
        counts.givenUp++;
        onGivenUp(settled.line);
      }
      try {
        await take();
      } catch (error) {
        log.failure('deliveries', error);
      }
    };
    taking.add(job);
    try {
      await take();
      while (own.size > 0) await Promise.all(own);
      return counts;
    } finally {
      taking.delete(job);
    }
  }

  async function idle(): Promise<void> {
    for (let last: unknown; last !== claiming || isLooking || running.size > 0; ) {
      last = claiming;
      await last;
      await Promise.all(running);
    }
  }

  return {
    deliverDue,
    deliverNow,
    isTaking: () => [...taking].some(({ endMs }) => performance.now() < endMs),
    idle,
    async close(graceMs) {
      isClosing = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      await idle();
      clearTimeout(timer);
      if (agents) closeAgents(await agents);
    },
  };
}

/** Delivers until the signal aborts and the last attempt has ended. */
export async function startDelivery(
  options: DeliveryOptions & { signal: AbortSignal; lateMs?: number },
): Promise<void> {
  const { signal, lateMs } = options;
  const deliverer = createDeliverer(options);
  const polling = setInterval(() => deliverer.deliverDue(lateMs), limits.webhook.pollMs);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(polling);
  await deliverer.close(limits.shutdown.graceMs);
}
