/** `pipeline`: what `start` runs beside the API. Not for people, so it is not in the help. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../config.ts';
import { modePaths } from '../data-dir.ts';
import { createProgress } from './progress.ts';

async function pipeline(): Promise<void> {
  const { runPipeline } = await import('../../jobs/pipeline.ts');
  const settings = settingsFromEnv(process.env);
  const stop = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => stop.abort());
  const note = (line: string) => process.stderr.write(`pipeline: ${line}\n`);
  const progress = createProgress(note);
  try {
    await runPipeline(modePaths(settings.dataDir, 'sandbox'), {
      verb: 'pipeline',
      settings,
      clock: Date.now,
      onProgress: progress.report,
      onWaiting: (holder) => note(`waiting for ${holder}`),
      onRound(report) {
        progress.stop();
        process.send?.(report);
      },
      signal: stop.signal,
    });
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
