/** Runs `worker` over one folder after the other, for `warm-worker.ts`. */

import { enableCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

export type WorkerMessage = { env: Record<string, string> } | 'stop';

enableCompileCache();
await import('../../cli/support/quick-limits.ts');
const { run } = await import('../../../src/cli.ts');

// Each run has a log of its own, which listens for the end.
process.setMaxListeners(0);

// A worker ends its process when it was stopped; this one begins again.
process.exit = (() => undefined) as unknown as typeof process.exit;

async function work(env: Record<string, string>): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const code = await run(['worker']);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.send?.(code);
}

async function stop(): Promise<void> {
  // It listens once it has read its settings.
  while (process.listenerCount('SIGTERM') === 0) await delay(10);
  process.emit('SIGTERM');
}

process.on('message', (message: WorkerMessage) =>
  message === 'stop' ? stop() : work(message.env),
);
