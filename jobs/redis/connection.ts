/** Connections to Redis. */

import type { Redis } from 'ioredis';
import { QueueUnavailableError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { withoutPassword } from '../../src/base/redis-address.ts';
import { createRedis, type RedisUser, redisOptions } from '../../src/base/redis-client.ts';

/** Prefix of all keys, as other programs may use the same Redis. Every job repeats it. */
export const KEY_PREFIX = 'tw';

export function connectionOptions(url: string, who: RedisUser) {
  return redisOptions(url, who);
}

/**
 * Opens a connection and checks that Redis replies.
 *
 * @throws {QueueUnavailableError} Redis does not reply; the message holds no password.
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

/** Selects the database, as the driver silently stays in database 0 if it does not exist. */
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
