/** `rebuild`: rebuilds the market store from its inputs. */

import type { Command } from 'commander';
import type { RebuildReport } from '../../../jobs/rebuild/rebuild.ts';
import { countText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { withProgress } from '../progress.ts';

async function runRebuild(options: ModeOptions & { partial?: boolean }): Promise<void> {
  const { settings, output, paths } = openVerb(options);
  const { rebuild } = await import('../../../jobs/rebuild/rebuild.ts');
  const isPartial = options.partial === true;
  const report = await withProgress(output, (shown) =>
    rebuild(paths, { isPartial }, { settings, verb: 'rebuild', nowMs: wallMs(), ...shown }),
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
    .addOption(modeOption())
    .option('--partial', 'rebuild even if some inputs are lost')
    .action(runRebuild);
}
