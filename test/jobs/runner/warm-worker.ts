/**
 * A worker in a process that has been one before, for tests that don't kill it: to start, and to
 * load all that it needs, is most of what a short one takes.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WorkerMessage } from './warm-worker-child.ts';

const CHILD = fileURLToPath(new URL('warm-worker-child.ts', import.meta.url));

export interface WarmWorker {
  /** @param env All of its environment. */
  start(env: Record<string, string>): void;
  /** Stops as SIGTERM does; resolves when everything is closed. Does nothing if none runs. */
  stop(): Promise<void>;
  end(): void;
}

export function warmWorker(): WarmWorker {
  let child: ChildProcess | undefined;
  /** Its exit code. */
  let ended: Promise<number> | undefined;
  const tell = (message: WorkerMessage) => child?.send(message);
  return {
    start(env) {
      child ??= fork(CHILD, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      ended = once(child, 'message').then(([code]) => code);
      tell({ env });
    },
    async stop() {
      if (!ended) return;
      tell('stop');
      const code = await ended;
      ended = undefined;
      if (code !== 0) throw new Error(`the worker ended with ${code}`);
    },
    end: () => void child?.kill('SIGKILL'),
  };
}
