/** Opens connections to Redis, with their timeouts, retries and failover to another master. */

import { Redis } from 'ioredis';
import { limits } from '../limits.ts';
import { redisPlace } from './redis-address.ts';

/** Kind of client: a producer must not wait, a worker waits as long as necessary. */
export type RedisUser = 'producer' | 'worker';

const { connectMs, reconnectMaxMs, silentMs, responseMs } = limits.redis;

const reconnectMs = (tries: number) => Math.min(reconnectMaxMs, 50 * 2 ** Math.min(tries, 10));

/** Recognizes a former master; on reconnecting, a sentinel names the new one. */
const isDemoted = (error: Error) => error.message.includes('READONLY');

/** Returns options of the driver; one of them may be an address. */
export function redisOptions(url: string, who: RedisUser) {
  const place = redisPlace(url);
  const isWorker = who === 'worker';
  return {
    ...place,
    connectTimeout: connectMs,
    // A hanging machine does not close its connections.
    socketTimeout: silentMs,
    retryStrategy: reconnectMs,
    sentinelRetryStrategy: reconnectMs,
    // A producer's command without a connection fails after its first retry. If no sentinel
    // responds there is no connection to fail, so the command has a timeout.
    maxRetriesPerRequest: isWorker ? null : 1,
    ...(!isWorker && 'sentinels' in place && { commandTimeout: responseMs }),
    // After reconnecting, a worker's command is sent again.
    reconnectOnError: (error: Error) =>
      isDemoted(error) && (isWorker ? (2 as const) : (1 as const)),
  };
}

/** Creates a connection that connects at its first command; `slave` is a replica. */
export function createRedis(
  url: string,
  who: RedisUser,
  { role = 'master', ...more }: { role?: 'master' | 'slave'; enableReadyCheck?: boolean } = {},
): Redis {
  const asked = role === 'slave' && { role, commandTimeout: connectMs };
  const options = { ...redisOptions(url, who), ...asked, ...more, lazyConnect: true };
  return 'url' in options ? new Redis(options.url, options) : new Redis(options);
}
