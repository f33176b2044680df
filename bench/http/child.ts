/** Servers under load run in processes of their own and report the CPU time they have used. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ServerProcess<Ready> {
  ready: Ready;
  /** From the start of the process to its first message. */
  startMs: number;
  /** Microseconds of CPU time, user and system, since its start. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a server in a process of its own.
 *
 * @typeParam Ready Value that the server gives to `reportReady`.
 * @param file Path relative to this folder.
 */
export async function startServerProcess<Ready>(
  file: string,
  args: string[],
): Promise<ServerProcess<Ready>> {
  const startedMs = performance.now();
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const exited = once(child, 'exit');
  const died = exited.then(() => {
    throw new Error(`the server of ${file} has ended`);
  });
  const message = async (): Promise<unknown> => {
    const [value] = await Promise.race([once(child, 'message'), died]);
    return value;
  };
  const ready = (await message()) as Ready;
  return {
    ready,
    startMs: performance.now() - startedMs,
    async cpuUs() {
      child.send('cpu');
      return (await message()) as number;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Tells the parent that the server answers, and from then on its CPU time when asked. */
export function reportReady(ready: unknown, stop: () => void | Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on('disconnect', async () => {
    await stop();
    process.exit();
  });
  process.send?.(ready);
}
