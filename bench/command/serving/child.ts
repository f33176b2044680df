/** Servers under load run in processes of their own and report the CPU time they have used. */

import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../../../src/base/world/clock.ts';
import { process } from '../../../src/base/world/process.ts';
import { fork } from '../../../src/base/world/programs.ts';

/** The program of `server.ts`. It has the extension of this file: .js in an installed package. */
export const API_SERVER = new URL(`./server${import.meta.url.slice(-3)}`, import.meta.url);

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
 * @param program Address of the file that runs.
 */
export async function startServerProcess<Ready>(
  program: URL,
  args: string[],
): Promise<ServerProcess<Ready>> {
  const startedMs = monotonicMs();
  const child = fork(fileURLToPath(program), args);
  const exited = once(child, 'exit');
  const died = exited.then(() => {
    throw new Error(`the server of ${program} has ended`);
  });
  const message = async (): Promise<unknown> => {
    const [value] = await Promise.race([once(child, 'message'), died]);
    return value;
  };
  const ready = (await message()) as Ready;
  return {
    ready,
    startMs: monotonicMs() - startedMs,
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

/** Reports to the parent that the server responds; from then on, sends its CPU time on request. */
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
