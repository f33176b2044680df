/**
 * `pipeline`: the process that `start` runs next to the API. Hidden from the help.
 *
 * It looks for work, and its children do it: the memory of a load ends with its process.
 * `pipeline --load` and `pipeline --publish` fill the sandbox, `pipeline --backfills` loads what
 * people wait for, and `pipeline --schedules` runs the schedules at a lower priority.
 */

import type { Command } from 'commander';
import type { Runner } from '../../../jobs/contract/runner.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { MODES, modePaths } from '../../base/config/data-dir.ts';
import { visible } from '../../base/quoted.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { runLogged } from '../jobs/schedule.ts';
import { createLineOfProgress } from '../progress.ts';
import { keepTaking, lockBackfills } from './backfills.ts';
import { followPublishes } from './keep-files.ts';
import { lowerPriority } from './priority.ts';
import { launchVerb, onStop } from './supervise.ts';

interface PipelineOptions {
  backfills?: boolean;
  schedules?: boolean;
  load?: boolean;
  publish?: boolean;
}

async function pipeline(options: PipelineOptions): Promise<void> {
  if (options.backfills) return runBackfillsAlone();
  if (options.schedules) return runSchedulesAlone();
  if (options.load) return runStepAlone('load');
  if (options.publish) return runStepAlone('publish');
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const isFilled = Promise.withResolvers<void>();
  let isLoading = false;
  const onBackfills = (areThere: boolean) => {
    isLoading = areThere;
  };
  try {
    const rounds = keepRounds(isFilled.resolve, stop);
    // From now on the API accepts backfills; they run after the first fill.
    const locking = lockBackfills(settings.dataDir, stop.signal);
    // `start` waits for the first fill, which runs alone.
    await Promise.race([rounds, isFilled.promise]);
    await Promise.all([
      rounds,
      runJobs(settings, locking, stop.signal, onBackfills),
      followPublishes(settings, note, stop.signal, () => isLoading),
    ]);
  } catch (error) {
    if (stop.signal.aborted) return;
    // Ends the other loops: `start` starts the process again, with all of them.
    stop.abort();
    throw error;
  } finally {
    // The process must end without waiting for the supervisor to close the channel.
    if (process.connected) process.disconnect?.();
  }
}

function note(line: string): void {
  process.stderr.write(visible(`pipeline: ${line}\n`));
}

/** Steps of a round, each in a process of its own. */
const STEPS = ['load', 'publish'] as const;

/**
 * Runs a round after each session until the signal aborts. Its steps are processes: the memory of a
 * load would stay for minutes, beside a publish and the process that makes files. A step that
 * fails, and has said why, ends this process: `start` starts it again.
 */
async function keepRounds(onFilled: () => void, stopping: AbortController): Promise<void> {
  const { signal } = stopping;
  const { untilNextClose } = await import('../../../jobs/schedule/ticks.ts');
  while (!signal.aborted) {
    for (const step of STEPS) if (!signal.aborted) await runStep(step, onFilled, stopping);
    await untilNextClose(wallMs, signal);
  }
}

async function runStep(
  step: (typeof STEPS)[number],
  onFilled: () => void,
  stopping: AbortController,
): Promise<void> {
  const { signal } = stopping;
  const { ended, stop } = launchVerb(['pipeline', `--${step}`], (report) => {
    if (process.connected) process.send?.(report);
    onFilled();
  });
  signal.addEventListener('abort', stop, { once: true });
  const how = await ended;
  signal.removeEventListener('abort', stop);
  if (how === 'exit 0' || signal.aborted) return;
  if (!how.startsWith('exit')) note(`the ${step} of a round ended (${how})`);
  process.exitCode = 1;
  stopping.abort();
}

async function runStepAlone(step: (typeof STEPS)[number]): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const progress = createLineOfProgress('Preparing data', note);
  const [live, sandbox] = MODES.map((mode) => modePaths(settings.dataDir, mode));
  const deps = {
    verb: 'pipeline',
    settings,
    nowMs: wallMs(),
    clock: wallMs,
    onProgress: progress.report,
    onWaiting(holder: string) {
      progress.stop();
      note(`waiting for ${holder}`);
    },
    signal: stop.signal,
  };
  const { repeatText } = await import('../../ingest/vendors/sec/repeat-commands.ts');
  const publishing = {
    onOutdated(loads: Parameters<typeof repeatText>[0]) {
      note(`live ${repeatText(loads)}`);
    },
    onFilled(version: number) {
      progress.stop();
      if (process.connected) process.send?.(version);
    },
    onFailure(error: unknown) {
      if (!stop.signal.aborted) note(`live data could not be published: ${error}`);
    },
  };
  try {
    if (step === 'load') {
      const { loadSandbox } = await import('../../../jobs/load/sandbox.ts');
      await loadSandbox(sandbox, {}, deps);
    } else {
      const { publishRound } = await import('../../../jobs/schedule/pipeline.ts');
      await publishRound({ live, sandbox }, { ...deps, ...publishing });
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.stop();
    // Stopped alone, it was no whole step: the pipeline ends too, and both begin again.
    if (stop.signal.aborted) process.exitCode = 1;
    if (process.connected) process.disconnect?.();
  }
}

/** Runs jobs while it holds the lock of backfills. */
async function runJobs(
  settings: Settings,
  locking: ReturnType<typeof lockBackfills>,
  signal: AbortSignal,
  onBackfills: (areThere: boolean) => void,
): Promise<void> {
  const release = await locking;
  if (!release) return;
  const { runWork } = await import('./work.ts');
  await runWork(settings, note, signal, onBackfills).finally(release);
}

async function runBackfillsAlone(): Promise<void> {
  const { keepRuns } = await import('../../../jobs/runner/keep-runs.ts');
  await runAlone(note, (settings, runner, signal) =>
    Promise.all([keepRuns(runner, signal), keepTaking(settings, runner, note, signal)]),
  );
}

async function runSchedulesAlone(): Promise<void> {
  lowerPriority();
  const note = (line: string) => process.stderr.write(visible(`schedules: ${line}\n`));
  await runAlone(note, (settings, runner, signal) =>
    runLogged(settings, runner, signal, (tickMs) => {
      if (process.connected) process.send?.(tickMs);
    }),
  );
}

/** Does the work of a child until the pipeline ends it. */
async function runAlone(
  note: (line: string) => void,
  work: (settings: Settings, runner: Runner, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  try {
    const runner = await runnerWhenThere(settings, note, stop.signal);
    if (runner) await work(settings, runner, stop.signal).finally(() => runner.close());
  } finally {
    if (process.connected) process.disconnect?.();
  }
}

/** Waits while Redis is away. @returns undefined if the signal aborts before. */
async function runnerWhenThere(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<Runner | undefined> {
  const [{ openRunner }, { untilRedis }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/redis/until-redis.ts'),
  ]);
  return untilRedis(() => openRunner(settings), note, signal);
}

export function registerPipeline(program: Command): void {
  program
    .command('pipeline', { hidden: true })
    .description('internal')
    .option('--backfills', 'runs the backfills alone')
    .option('--schedules', 'runs the schedules alone')
    .option('--load', 'loads the newest session into the sandbox')
    .option('--publish', 'publishes what was loaded')
    .action(pipeline);
}
