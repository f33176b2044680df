/**
 * `explain SYMBOL DATE`: shows the origin of a daily bar and the bars it superseded. Reads only.
 */

import type { Command } from 'commander';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { explainLines } from './explain-lines.ts';

async function showExplanation(
  symbolText: string,
  date: string,
  options: ModeOptions,
): Promise<void> {
  const { output, paths } = openVerb(options);
  const [name, day] = [canonicalSymbol(symbolText), dayFromDate(date)];
  const { barReport } = await import('../../../jobs/inspect/bar-report.ts');
  const report = await barReport(paths, name, day, output.onWaiting);
  const { symbol, ...rest } = report;
  const document = { symbol, date, mode: options.mode, ...rest };
  output.result(document, explainLines(document));
}

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('show where a daily bar comes from, and which other bars were not served')
    .argument('<symbol>', 'ticker, in any spelling: BRK.B, brk-b')
    .argument('<date>', 'day of the bar, YYYY-MM-DD')
    .addOption(modeOption())
    .action(showExplanation);
}
