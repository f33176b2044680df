/** `files`: makes the Parquet files of the published version now. */

import type { Command } from 'commander';
import { countText, manyText } from '../../base/count-text.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { untilStopSignal, withProgress } from '../progress.ts';

async function runFiles(options: ModeOptions): Promise<void> {
  const { output, paths } = openVerb(options);
  const { makeFiles } = await import('./make-files.ts');
  const stopped = 'files was stopped; run it again to continue';
  await untilStopSignal(output, stopped, async (signal) => {
    const made = await withProgress(output, ({ onProgress }) =>
      makeFiles(paths, { onProgress, signal }),
    );
    output.result(made, [
      made.version === ''
        ? `nothing is published in ${options.mode} mode yet`
        : `${manyText(made.files, 'file')} of ${manyText(made.bytes, 'byte')}, of which ` +
          `${countText(made.written)} are new (${manyText(made.writtenBytes, 'byte')})`,
    ]);
  });
}

export function registerFiles(program: Command): void {
  program
    .command('files')
    .description('make the Parquet files of the published data (start does so by itself)')
    .addOption(modeOption())
    .action(runFiles);
}
