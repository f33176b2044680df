/** `compact`: rewrites stored and published data into the fewest bytes and parts. */

import type { Command } from 'commander';
import type { CompactReport } from '../../../jobs/maintenance/compact.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { withProgress } from '../progress.ts';

async function runCompact(options: ModeOptions & { full?: boolean }): Promise<void> {
  const { output, paths } = openVerb(options);
  const { compact } = await import('../../../jobs/maintenance/compact.ts');
  const isFull = options.full === true;
  const report = await withProgress(output, (shown) =>
    compact(paths, { isFull }, { verb: 'compact', nowMs: wallMs(), ...shown }),
  );
  output.result(report, reportLines(report));
}

function reportLines({ storeBytes, servingBytes, publishedVersion }: CompactReport): string[] {
  const sizes = ({ before, after }: { before: number; after: number }) =>
    `${countText(before)} to ${manyText(after, 'byte')}`;
  return [
    `store: ${sizes(storeBytes)}`,
    `published: ${sizes(servingBytes)} (version ${publishedVersion})`,
  ];
}

export function registerCompact(program: Command): void {
  program
    .command('compact')
    .description('rewrite the store to free disk space')
    .addOption(modeOption())
    .option('--full', 'also publish all data again from the store')
    .action(runCompact);
}
