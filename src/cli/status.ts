/** `status`: what is published in each mode and how fresh it is. Opens no database. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../config.ts';
import { MODES, modePaths } from '../data-dir.ts';
import { countText, createOutput } from './output.ts';

async function showStatus(options: { json?: boolean }): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { readServingStatus } = await import('../store/serving/serving-status.ts');
  const { isOfOlderFormat } = await import('../store/serving/manifest.ts');
  const modes = MODES.map((mode) => {
    const { serving } = modePaths(settings.dataDir, mode);
    // Its status tells of files that are not served any more.
    const published = isOfOlderFormat(serving) ? undefined : readServingStatus(serving);
    return { mode, published: published ?? null };
  });
  const document = { dataDir: settings.dataDir, modes };
  const lines = modes.flatMap(({ mode, published }) => {
    if (!published) {
      const reasons = 'nothing published, or by an older Tapeworks, or its status is lost';
      return [`${mode}: ${reasons}: run a backfill`];
    }
    const { candles, intraday } = published.datasets;
    const { symbols, rows, newestBarEnd, staleSymbols } = candles;
    return [
      `${mode}: version ${published.version}, published ${published.publishedAt}`,
      `  candles: ${countText(symbols)} symbols, newest bar ended ${newestBarEnd ?? 'never'}, ` +
        `${countText(staleSymbols)} symbols are older`,
      ...Object.entries(rows).map(([interval, count]) => `  ${interval}: ${countText(count)} bars`),
      ...(intraday ? Object.entries(intraday) : []).map(
        ([interval, { symbols, rows, newestBarEnd }]) =>
          `  ${interval}: ${countText(rows)} bars of ${countText(symbols)} symbols, ` +
          `newest ended ${newestBarEnd ?? 'never'}`,
      ),
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
