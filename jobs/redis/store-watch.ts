/**
 * Whether Redis still belongs to the store of this machine. A backup of it may be restored on
 * another one at any time, and is the store from then on; a Redis that was emptied is told again.
 */

import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { limits } from '../../src/base/limits/limits.ts';
import { isStoreOf } from './store-id.ts';
import type { LoadWorkerOptions } from './take-jobs.ts';

export interface StoreWatch {
  /** Aborts when the worker is to stop, and for good when Redis belongs to another store. */
  end: AbortSignal;
  /**
   * Looks before a job is done.
   *
   * @param stop Of the queue's worker, which ends by `end`.
   * @throws when Redis belongs to another store; `stop` is aborted by then.
   */
  requireOurs(stop: AbortSignal): Promise<void>;
  close(): void;
}

export function watchStore(
  redis: Redis,
  { settings, log, signal }: Pick<LoadWorkerOptions, 'settings' | 'log' | 'signal'>,
): StoreWatch {
  const replaced = new AbortController();
  const look = async () => {
    // While Redis is away nobody else can be told that it is theirs.
    const isOurs = await isStoreOf(redis, settings.dataDir).catch(() => true);
    if (isOurs || replaced.signal.aborted) return;
    log.note('Redis belongs to another store now: this worker does nothing for its own any more');
    replaced.abort(new Error('Redis belongs to another store now'));
  };
  const timer = setInterval(look, limits.redis.storeRenewMs);
  return {
    end: AbortSignal.any([signal, replaced.signal]),
    async requireOurs(stop) {
      await look();
      if (!replaced.signal.aborted) return;
      if (!stop.aborted) await once(stop, 'abort');
      stop.throwIfAborted();
    },
    close: () => clearInterval(timer),
  };
}
