/** `worker`: takes jobs from Redis, on this machine and as many others as wanted. */

import type { Command } from 'commander';
import pino from 'pino';
import type { QueueName } from '../../jobs/redis/queues.ts';
import { type Settings, settingsFromEnv } from '../config.ts';
import { accountsPath } from '../data-dir.ts';
import { ConfigError, UsageError } from '../errors.ts';
import { createOutput } from './output.ts';

const QUEUES: readonly QueueName[] = ['fetch', 'load', 'webhooks', 'maintenance'];

async function work({ queues, json }: { queues?: QueueName[]; json?: boolean }): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { redisUrl: url } = settings;
  if (url === undefined) {
    throw new ConfigError(
      'TAPEWORKS_REDIS_URL must be set for a worker: without Redis jobs run where they are wanted',
    );
  }
  const { runWorker } = await import('../../jobs/redis/worker.ts');
  const logger = pino(
    { level: settings.logLevel, base: { pid: process.pid } },
    pino.destination(2),
  );
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await runWorker({
    ...{ settings, url, queues, signal: stop.signal },
    deliver: (signal) => deliverUntil(settings, signal),
    onReady: (taken) =>
      createOutput(json === true).result({ queues: taken }, [`takes jobs to ${taken.join(', ')}`]),
    log: {
      job(line) {
        if (line.outcome === 'dead') logger.error(line, 'job');
        else if (line.outcome === 'retry') logger.warn(line, 'job');
        else logger.info(line, 'job');
      },
      unforeseen: (job, error) => logger.error({ job, err: error }, 'unforeseen'),
      note: (text) => logger.info(text),
    },
  });
}

/** Beside the servers, which deliver too: each claims what is due. */
async function deliverUntil(settings: Settings, signal: AbortSignal): Promise<void> {
  const [{ openAccounts }, { deliverWebhooks }] = await Promise.all([
    import('../store/accounts/accounts.ts'),
    import('./webhook-delivery.ts'),
  ]);
  const accounts = openAccounts(accountsPath(settings.dataDir));
  const stop = deliverWebhooks(settings, accounts);
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  await stop();
  accounts.close();
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
    .description('take jobs from Redis until it is stopped')
    .option('--queues <list>', `some of ${QUEUES.join(',')}; default all`, queuesFromOption)
    .option('--json', 'print one JSON document once it takes jobs')
    .action(work);
}
