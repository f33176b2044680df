/** Checks whether the Redis of the settings keeps jobs safely. */

import type { Settings } from '../../base/config/config.ts';
import { TapeworksError } from '../../base/errors.ts';
import { redisPlace, withoutPassword } from '../../base/redis/redis-address.ts';
import { type Check, checked } from './setup.ts';

/** Checks Redis; none if the settings name none. Rejects a Redis that may lose jobs. */
export async function checkRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<Check[]> {
  if (redisUrl === undefined) return [];
  const { connectRedis } = await import('../../../jobs/redis/connection.ts');
  const address = withoutPassword(redisUrl);
  const check = async () => {
    const redis = await connectRedis(redisUrl);
    try {
      const faults = [...redisFaults(await redis.info()), ...(await replicaFaults(redisUrl))];
      if (faults.length === 0) return address;
      throw new TapeworksError(`${address}: ${faults.join('; ')}`);
    } finally {
      redis.disconnect();
    }
  };
  return [await checked('redis', check)];
}

/** Finds the faults of a replica that sentinels may promote. */
async function replicaFaults(url: string): Promise<string[]> {
  if (!('sentinels' in redisPlace(url))) return [];
  const { createRedis } = await import('../../base/redis/redis-client.ts');
  const replica = createRedis(url, 'producer', { role: 'slave' });
  replica.on('error', () => undefined);
  try {
    return redisFaults(await replica.info()).map((fault) => `its replica: ${fault}`);
  } catch {
    return [];
  } finally {
    replica.disconnect();
  }
}

/** Finds faults in the output of `INFO`, which servers allow even without `CONFIG`. */
export function redisFaults(info: string): string[] {
  const values = new Map(
    info.split(/\r?\n/).map((line) => line.split(':', 2) as [name: string, value: string]),
  );
  const faults: string[] = [];
  const policy = values.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    faults.push(
      `it evicts jobs when its memory is full: set maxmemory-policy noeviction, got "${policy}"`,
    );
  }
  if (values.get('aof_enabled') !== '1') {
    faults.push('it forgets jobs when it ends: set appendonly yes');
  }
  return faults;
}
