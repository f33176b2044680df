/** Fills a queue with jobs that do nothing; a worker process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Queue } from 'bullmq';
import { connectionOptions, KEY_PREFIX } from '../../jobs/redis/connection.ts';

const AT_ONCE = 1000;

export async function addEmptyJobs(url: string, count: number): Promise<void> {
  const queue = new Queue('maintenance', {
    connection: connectionOptions(url, 'producer'),
    prefix: KEY_PREFIX,
  });
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - from);
    await queue.addBulk(Array.from({ length: some }, () => ({ name: 'empty', data: {} })));
  }
  await queue.close();
}

/** Resolves once the worker is ready. */
export async function startWorker(
  cli: string,
  env: Record<string, string>,
): Promise<{ stop(): Promise<void> }> {
  const child = spawn(process.execPath, [cli, 'worker'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk) => {
        log += chunk;
        if (log.includes('loads into the store')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`the worker ended: ${log}`)));
  });
  return {
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
