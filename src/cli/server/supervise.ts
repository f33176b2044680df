/** Keeps something running that should never end: a thread or a process of this program. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { envWithCompileCache } from './compile-cache.ts';

/** One run of it. */
export interface Run {
  /** Resolves with how it ended, in words. */
  ended: Promise<string>;
  /** Asks it to end. */
  stop(): void;
  /** Ends it whatever it does. */
  kill(): void;
}

export interface Supervised<Report> {
  /**
   * What the first run has reported: it does its work.
   *
   * @throws {TapeworksError} it ended before, and its end was `fatalUntilReported`.
   */
  firstReport: Promise<Report>;
  /**
   * Asks the run to end, waits until it has, and starts no other. One that does not end is killed
   * after `stopMs`.
   */
  stop(): Promise<void>;
}

export interface SuperviseOptions<Report> {
  name: string;
  /** Starts one run, which tells of its work by `report`. */
  launch: (report: (report: Report) => void) => Run;
  note: (line: string) => void;
  stopMs: number;
  /** Whether a run that ends before any has reported is the end of it all. Default: false. */
  fatalUntilReported?: boolean;
}

/** Runs again what has ended, after a wait that doubles until a run reports that it works. */
export function supervise<Report>(options: SuperviseOptions<Report>): Supervised<Report> {
  const { name, launch, note, stopMs, fatalUntilReported = false } = options;
  const { restartFirstMs, restartMaxMs } = limits.supervisor;
  const { promise: firstReport, resolve, reject } = Promise.withResolvers<Report>();
  // Who does not wait for it hears of the end by `note`.
  firstReport.catch(() => {});
  let run: Run | undefined;
  let hasReported = false;
  let isStopping = false;
  let restarts = 0;
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    run = launch((report) => {
      restarts = 0;
      hasReported = true;
      resolve(report);
    });
    const how = await run.ended;
    run = undefined;
    if (isStopping) return;
    if (fatalUntilReported && !hasReported)
      return reject(new TapeworksError(`${name} ended (${how})`));
    const delayMs = Math.min(restartFirstMs * 2 ** restarts++, restartMaxMs);
    note(`${name} ended (${how}); restarting in ${delayMs / 1000} s`);
    timer = setTimeout(start, delayMs);
  }
  start();

  return {
    firstReport,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      if (!run) return;
      const { ended, kill } = run;
      run.stop();
      const killing = setTimeout(kill, stopMs);
      await ended;
      clearTimeout(killing);
    },
  };
}

/** Calls `stop` at the first SIGINT or SIGTERM, or when the supervising process has ended. */
export function onStop(stop: () => void): void {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, stop);
  // It ended before this call; without a supervisor the value is undefined.
  if (process.connected === false) stop();
}

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
