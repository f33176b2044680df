/** Supervises a thread or a process of this program that should never end. */

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFolders, fullFolder } from '../../base/data-folder.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearTimeout, monotonicMs, setTimeout } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { spawn } from '../../base/world/programs.ts';

/** One run of the supervised thread or process. */
export interface Run {
  /** Resolves with a description of its end. */
  ended: Promise<string>;
  /** Requests its end. */
  stop(): void;
  /** Kills it. */
  kill(): void;
}

export interface Supervised<Report> {
  /**
   * Report of the first run that works.
   *
   * @throws {TapeworksError} it ended before, and `fatalUntilReported` is set.
   */
  firstReport: Promise<Report>;
  /** Ends the run for good; kills it if it does not end within `stopMs`. */
  stop(): Promise<void>;
}

export interface SuperviseOptions<Report> {
  name: string;
  /** Starts one run, which calls `report` when it works. */
  launch: (report: (report: Report) => void) => Run;
  note: (line: string) => void;
  stopMs: number;
  /** True to give up if the first run ends before its report. Default: false. */
  fatalUntilReported?: boolean;
}

/**
 * Restarts a run that has ended, after a wait that doubles until a run works for
 * `limits.supervisor.healthyMs` after its report: one that fails soon after it would be restarted
 * several times a second.
 */
export function supervise<Report>(options: SuperviseOptions<Report>): Supervised<Report> {
  const { name, launch, note, stopMs, fatalUntilReported = false } = options;
  const { restartFirstMs, restartMaxMs, healthyMs } = limits.supervisor;
  const { promise: firstReport, resolve, reject } = Promise.withResolvers<Report>();
  // A caller that does not wait gets the end by `note`.
  firstReport.catch(() => {});
  let run: Run | undefined;
  let hasReported = false;
  let isStopping = false;
  let restarts = 0;
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    let reportedMs = Number.POSITIVE_INFINITY;
    run = launch((report) => {
      reportedMs = Math.min(reportedMs, monotonicMs());
      hasReported = true;
      resolve(report);
    });
    const how = await run.ended;
    run = undefined;
    if (isStopping) return;
    if (fatalUntilReported && !hasReported)
      return reject(new TapeworksError(`${name} ended (${how})`));
    if (monotonicMs() - reportedMs >= healthyMs) restarts = 0;
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

/** Launches once the data folders have room. */
export function whenRoom<Report>(launch: () => Supervised<Report>): Supervised<Report> {
  const { promise: firstReport, resolve } = Promise.withResolvers<Report>();
  let launched: Supervised<Report> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (fullFolder(dataFolders(process.env))) {
      timer = setTimeout(look, limits.disk.lookMs);
      return;
    }
    launched = launch();
    resolve(launched.firstReport);
  };
  look();
  return {
    firstReport,
    async stop() {
      clearTimeout(timer);
      await launched?.stop();
    },
  };
}

/**
 * Keeps a run while there is work, and `limits.supervisor.idleMs` longer, until the signal aborts.
 *
 * @param hasWork Receives true while it runs. If it fails, the run says why.
 * @param wait Waits until the next look.
 */
export async function superviseWhile<Report>(
  hasWork: (isRunning: boolean) => Promise<boolean>,
  launch: () => Supervised<Report>,
  signal: AbortSignal,
  wait: () => Promise<unknown>,
): Promise<void> {
  let run: Supervised<Report> | undefined;
  let workedMs = 0;
  while (!signal.aborted) {
    if (await hasWork(run !== undefined).catch(() => true)) {
      workedMs = monotonicMs();
      run ??= launch();
    } else if (run && monotonicMs() - workedMs >= limits.supervisor.idleMs) {
      await run.stop();
      run = undefined;
    }
    await wait();
  }
  await run?.stop();
}

/** Calls `stop` at the first SIGINT or SIGTERM, or when the supervising process has ended. */
export function onStop(stop: () => void): void {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, stop);
  // It ended before this call; without a supervisor the value is undefined.
  if (process.connected === false) stop();
}

/** Returns the environment with this compile cache: saves a third of a thread's start. */
export function envWithCompileCache(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // The setting names the parent folder, which has a cache for each version of the runtime.
  return cache ? { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } : process.env;
}

// The entry file has the extension of this file: .ts in a checkout, .js in an installed package.
const entry = fileURLToPath(new URL(`../../cli${import.meta.url.slice(-3)}`, import.meta.url));

// V8 counts three of these spaces as the young generation.
const YOUNG = `--max-semi-space-size=${limits.supervisor.youngMegabytes / 3}`;
/** V8 would else let garbage grow to several times what is in use before it collects all of it. */
const GROWTH = `--heap-growing-percent=${limits.supervisor.heapGrowthPercent}`;

/** Returns the program and arguments that run `tapeworks <args>` as a process. */
export function verbProcess(args: readonly string[]): [program: string, args: string[]] {
  // A server makes little garbage that lasts, and collecting it would be seen in its latency.
  const flags = args[0] === 'serve' ? [YOUNG] : [YOUNG, GROWTH];
  return [process.execPath, [...flags, entry, ...args]];
}

export interface VerbOptions {
  /** Name of the process in notes. Default: the verb. */
  name?: string;
  note: (line: string) => void;
  /** True to give up if the first process ends before its report. */
  fatalUntilReported?: boolean;
  /** Settings in addition to those of this process. */
  env?: Record<string, string>;
  /** Receives every report, of each process. */
  onReport?: (report: unknown) => void;
}

/**
 * Runs `tapeworks <args>` once as a process. It inherits stderr, each of its messages is a report,
 * and it ends when the channel to this process closes.
 */
export function launchVerb<Report>(
  args: readonly string[],
  report: (report: Report) => void,
  env: Record<string, string> = {},
): Run {
  const child = spawn(...verbProcess(args), {
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
}

/** Runs `tapeworks <args>` as `launchVerb` does, and restarts it when it dies. */
export function superviseVerb<Report>(
  args: readonly string[],
  { env, onReport, ...options }: VerbOptions,
): Supervised<Report> {
  const launch = (report: (report: Report) => void) =>
    launchVerb<Report>(
      args,
      (one) => {
        onReport?.(one);
        report(one);
      },
      env,
    );
  const stopMs = limits.shutdown.processMs;
  return supervise({ name: args[0], launch, stopMs, ...options });
}
