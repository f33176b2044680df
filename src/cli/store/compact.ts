/** `compact`: rewrites stored and published data into the fewest bytes and parts. */

import type { Command } from 'commander';
import type { CompactReport } from '../../../jobs/maintenance/compact.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { withProgress } from '../progress.ts';

interface CompactOptions {
  mode: string;
  full?: boolean;
  json?: boolean;
}

async function runCompact(options: CompactOptions): Promise<void> {
  const paths = modePaths(settingsFromEnv(process.env).dataDir, modeFromOption(options.mode));
  const output = createOutput(options.json === true);
  const { compact } = await import('../../../jobs/maintenance/compact.ts');
  const isFull = options.full === true;
  const report = await withProgress(output, (shown) =>
    compact(paths, { isFull }, { verb: 'compact', nowMs: Date.now(), ...shown }),
  );
  output.result(report, reportLines(report));
}

function reportLines({ storeBytes, servingBytes, publishedVersion }: CompactReport): string[] {
  const sizes = ({ before, after }: { before: number; after: number }) =>
    `${countText(before)} to ${countText(after)} bytes`;
  return [
    `store: ${sizes(storeBytes)}`,
    `published: ${sizes(servingBytes)} (version ${publishedVersion})`,
  ];
}

export function registerCompact(program: Command): void {
  program
    .command('compact')
    .description('rewrite the store to free disk space')
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--full', 'also publish all data again from the store')
    .option('--json', 'print one JSON document')
    .action(runCompact);
}
