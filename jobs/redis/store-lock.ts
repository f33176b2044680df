/**
 * Lock of the process that loads: a key that the holder renews. Each holder has a higher epoch,
 * which goes into its manifests, so a process that was only asleep cannot publish over its
 * successor.
 */

import type { Redis } from 'ioredis';
import { limits } from '../../src/base/limits.ts';
import { randomBytes } from '../../src/base/world/chance.ts';
import { clearInterval, setInterval } from '../../src/base/world/clock.ts';
import { hostname } from '../../src/base/world/machine.ts';
import { process } from '../../src/base/world/process.ts';
import { KEY_PREFIX } from './connection.ts';

const HOLDER = `${KEY_PREFIX}:store:holder`;
const EPOCH = `${KEY_PREFIX}:store:epoch`;

/** KEYS holder, epoch; ARGV token, milliseconds, lowest epoch. Returns the epoch, or nothing. */
const TAKE = `
  if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) == false then return false end
  local epoch = redis.call('INCR', KEYS[2])
  if epoch < tonumber(ARGV[3]) then
    epoch = tonumber(ARGV[3])
    redis.call('SET', KEYS[2], epoch)
  end
  return epoch`;

/**
 * KEYS holder, epoch; ARGV token, milliseconds, epoch. Sets a lost key again, unless another
 * process has had it since.
 */
const RENEW = `
  local holder = redis.call('GET', KEYS[1])
  local isOurs = holder == ARGV[1]
  if not holder then
    local epoch = tonumber(redis.call('GET', KEYS[2]) or '0')
    isOurs = epoch <= tonumber(ARGV[3])
    if isOurs then redis.call('SET', KEYS[2], ARGV[3]) end
  end
  if not isOurs then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;

const RELEASE = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0`;

export interface StoreLock {
  epoch: number;
  /** Aborts when another process may have the lock. */
  lost: AbortSignal;
  /** Gives the lock up: a higher epoch has published. */
  outdate(): void;
  release(): Promise<void>;
}

/**
 * Takes the lock.
 *
 * @param epochMin Lowest epoch, above those of the manifests.
 * @returns undefined while another process has it.
 */
export async function takeStoreLock(
  redis: Redis,
  epochMin: number,
): Promise<StoreLock | undefined> {
  const { storeLockMs, storeRenewMs } = limits.redis;
  const token = `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`;
  const run = (script: string, ...values: (string | number)[]) =>
    redis.eval(script, 2, HOLDER, EPOCH, token, ...values);
  const epoch = (await run(TAKE, storeLockMs, epochMin)) as number | null;
  if (epoch === null) return undefined;
  const lost = new AbortController();
  const renew = async () => {
    // While Redis is away no other process can take it.
    const isOurs = await run(RENEW, storeLockMs, epoch).catch(() => undefined);
    if (isOurs === 0) lost.abort(new Error('another process loads into the store now'));
  };
  const timer = setInterval(renew, storeRenewMs);
  return {
    epoch,
    lost: lost.signal,
    outdate: () => lost.abort(new Error('a higher epoch has published: the lock is taken again')),
    async release() {
      clearInterval(timer);
      await run(RELEASE).catch(() => undefined);
    },
  };
}
