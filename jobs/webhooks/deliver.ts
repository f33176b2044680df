/** Delivers events. Several processes may do so, by leases in `accounts.sqlite`. */

import { once } from 'node:events';
import { type Agents, closeAgents } from '../../src/base/http/send.ts';
import { limits } from '../../src/base/limits.ts';
import {
  clearInterval,
  clearTimeout,
  monotonicMs,
  setInterval,
  setTimeout,
} from '../../src/base/world/clock.ts';
import {
  type DeliveryOptions,
  deliverOne,
  type FailedAttempt,
  type Settled,
} from './deliver-one.ts';

/** Number of attempts by result. A type, as it is reported as a record of numbers. */
export type DeliveryCounts = Record<'delivered' | 'retried' | 'givenUp', number>;

export interface Delivered {
  counts: DeliveryCounts;
  givenUp: FailedAttempt[];
}

export interface Deliverer {
  /**
   * Attempts what is due, or has been due for `lateMs`, and what becomes due meanwhile, for at most
   * `limits.webhook.jobMs`. Waits for these attempts.
   *
   * @throws as `claimDeliveries`.
   */
  deliver(lateMs?: number): Promise<Delivered>;
  /** Begins to deliver, unless a claim runs, and logs a failure. */
  deliverDue(lateMs?: number): void;
  /** Returns true while a `deliver` also takes what becomes due. */
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
  /** Ends of calls that take what becomes due, by `performance.now()`. */
  const taking = new Set<{ endMs: number }>();
  const stop = new AbortController();
  let isClosing = false;
  /** The last claim. Claims follow each other, so that all of them see the attempts that run. */
  let claiming: Promise<unknown> = Promise.resolve();
  let claims = 0;

  /** Starts attempts at what is due. */
  function begin(lateMs: number): Promise<Promise<Settled | undefined>[]> {
    claims++;
    const begun = claiming.then(() => claimed(lateMs)).finally(() => claims--);
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

  async function deliver(lateMs = 0): Promise<Delivered> {
    const counts: DeliveryCounts = { delivered: 0, retried: 0, givenUp: 0 };
    const givenUp: FailedAttempt[] = [];
    const call = { endMs: monotonicMs() + limits.webhook.jobMs };
    const own = new Set<Promise<void>>();
    const take = async () => {
      if (isClosing || monotonicMs() >= call.endMs) return;
      for (const attempt of await begin(lateMs)) {
        const one = attempt.then(ended).finally(() => own.delete(one));
        own.add(one);
      }
    };
    const ended = async (settled: Settled | undefined) => {
      if (settled?.status === 'delivered') counts.delivered++;
      if (settled?.status === 'pending') counts.retried++;
      if (settled?.status === 'failed') counts.givenUp = givenUp.push(settled.line);
      // One claim that waits for its turn is enough for all attempts that have ended.
      if (claims < 2) await take().catch(logged);
    };
    if (lateMs === 0) taking.add(call);
    try {
      await take();
      while (own.size > 0) await Promise.all(own);
      return { counts, givenUp };
    } finally {
      taking.delete(call);
    }
  }

  const logged = (error: unknown) => log.failure('deliveries', error);

  async function idle(): Promise<void> {
    for (let last: unknown; last !== claiming || running.size > 0; ) {
      last = claiming;
      await last;
      await Promise.all(running);
    }
  }

  return {
    deliver,
    deliverDue(lateMs) {
      if (claims === 0) deliver(lateMs).catch(logged);
    },
    isTaking: () => [...taking].some(({ endMs }) => monotonicMs() < endMs),
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
