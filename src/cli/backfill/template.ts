/** `template`: prints the header and an example row of a dataset's file. */

import type { Command } from 'commander';
import { createOutput } from '../output.ts';

async function printTemplate(dataset: string, options: { json?: boolean }): Promise<void> {
  const { templateText } = await import('../../ingest/rows/template.ts');
  const text = templateText(dataset);
  createOutput(options.json).result({ dataset, text }, text.trimEnd().split('\n'));
}

export function registerTemplate(program: Command): void {
  program
    .command('template')
    .description('print a CSV header and an example row for a dataset')
    .argument('<dataset>', 'candles, statements, news, ... (backfill files --help lists all)')
    .action(printTemplate);
}
