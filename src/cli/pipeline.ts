/** `pipeline`: what `start` runs beside the API. Not for people, so it is not in the help. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../config.ts';
import { MODES, modePaths } from '../data-dir.ts';
import { createProgress } from './progress.ts';

async function pipeline(): Promise<void> {
  const { runPipeline } = await import('../../jobs/pipeline.ts');
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => stop.abort());
  const note = (line: string) => process.stderr.write(`pipeline: ${line}\n`);
  const progress = createProgress(note);
  try {
    const [live, sandbox] = MODES.map((mode) => modePaths(settings.dataDir, mode));
    await runPipeline(
      { live, sandbox },
      {
        verb: 'pipeline',
        settings,
        clock: Date.now,
        onProgress: progress.report,
        onWaiting: (holder) => note(`waiting for ${holder}`),
        onRound(report) {
          progress.stop();
          process.send?.(report);
        },
        onFailure(error) {
          if (!stop.signal.aborted) note(`live data are not published anew: ${error}`);
        },
        signal: stop.signal,
      },
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.stop();
    // Its end must not wait for the supervisor to close the channel.
    process.disconnect?.();
  }
}

export function registerPipeline(program: Command): void {
  program.command('pipeline', { hidden: true }).description('internal').action(pipeline);
}
