/** Runs a verb of this program as a child process and restarts it when it dies. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { limits } from '../../base/limits/limits.ts';
import { envWithCompileCache } from './compile-cache.ts';
import { type Run, type Supervised, supervise } from './supervise.ts';

// The entry file has the ending this file has: .ts in a checkout, .js in a packed install.
const entry = fileURLToPath(new URL(`../../cli${import.meta.url.slice(-3)}`, import.meta.url));

export interface VerbOptions {
  note: (line: string) => void;
  /** Whether the first child must report before it ends. */
  mustStart?: boolean;
  /** Settings beside those of this process. */
  env?: Record<string, string>;
}

/**
 * Starts `tapeworks <args>` with this runtime. It inherits stderr, reports by its first message,
 * and notices by the end of the channel that its supervisor is gone.
 */
export function superviseVerb<Report>(
  args: readonly string[],
  { note, mustStart = false, env }: VerbOptions,
): Supervised<Report> {
  const launch = (report: (report: Report) => void): Run => {
    const child = spawn(process.execPath, [entry, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...envWithCompileCache(), ...env },
    });
    child.on('message', (message) => report(message as Report));
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    child.on('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
    return {
      ended,
      stop: () => void child.kill('SIGTERM'),
      kill: () => void child.kill('SIGKILL'),
    };
  };
  const stopMs = limits.shutdown.processMs;
  return supervise({ name: args[0], launch, note, stopMs, fatalUntilReported: mustStart });
}
