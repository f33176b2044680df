import type { Settings } from '../../src/base/config/config.ts';
import type { JobReader } from '../contract/reader.ts';

/**
 * Opens the reader of the jobs in Redis, or without Redis of those in `jobs.sqlite`.
 *
 * @throws {QueueUnavailableError} Redis does not reply.
 */
export async function openReader(settings: Settings): Promise<JobReader> {
  const { redisUrl } = settings;
  if (redisUrl === undefined) {
    const { ledgerReader } = await import('../ledger/ledger-reader.ts');
    return ledgerReader(settings);
  }
  const [{ connectRedis }, { openQueues }, { queueReader }] = await Promise.all([
    import('../redis/connection.ts'),
    import('../redis/queues.ts'),
    import('../redis/queue-reader.ts'),
  ]);
  // The queues would wait for a Redis that is away.
  (await connectRedis(redisUrl)).disconnect();
  return queueReader(openQueues(redisUrl));
}
