/** `rebuild`: rebuilds the market store from its inputs. */

import type { Command } from 'commander';
import type { RebuildReport } from '../../../jobs/rebuild/rebuild.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { workPaths } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { withProgress } from '../progress.ts';

interface RebuildOptions {
  mode: string;
  partial?: boolean;
  json?: boolean;
}

async function runRebuild(options: RebuildOptions): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const paths = workPaths(settings, modeFromOption(options.mode));
  const { rebuild } = await import('../../../jobs/rebuild/rebuild.ts');
  const isPartial = options.partial === true;
  const report = await withProgress(output, (shown) =>
    rebuild(paths, { isPartial }, { settings, verb: 'rebuild', nowMs: Date.now(), ...shown }),
  );
  output.result(report, reportLines(report));
}

function reportLines({ segments, lost, compared, publishedVersion }: RebuildReport): string[] {
  const unknown =
    'neither the old store nor the published data can be read: losses without a record are unknown';
  return [
    `${countText(segments)} segments loaded again, published as version ${publishedVersion}`,
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
