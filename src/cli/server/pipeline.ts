/** `pipeline`: the process that `start` runs next to the API. Hidden from the help. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { MODES, modePaths } from '../../base/config/data-dir.ts';
import { QueueUnavailableError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { runLogged } from '../jobs/schedule.ts';
import { createLineOfProgress } from '../progress.ts';
import { keepTaking, lockBackfills } from './backfills.ts';
import { keepFiles } from './keep-files.ts';
import { lowerPriority } from './priority.ts';
import { onStop } from './supervise.ts';

async function pipeline(): Promise<void> {
  const { runPipeline } = await import('../../../jobs/schedule/pipeline.ts');
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const note = (line: string) => process.stderr.write(`pipeline: ${line}\n`);
  const progress = createLineOfProgress('Preparing data', note);
  const isFilled = Promise.withResolvers<void>();
  try {
    const [live, sandbox] = MODES.map((mode) => modePaths(settings.dataDir, mode));
    const rounds = runPipeline(
      { live, sandbox },
      {
        verb: 'pipeline',
        settings,
        clock: Date.now,
        onProgress: progress.report,
        onWaiting(holder) {
          progress.stop();
          note(`waiting for ${holder}`);
        },
        onRound(report) {
          progress.stop();
          if (process.connected) process.send?.(report);
          isFilled.resolve();
        },
        onFailure(error) {
          if (!stop.signal.aborted) note(`live data could not be published: ${error}`);
        },
        signal: stop.signal,
      },
    );
    // From now on the API accepts backfills; they run after the first fill.
    const locking = lockBackfills(settings.dataDir, stop.signal);
    // `start` waits for the first fill, which runs alone.
    await Promise.race([rounds, isFilled.promise]);
    lowerPriority();
    await Promise.all([
      rounds,
      runJobs(settings, locking, note, stop.signal),
      keepFiles(settings, note, stop.signal),
    ]);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.stop();
    // The process must end without waiting for the supervisor to close the channel.
    if (process.connected) process.disconnect?.();
  }
}

/** Runs the schedules and the backfills that clients request; waits while Redis is away. */
async function runJobs(
  settings: Settings,
  locking: ReturnType<typeof lockBackfills>,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { openRunner } = await import('../../../jobs/runner/open-runner.ts');
  let isSaid = false;
  while (!signal.aborted) {
    try {
      const runner = await openRunner(settings, { isKeeper: true });
      const taking = locking.then(
        (release) => release && keepTaking(settings, runner, note, signal),
      );
      try {
        await Promise.all([runLogged(settings, runner, signal), taking]);
      } finally {
        await runner.close();
      }
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      if (!isSaid) note(`jobs wait: ${error.message}`);
      isSaid = true;
      await delay(limits.pipeline.clockCheckMs, undefined, { signal }).catch(() => undefined);
    }
  }
  (await locking)?.();
}

export function registerPipeline(program: Command): void {
  program.command('pipeline', { hidden: true }).description('internal').action(pipeline);
}
