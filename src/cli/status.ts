/** `status`: what is published in each mode and how fresh it is. Opens no database. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../config.ts';
import { MODES, modePaths } from '../data-dir.ts';
import { countText, createOutput } from './output.ts';

async function showStatus(options: { json?: boolean }): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { readServingStatus } = await import('../store/serving/serving-status.ts');
  const modes = MODES.map((mode) => ({
    mode,
    published: readServingStatus(modePaths(settings.dataDir, mode).serving) ?? null,
  }));
  const document = { dataDir: settings.dataDir, modes };
  const lines = modes.flatMap(({ mode, published }) => {
    if (!published) return [`${mode}: nothing published, or its status is lost: run a backfill`];
    const { symbols, rows, newestBarEnd, staleSymbols } = published.datasets.candles;
    return [
      `${mode}: version ${published.version}, published ${published.publishedAt}`,
      `  candles: ${countText(symbols)} symbols, newest bar ended ${newestBarEnd ?? 'never'}, ` +
        `${countText(staleSymbols)} symbols are older`,
      ...Object.entries(rows).map(([interval, count]) => `  ${interval}: ${countText(count)} bars`),
    ];
  });
  createOutput(options.json === true).result(document, [`data: ${settings.dataDir}`, ...lines]);
}

export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('what is published in each mode, and how fresh it is')
    .option('--json', 'print one JSON document')
    .action(showStatus);
}
