/** Connections to Redis: of those who must not wait, and of workers, who wait for as long as it takes. */

import { Redis } from 'ioredis';
import { QueueUnavailableError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';

/**
 * Of all keys, so that one Redis may serve others beside us; two of us take two databases. Short,
 * because each job has it several times.
 */
export const KEY_PREFIX = 'tw';

const { connectMs, reconnectMaxMs } = limits.redis;

const reconnectMs = (tries: number) => Math.min(reconnectMaxMs, 50 * 2 ** Math.min(tries, 10));

/** BullMQ and we open several connections each from these. */
export function connectionOptions(url: string, who: 'producer' | 'worker') {
  // A producer's command that meets no connection fails after its first retry.
  const maxRetriesPerRequest = who === 'worker' ? null : 1;
  return { url, connectTimeout: connectMs, retryStrategy: reconnectMs, maxRetriesPerRequest };
}

/**
 * A connection of our own that answers.
 *
 * @throws {QueueUnavailableError} nobody answers in time; the message holds no password.
 */
export async function connectRedis(url: string): Promise<Redis> {
  const { url: _, ...options } = connectionOptions(url, 'producer');
  const redis = new Redis(url, { ...options, lazyConnect: true });
  let failure: Error | undefined;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await withinMs(
      redis.connect().then(() => redis.ping()),
      connectMs,
    );
    return redis;
  } catch (cause) {
    redis.disconnect();
    throw unreachable(url, failure ?? cause);
  }
}

export function unreachable(url: string, cause: unknown): QueueUnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new QueueUnavailableError(
    `Redis at ${withoutPassword(url)} does not answer (${reason}): start it, or leave out ` +
      'TAPEWORKS_REDIS_URL to run jobs without it',
    { cause },
  );
}

export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function withinMs<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ms / 1000} s`)), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
