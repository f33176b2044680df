/**
 * `pipeline`: the process that `start` runs next to the API. Hidden from the help.
 *
 * It loads data that people wait for, at normal priority. Its child `pipeline --round` fills the
 * sandbox and ends; `pipeline --schedules` runs the schedules at a lower priority.
 */

import { once } from 'node:events';
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
import { launchVerb, onStop, superviseVerb } from './supervise.ts';

interface PipelineOptions {
  schedules?: boolean;
  round?: boolean;
}

async function pipeline({ schedules, round }: PipelineOptions): Promise<void> {
  if (schedules) return runSchedulesAlone();
  if (round) return runRoundAlone();
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const isFilled = Promise.withResolvers<void>();
  try {
    const rounds = keepRounds(isFilled.resolve, stop);
    // From now on the API accepts backfills; they run after the first fill.
    const locking = lockBackfills(settings.dataDir, stop.signal);
    // `start` waits for the first fill, which runs alone.
    await Promise.race([rounds, isFilled.promise]);
    await Promise.all([
      rounds,
      runBackfills(settings, locking, note, stop.signal),
      superviseSchedules(settings, note, stop.signal),
      followPublishes(settings, note, stop.signal),
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

/**
 * Runs a round after each session until the signal aborts, in processes of their own: the memory of
 * a fill would stay for minutes, beside the process that makes files. A round that fails, and has
 * said why, ends this process: `start` starts it again.
 */
async function keepRounds(onFilled: () => void, stopping: AbortController): Promise<void> {
  const { signal } = stopping;
  const { untilNextClose } = await import('../../../jobs/schedule/pipeline.ts');
  while (!signal.aborted) {
    const { ended, stop } = launchVerb(['pipeline', '--round'], (report) => {
      if (process.connected) process.send?.(report);
      onFilled();
    });
    signal.addEventListener('abort', stop, { once: true });
    const how = await ended;
    signal.removeEventListener('abort', stop);
    if (how !== 'exit 0' && !signal.aborted) {
      if (!how.startsWith('exit')) note(`the round ended (${how})`);
      process.exitCode = 1;
      stopping.abort();
    }
    await untilNextClose(wallMs, signal);
  }
}

async function runRoundAlone(): Promise<void> {
  const { runRound } = await import('../../../jobs/schedule/pipeline.ts');
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const progress = createLineOfProgress('Preparing data', note);
  const [live, sandbox] = MODES.map((mode) => modePaths(settings.dataDir, mode));
  try {
    await runRound(
      { live, sandbox },
      {
        verb: 'pipeline',
        settings,
        nowMs: wallMs(),
        onProgress: progress.report,
        onWaiting(holder) {
          progress.stop();
          note(`waiting for ${holder}`);
        },
        onFilled(report) {
          progress.stop();
          if (process.connected) process.send?.(report);
        },
        onFailure(error) {
          if (!stop.signal.aborted) note(`live data could not be published: ${error}`);
        },
        signal: stop.signal,
      },
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.stop();
    // Stopped alone, it was no whole round: the pipeline ends too, and both begin again.
    if (stop.signal.aborted) process.exitCode = 1;
    if (process.connected) process.disconnect?.();
  }
}

/** Runs the backfills that clients request, and runs without an owner. */
async function runBackfills(
  settings: Settings,
  locking: ReturnType<typeof lockBackfills>,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { keepRuns } = await import('../../../jobs/runner/keep-runs.ts');
  const runner = await runnerWhenThere(settings, note, signal, { isKeeper: true });
  if (!runner) return;
  const taking = keepTaking(locking, settings, runner, note, signal);
  await Promise.all([keepRuns(runner, signal), taking]).finally(() => runner.close());
}

/** Runs the schedules in a process of their own until the signal aborts. */
async function superviseSchedules(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { configuredSchedules } = await import('../../../jobs/schedule/schedules.ts');
  if (signal.aborted || configuredSchedules(settings).length === 0) return;
  const child = superviseVerb(['pipeline', '--schedules'], { name: 'schedules', note });
  await once(signal, 'abort');
  await child.stop();
}

async function runSchedulesAlone(): Promise<void> {
  lowerPriority();
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const note = (line: string) => process.stderr.write(visible(`schedules: ${line}\n`));
  try {
    const runner = await runnerWhenThere(settings, note, stop.signal);
    if (runner) await runLogged(settings, runner, stop.signal).finally(() => runner.close());
  } finally {
    if (process.connected) process.disconnect?.();
  }
}

/** Waits while Redis is away. @returns undefined if the signal aborts before. */
async function runnerWhenThere(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
  options: { isKeeper?: boolean } = {},
): Promise<Runner | undefined> {
  const [{ openRunner }, { untilRedis }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/redis/until-redis.ts'),
  ]);
  return untilRedis(() => openRunner(settings, options), note, signal);
}

export function registerPipeline(program: Command): void {
  program
    .command('pipeline', { hidden: true })
    .description('internal')
    .option('--schedules', 'runs the schedules alone')
    .option('--round', 'fills the sandbox once')
    .action(pipeline);
}
