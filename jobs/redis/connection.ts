/** Connections to Redis. */

import type { Redis } from 'ioredis';
import type { Settings } from '../../src/base/config/config.ts';
import { ConfigError, QueueUnavailableError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import {
  clusterRefusal,
  redisRefusal,
  withoutPassword,
} from '../../src/base/redis/redis-address.ts';
import { createRedis, type RedisUser, redisOptions } from '../../src/base/redis/redis-client.ts';
import { clearTimeout, setTimeout } from '../../src/base/world/clock.ts';

/** Prefix of all keys, as other programs may use the same Redis. Every job repeats it. */
export const KEY_PREFIX = 'tw';

export function connectionOptions(url: string, who: RedisUser) {
  return redisOptions(url, who);
}

/** Two keys of different slots of a cluster. */
const TRIAL_KEYS = ['tw:trial:a', 'tw:trial:b'];

/** Commands of each kind that jobs need, in one transaction that leaves nothing. */
const TRIAL = [
  ...[
    ['set', TRIAL_KEYS[0], '1'],
    ['get', TRIAL_KEYS[0]],
    ['incr', TRIAL_KEYS[0]],
  ],
  ...[
    ['zadd', TRIAL_KEYS[1], '1', 'a'],
    ['zrange', TRIAL_KEYS[1], '0', '0'],
  ],
  ['bzpopmin', TRIAL_KEYS[1], '1'],
  ...[
    ['hset', TRIAL_KEYS[1], 'a', '1'],
    ['hgetall', TRIAL_KEYS[1]],
    ['del', TRIAL_KEYS[1]],
  ],
  ...[
    ['lpush', TRIAL_KEYS[1], '1'],
    ['lrange', TRIAL_KEYS[1], '0', '0'],
    ['del', TRIAL_KEYS[1]],
  ],
  ...[
    ['xadd', TRIAL_KEYS[1], '*', 'a', '1'],
    ['xtrim', TRIAL_KEYS[1], 'MAXLEN', '0'],
  ],
  ['eval', "return redis.call('DEL', KEYS[1], KEYS[2])", '2', ...TRIAL_KEYS],
  ['evalsha', '0'.repeat(40), '0'],
];

/**
 * Opens a connection and checks that Redis replies.
 *
 * @throws {QueueUnavailableError} Redis does not reply; the message holds no password.
 * @throws {ConfigError} It is a cluster, or its user lacks a right.
 */
export async function connectRedis(url: string): Promise<Redis> {
  await tryRedis(url);
  const redis = await opened(url, {});
  try {
    await withinMs(chooseDatabase(redis), limits.redis.connectMs);
    return redis;
  } catch (cause) {
    redis.disconnect();
    throw unreachable(url, cause);
  }
}

/**
 * Lets a Redis that can't do the work end a start, and one that is away not.
 *
 * @throws {ConfigError} It is a cluster, or its user lacks a right.
 */
export async function requireUsableRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<void> {
  if (redisUrl === undefined) return;
  await tryRedis(redisUrl).catch((error) => {
    if (!(error instanceof QueueUnavailableError)) throw error;
  });
}

async function tryRedis(url: string): Promise<void> {
  // Without its right to INFO the driver would print a warning for each connection.
  const trial = await opened(url, { enableReadyCheck: false });
  try {
    await withinMs(requireUsable(trial), limits.redis.connectMs);
  } catch (error) {
    throw error instanceof ConfigError ? error : unreachable(url, error);
  } finally {
    trial.disconnect();
  }
}

/** Tries what jobs need. Failures that pass are those of the commands that follow. */
async function requireUsable(redis: Redis): Promise<void> {
  try {
    const info = await redis.info('server');
    if (/^redis_mode:cluster/m.test(info)) throw clusterRefusal();
    await redis.multi(TRIAL).exec();
  } catch (error) {
    const refusal = error instanceof ConfigError ? error : redisRefusal(error);
    if (refusal) throw refusal;
  }
}

async function opened(url: string, options: { enableReadyCheck?: boolean }): Promise<Redis> {
  const redis = createRedis(url, 'producer', options);
  let failure: Error | undefined;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await withinMs(redis.connect(), limits.redis.connectMs);
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

/** Returns true for the failure of a command whose connection is gone. */
export function isAway(error: unknown): boolean {
  return isOfDriver(error) || /ECONN|ETIMEDOUT|timed out|timeout/i.test(String(error));
}

/** Same, for work that also asks other services: failures that only the driver of Redis names so. */
export function isOfDriver(error: unknown): boolean {
  return /Connection is closed|max retries per request|READONLY/i.test(String(error));
}

function withinMs<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ms / 1000} s`)), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
