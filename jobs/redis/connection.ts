/** Connections to Redis: of those who must not wait, and of workers, who wait for as long as it takes. */

import type { Redis } from 'ioredis';
import { QueueUnavailableError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { withoutPassword } from '../../src/base/redis-address.ts';
import { createRedis, type RedisUser, redisOptions } from '../../src/base/redis-client.ts';

/**
 * Of all keys, so that one Redis may serve others beside us; two of us take two databases. Short,
 * because each job has it several times.
 */
export const KEY_PREFIX = 'tw';

/** BullMQ opens several connections from these. */
export function connectionOptions(url: string, who: RedisUser) {
  return redisOptions(url, who);
}

/**
 * A connection of our own that answers.
 *
 * @throws {QueueUnavailableError} nobody answers in time; the message holds no password.
 */
export async function connectRedis(url: string): Promise<Redis> {
  const { connectMs } = limits.redis;
  const redis = createRedis(url, 'producer');
  let failure: Error | undefined;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await withinMs(
      redis.connect().then(() => chooseDatabase(redis)),
      connectMs,
    );
    return redis;
  } catch (cause) {
    redis.disconnect();
    throw unreachable(url, failure ?? cause);
  }
}

/** The driver goes on in database 0 where Redis has none of the number. */
async function chooseDatabase(redis: Redis): Promise<void> {
  await redis.ping();
  await redis.select(redis.options.db ?? 0);
}

export function unreachable(url: string, cause: unknown): QueueUnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new QueueUnavailableError(
    `Redis at ${withoutPassword(url)} does not answer (${reason}): start it, or leave out ` +
      'TAPEWORKS_REDIS_URL to run jobs without it',
    { cause },
  );
}

function withinMs<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ms / 1000} s`)), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
