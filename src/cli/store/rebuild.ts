/** `rebuild`: rebuilds the market store from its inputs. */

import type { Command } from 'commander';
import type { RebuildReport } from '../../../jobs/rebuild/rebuild.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { workPaths } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';

interface RebuildOptions {
  mode: string;
  partial?: boolean;
  json?: boolean;
}

async function runRebuild(options: RebuildOptions): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const progress = await createProgress(output.note);
  const { rebuild } = await import('../../../jobs/rebuild/rebuild.ts');
  try {
    const report = await rebuild(
      workPaths(settings, modeFromOption(options.mode)),
      { isPartial: options.partial === true },
      {
        settings,
        verb: 'rebuild',
        nowMs: Date.now(),
        onProgress: progress.report,
        onWaiting: (holder) => output.note(`waiting for ${holder}`),
      },
    );
    progress.stop();
    output.result(report, reportLines(report));
  } finally {
    progress.stop();
  }
}

function reportLines({ segments, lost, compared, publishedVersion }: RebuildReport): string[] {
  const unknown =
    'neither the old store nor what was published can be read: what has no record is not named';
  return [
    `${countText(segments)} segments loaded anew, published as version ${publishedVersion}`,
    ...(compared === 'nothing' ? [unknown] : []),
    ...lost.map(({ origin, reason }) => `lost: ${origin}: ${reason}`),
  ];
}

export function registerRebuild(program: Command): void {
  program
    .command('rebuild')
    .description('rebuild a damaged store from its original inputs')
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--partial', 'rebuild even if some inputs are lost')
    .option('--json', 'print one JSON document')
    .action(runRebuild);
}
