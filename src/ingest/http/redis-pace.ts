/** Buckets of `pace.ts` for all machines that share a Redis, by the clock of Redis. */

import { SourceUnavailableError } from '../../base/errors.ts';
import { createRedis } from '../../base/redis/redis-client.ts';
import { wallMs } from '../../base/world/clock.ts';
import type { RequestPace } from './pace.ts';

const PREFIX = 'tw:pace';

/**
 * Takes a token: KEYS bucket; ARGV requests, window and gap in milliseconds. A token is a member
 * whose score is the microsecond at which it is free again. Returns 0, or the milliseconds until
 * one is free.
 */
const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local window = tonumber(ARGV[2]) * 1000
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 2 * window, '+inf')
  local wait = 0
  local full = redis.call('ZREVRANGE', KEYS[1], ARGV[1] - 1, ARGV[1] - 1, 'WITHSCORES')
  if full[2] then wait = full[2] - now end
  local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  if last[2] then wait = math.max(wait, last[2] - window + ARGV[3] * 1000 - now) end
  if wait > 0 then return math.ceil(wait / 1000) end
  local serial = redis.call('INCR', KEYS[1] .. ':serial')
  redis.call('ZADD', KEYS[1], now + window, serial)
  redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
  return 0`;

/** Connects with the first request, and disconnects with `close`. */
export function redisPace(url: string): RequestPace<Promise<number>> {
  const redis = createRedis(url, 'producer');
  // Each call that fails reports it.
  redis.on('error', () => undefined);
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (cause) {
      throw new SourceUnavailableError('Redis, which keeps the pace of requests, is away', {
        cause,
      });
    }
  };
  return {
    take(host, { requests, windowS, gapMs = 0 }) {
      const windowMs = windowS * 1000;
      return ask(async () =>
        Number(await redis.eval(TAKE, 1, `${PREFIX}:${host}`, requests, windowMs, gapMs)),
      );
    },
    restsUntilMs(host) {
      return ask(async () => Number(await redis.get(`${PREFIX}:${host}:rest`)));
    },
    async rest(host, untilMs) {
      const leftMs = Math.max(1, Math.ceil(untilMs - wallMs()));
      await ask(() => redis.set(`${PREFIX}:${host}:rest`, untilMs, 'PX', leftMs));
    },
    close() {
      redis.disconnect();
    },
  };
}
