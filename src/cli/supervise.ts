/** Runs a verb of this program as a child process and restarts it when it dies. */

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { limits } from '../limits.ts';

export interface SupervisedVerb {
  /** Resolves when the child has sent its first message: it has done its first round of work. */
  firstReport: Promise<void>;
  /** Asks the child to end and waits until it has. */
  stop(): Promise<void>;
}

// The entry file has the ending this file has: .ts in a checkout, .js in a packed install.
const entry = fileURLToPath(new URL(`../cli${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Starts `tapeworks <args>` with this runtime. It inherits stderr and holds a message channel,
 * by whose end it also notices that its supervisor is gone.
 */
export function superviseVerb(
  args: readonly string[],
  note: (line: string) => void,
): SupervisedVerb {
  const { promise: firstReport, resolve: reported } = Promise.withResolvers<void>();
  let child: ChildProcess;
  let isStopping = false;
  let restarts = 0;
  let restartTimer: NodeJS.Timeout | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const launch = () => {
    child = spawn(process.execPath, [entry, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', () => {
      restarts = 0;
      reported();
    });
    child.on('exit', (code, signal) => {
      if (isStopping) return end();
      const delayMs = Math.min(
        limits.supervisor.restartFirstMs * 2 ** restarts++,
        limits.supervisor.restartMaxMs,
      );
      note(`${args[0]} ended (${signal ?? `exit ${code}`}); restarting in ${delayMs / 1000} s`);
      restartTimer = setTimeout(launch, delayMs);
    });
  };
  launch();

  return {
    firstReport,
    async stop() {
      isStopping = true;
      clearTimeout(restartTimer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await ended;
    },
  };
}
