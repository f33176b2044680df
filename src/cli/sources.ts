/** `sources`: lists the sources with their data, costs and terms. */

import type { Command } from 'commander';
import type { Source } from '../ingest/contract/source.ts';
import { createOutput } from './output.ts';

async function listSources(options: { json?: boolean }): Promise<void> {
  const { sources } = await import('../ingest/sources/sources.ts');
  const lines = sources.flatMap((source) => [
    `${source.id}: ${source.title}`,
    `  gives: ${source.datasets.join(', ')}`,
    `  history: ${source.history}`,
    `  delay: ${source.delay}`,
    `  cost: ${source.cost}`,
    `  key needed: ${source.keyNeeded ? 'yes' : 'no'}`,
    `  terms: ${source.terms}`,
    `  may be redistributed: ${source.redistribution}`,
    `  tried against: ${source.verified}`,
  ]);
  createOutput(options.json).result(sources.map(reportOf), lines);
}

/** Lists the facts of a source, without those that only the program needs. */
function reportOf({ id, title, datasets, history, delay, cost, ...source }: Source) {
  const { keyNeeded, terms, redistribution, verified, host: vendor } = source;
  const facts = { keyNeeded, terms, redistribution, verified, vendor };
  return { id, title, datasets, history, delay, cost, ...facts };
}

export function registerSources(program: Command): void {
  program
    .command('sources')
    .description('list the sources: data, history, delay, cost, terms')
    .action(listSources);
}
