/**
 * `explain SYMBOL DATE`: shows the origin of a daily bar and the bars it superseded. Reads only.
 */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { explainLines } from './explain-lines.ts';

interface ExplainOptions {
  mode: string;
  json?: boolean;
}

async function showExplanation(
  symbolText: string,
  date: string,
  options: ExplainOptions,
): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const mode = modeFromOption(options.mode);
  const [name, day] = [canonicalSymbol(symbolText), dayFromDate(date)];
  const { barReport } = await import('../../../jobs/inspect/bar-report.ts');
  const report = await barReport(modePaths(settings.dataDir, mode), name, day, (holder) =>
    output.note(`waiting for ${holder}`),
  );
  const { symbol, ...rest } = report;
  const document = { symbol, date, mode, ...rest };
  output.result(document, explainLines(document));
}

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('show where a daily bar comes from, and which other bars were not served')
    .argument('<symbol>', 'ticker, in any spelling: BRK.B, brk-b')
    .argument('<date>', 'day of the bar, YYYY-MM-DD')
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--json', 'print one JSON document')
    .action(showExplanation);
}
