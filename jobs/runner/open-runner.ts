import type { Settings } from '../../src/base/config/config.ts';
import type { Runner } from '../contract/runner.ts';

/**
 * Opens the runner on Redis, or without Redis the one of this process.
 *
 * @param options.isKeeper See `EmbeddedOptions`; workers do it with Redis.
 * @throws {QueueUnavailableError} Redis does not reply.
 */
export async function openRunner(
  settings: Settings,
  options: { isKeeper?: boolean } = {},
): Promise<Runner> {
  const { redisUrl } = settings;
  if (redisUrl !== undefined) {
    const { openRedisRunner } = await import('../redis/redis-runner.ts');
    return openRedisRunner(settings, redisUrl);
  }
  const { EmbeddedRunner } = await import('./embedded.ts');
  return new EmbeddedRunner({ settings, ...options });
}
