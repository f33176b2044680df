/** Runs a function for many tasks: on a few threads, or on this one if there is little to do. */

import { extname } from 'node:path';
import { limits } from '../../base/limits.ts';
import { availableParallelism } from '../../base/world/machine.ts';

/** Disposing ends the tasks that still run. */
export interface Threads<Task, Result> extends AsyncDisposable {
  /** @throws the signal's reason, or the task's error. */
  run(task: Task): Promise<Result>;
}

export interface ThreadOptions {
  /** Bytes that all tasks read together. A small number is read without threads. */
  bytes: number;
  /** Number of tasks, if it is known: further threads would do nothing. */
  tasks?: number;
  signal?: AbortSignal;
  /** Memory of each thread for short-lived values. */
  youngMegabytes?: number;
}

/** @param module Path relative to `base`, without `.ts` or `.js`. Its default export is `work`. */
export function startThreads<Task, Result>(
  work: (task: Task) => Promise<Result>,
  [module, base]: [module: string, base: string],
  { bytes, tasks = Number.POSITIVE_INFINITY, signal, youngMegabytes }: ThreadOptions,
): Threads<Task, Result> {
  if (bytes < limits.ingest.scanThreadBytesMin) return inTurn(work, signal);
  const count = Math.min(limits.ingest.scanThreadsMax, availableParallelism(), tasks);
  // Imported where it is needed: it counts cores by a shell, which takes as long as a small file.
  const made = import('tinypool').then(({ default: Tinypool }) => {
    const pool = new Tinypool({
      filename: new URL(`${module}${extname(base)}`, base).href,
      minThreads: count,
      maxThreads: count,
      // A thread that waits for a task must stay free for its own callbacks.
      useAtomics: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    // A thread that dies with a task fails the task; one that dies after it must not end us.
    return pool.on('error', () => undefined);
  });
  const destroy = async () => (await made).destroy();
  const stop = () => void destroy();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    async run(task) {
      const pool = await made;
      signal?.throwIfAborted();
      try {
        return await pool.run(task);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', stop);
      await destroy();
    },
  };
}

function inTurn<Task, Result>(
  work: (task: Task) => Promise<Result>,
  signal: AbortSignal | undefined,
): Threads<Task, Result> {
  const closed = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(() => {
        signal?.throwIfAborted();
        closed.signal.throwIfAborted();
        return work(task);
      });
      last = result.catch(() => undefined);
      return result;
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      await last;
    },
  };
}
