/** `template`: the header and an example row of a dataset's file. */

import type { Command } from 'commander';
import { createOutput } from './output.ts';

async function printTemplate(dataset: string, options: { json?: boolean }): Promise<void> {
  const { templateText } = await import('../ingest/template.ts');
  const text = templateText(dataset);
  createOutput(options.json === true).result({ dataset, text }, text.trimEnd().split('\n'));
}

export function registerTemplate(program: Command): void {
  program
    .command('template')
    .description('print the header of a dataset file, with one example row')
    .argument('<dataset>', 'candles or another dataset')
    .option('--json', 'print one JSON document')
    .action(printTemplate);
}
