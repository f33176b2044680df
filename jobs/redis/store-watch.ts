/**
 * Watches whether Redis still belongs to this store: a backup may be restored on another machine.
 */

import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { limits } from '../../src/base/limits/limits.ts';
import { isStoreOf } from './store-id.ts';
import type { LoadWorkerOptions } from './take-jobs.ts';

export interface StoreWatch {
  /** Aborts when the worker stops, or when Redis belongs to another store. */
  end: AbortSignal;
  /**
   * Checks before a job starts.
   *
   * @throws if Redis belongs to another store; `stop` is aborted by then.
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
    // While Redis is away no other store can take it.
    const isOurs = await isStoreOf(redis, settings.dataDir).catch(() => true);
    if (isOurs || replaced.signal.aborted) return;
    log.note('Redis belongs to another store now: this worker stops its loads');
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
