/** `worker`: takes jobs from Redis, on this and any number of other machines. */

import type { Command } from 'commander';
import type { DeliveryJobsOptions } from '../../../jobs/redis/delivery-jobs.ts';
import type { QueueName } from '../../../jobs/redis/queues.ts';
import type { WorkerLog } from '../../../jobs/redis/take-jobs.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { accountsPlace } from '../../base/config/data-dir.ts';
import { ConfigError, UsageError } from '../../base/errors.ts';
import { process } from '../../base/world/process.ts';
import { createOutput } from '../output.ts';
import { stopSignal } from '../progress.ts';
import { keepTaking, lockBackfills } from './backfills.ts';

const QUEUES: readonly QueueName[] = ['fetch', 'load', 'webhooks', 'maintenance'];

async function work({ queues, json }: { queues?: QueueName[]; json?: boolean }): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { redisUrl: url } = settings;
  if (url === undefined) {
    throw new ConfigError(
      'TAPEWORKS_REDIS_URL must be set for a worker: without Redis, jobs run in the process that starts them',
    );
  }
  const [{ default: pino }, { runWorker }] = await Promise.all([
    import('pino'),
    import('../../../jobs/redis/worker.ts'),
  ]);
  const logger = pino(
    { level: settings.logLevel, base: { pid: process.pid } },
    pino.destination(2),
  );
  const log: WorkerLog = {
    job(line) {
      if (line.outcome === 'dead' || line.faults) logger.error(line, 'job');
      else if (line.outcome === 'retry') logger.warn(line, 'job');
      else logger.info(line, 'job');
    },
    unforeseen: (job, error) => logger.error({ job, err: error }, 'unforeseen'),
    note: (text) => logger.info(text),
  };
  const failed = new AbortController();
  const signal = AbortSignal.any([stopSignal(), failed.signal]);
  await runWorker({
    ...{ settings, url, queues, log, signal },
    async deliver(signal) {
      const taking = takeUntil(settings, log.note, signal);
      await Promise.all([deliverUntil(settings, { url, jobLog: log, signal }), taking]);
    },
    async follow(signal) {
      const { followPublishes } = await import('./keep-files.ts');
      await followPublishes(settings, log.note, signal);
    },
    onReady: (taken) =>
      createOutput(json).result({ queues: taken }, [`takes jobs to ${taken.join(', ')}`]),
  }).catch((error) => {
    // The other loops end too.
    failed.abort();
    throw error;
  });
  // Open connections would retry for ever while Redis is away.
  process.exit(0);
}

/** Delivers webhooks. Servers help with late deliveries: each process claims its own. */
async function deliverUntil(
  settings: Settings,
  jobs: Pick<DeliveryJobsOptions, 'url' | 'jobLog' | 'signal'>,
): Promise<void> {
  const [{ openRecords }, { deliverByJobs }, { createLog }] = await Promise.all([
    import('../../store/accounts/open.ts'),
    import('../../../jobs/redis/delivery-jobs.ts'),
    import('../../api/http/log.ts'),
  ]);
  const accounts = openRecords(accountsPlace(settings.dataDir));
  try {
    await deliverByJobs({ ...jobs, accounts, settings, log: createLog(settings.logLevel) });
  } finally {
    await accounts.close();
  }
}

/** Adds the backfills that clients request to the queues; one process of the store does. */
async function takeUntil(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  // Held while Redis is away, too: requests would be refused without it.
  const release = await lockBackfills(settings.dataDir, signal);
  if (!release) return;
  const [{ openRunner }, { untilRedis }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/redis/until-redis.ts'),
  ]);
  const runner = await untilRedis(() => openRunner(settings), note, signal);
  if (!runner) return;
  await keepTaking(settings, runner, note, signal).finally(() => runner.close());
  release();
}

function queuesFromOption(text: string): QueueName[] {
  return text.split(',').map((part) => {
    const queue = QUEUES.find((name) => name === part.trim());
    if (queue) return queue;
    throw new UsageError(`--queues must be some of ${QUEUES.join(',')}, got "${text}"`);
  });
}

export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('run jobs from Redis until stopped')
    .option('--queues <list>', `some of ${QUEUES.join(',')}; default all`, queuesFromOption)
    .option('--json', 'print one JSON document when the worker is ready')
    .action(work);
}
