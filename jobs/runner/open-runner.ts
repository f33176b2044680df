/** The runner that the settings ask for. */

import type { Settings } from '../../src/base/config/config.ts';
import type { Runner } from '../contract/runner.ts';

/**
 * Without Redis, jobs run in this process.
 *
 * @throws {QueueUnavailableError} the settings name a Redis that does not answer.
 */
export async function openRunner(settings: Settings): Promise<Runner> {
  const { redisUrl } = settings;
  if (redisUrl !== undefined) {
    const { openRedisRunner } = await import('../redis/redis-runner.ts');
    return openRedisRunner(settings, redisUrl);
  }
  const { EmbeddedRunner } = await import('./embedded.ts');
  return new EmbeddedRunner({ settings });
}
