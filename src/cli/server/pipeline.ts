/** `pipeline`: the process that `start` runs next to the API. Hidden from the help. */

import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { MODES, modePaths } from '../../base/config/data-dir.ts';
import { runLogged } from '../jobs/schedule.ts';
import { createLineOfProgress } from '../progress.ts';
import { keepTaking, lockBackfills } from './backfills.ts';
import { followPublishes } from './keep-files.ts';
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
      followPublishes(settings, note, stop.signal),
    ]);
  } catch (error) {
    if (stop.signal.aborted) return;
    // Ends the other loops: `start` starts the process again, with all of them.
    stop.abort();
    throw error;
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
  const [{ openRunner }, { untilRedis }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/redis/until-redis.ts'),
  ]);
  const open = () => openRunner(settings, { isKeeper: true });
  const runner = await untilRedis(open, note, signal);
  if (!runner) return;
  const taking = keepTaking(locking, settings, runner, note, signal);
  await Promise.all([runLogged(settings, runner, signal), taking]).finally(() => runner.close());
}

export function registerPipeline(program: Command): void {
  program.command('pipeline', { hidden: true }).description('internal').action(pipeline);
}
