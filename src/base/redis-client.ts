/** Connections to Redis: how long is tried, and what is done when another server is the master. */

import { Redis } from 'ioredis';
import { limits } from './limits/limits.ts';
import { redisPlace } from './redis-address.ts';

/** Who asks: one that must not wait, or one that waits for as long as it takes. */
export type RedisUser = 'producer' | 'worker';

const { connectMs, reconnectMaxMs, silentMs, answerMs } = limits.redis;

const reconnectMs = (tries: number) => Math.min(reconnectMaxMs, 50 * 2 ** Math.min(tries, 10));

/** A server that was the master takes no writes; asked again, a sentinel names the new one. */
const isDemoted = (error: Error) => error.message.includes('READONLY');

/**
 * Options of the driver; one of them may be an address.
 *
 * @param url As `TAPEWORKS_REDIS_URL`.
 */
export function redisOptions(url: string, who: RedisUser) {
  const place = redisPlace(url);
  const isWorker = who === 'worker';
  return {
    ...place,
    connectTimeout: connectMs,
    // A machine that hangs closes no connection.
    socketTimeout: silentMs,
    retryStrategy: reconnectMs,
    sentinelRetryStrategy: reconnectMs,
    // A producer's command that meets no connection fails after its first retry; where no sentinel
    // answers there is no connection to fail.
    maxRetriesPerRequest: isWorker ? null : 1,
    ...(!isWorker && 'sentinels' in place && { commandTimeout: answerMs }),
    // Connected anew, a worker's command is sent again.
    reconnectOnError: (error: Error) =>
      isDemoted(error) && (isWorker ? (2 as const) : (1 as const)),
  };
}

/**
 * A connection of our own, made at its first command.
 *
 * @param role Of the server that sentinels are asked for; `slave` is a replica.
 */
export function createRedis(
  url: string,
  who: RedisUser,
  { role = 'master' }: { role?: 'master' | 'slave' } = {},
): Redis {
  const asked = role === 'slave' && { role, commandTimeout: connectMs };
  const options = { ...redisOptions(url, who), ...asked, lazyConnect: true };
  return 'url' in options ? new Redis(options.url, options) : new Redis(options);
}
