/** `corrections SYMBOL`: what publishes changed in its bars, when, and by which loads. */

import { type Command, Option } from 'commander';
import type { CorrectionsReport } from '../../../jobs/inspect/corrections-report.ts';
import { BAR_FIELDS } from '../../base/bars.ts';
import { countText } from '../../base/count-text.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type ModeOptions, modeOption, openVerb, wholeNumberFor } from '../options.ts';
import { tableLines } from '../output.ts';

const INTERVALS = ['1d', '1m', '5m'] as const;

interface CorrectionsOptions extends ModeOptions {
  interval: (typeof INTERVALS)[number];
  bars: number;
}

async function showCorrections(symbolText: string, options: CorrectionsOptions): Promise<void> {
  const { output, paths } = openVerb(options);
  const { correctionsReport } = await import('../../../jobs/inspect/corrections-report.ts');
  const name = canonicalSymbol(symbolText);
  const report = await correctionsReport(paths, name, options.interval, output.onWaiting);
  output.result({ mode: options.mode, ...report }, correctionLines(report, options));
}

type Change = CorrectionsReport['corrections'][number];

function correctionLines(
  { symbol, interval, corrections }: CorrectionsReport,
  { mode, bars: barsMax }: CorrectionsOptions,
): string[] {
  const title = `${symbol} ${interval} (${mode})`;
  if (corrections.length === 0) return [`${title}: no bar was changed since versions are kept`];
  const publishes = corrections.length === 1 ? 'publish' : 'publishes';
  return [
    `${title}: changed by ${countText(corrections.length)} ${publishes}`,
    ...corrections.flatMap((change) => [
      headLine(change),
      ...loadLines(change),
      ...barLines(change.bars, interval, barsMax),
    ]),
  ];
}

function headLine({ publishedAt, bars, olderSource, newerSource }: Change): string {
  const count = (isCounted: (bar: Change['bars'][number]) => boolean) =>
    countText(bars.filter(isCounted).length);
  const counts =
    `${count(({ older, newer }) => older !== null && newer !== null)} changed, ` +
    `${count(({ older }) => older === null)} added, ${count(({ newer }) => newer === null)} removed`;
  const [older, newer] = [olderSource ?? 'no source', newerSource ?? 'no source'];
  return `${publishedAt}: ${counts}; source ${older === newer ? newer : `${older}, then ${newer}`}`;
}

function loadLines({ loads }: Change): string[] {
  if (loads.length === 0) return ['  by no load: a load was removed, or a bar repaired'];
  return loads.map(({ seq, kind, source, origin, files }) => {
    if (kind === 'drop')
      return `  by load ${seq}, removed since: ${origin.replace(/^segment \S+ \S+: /, '')}`;
    if (kind !== 'load') return `  by command ${seq}: ${origin}`;
    const [first, ...more] = files;
    const others = more.length > 0 ? ` and ${countText(more.length)} more` : '';
    const file = first === undefined || origin.endsWith(first) ? '' : `, file ${first}${others}`;
    return `  by load ${seq}: ${source}, ${origin}${file}`;
  });
}

function barLines(bars: Change['bars'], interval: string, barsMax: number): string[] {
  const rows = bars.slice(0, barsMax).flatMap(({ timestamp, older, newer }) => {
    const when = interval === '1d' ? timestamp.slice(0, 10) : `${timestamp.slice(0, 16)}Z`;
    return BAR_FIELDS.filter((name) => older?.[name] !== newer?.[name]).map((name) => [
      when,
      name,
      String(older?.[name] ?? 'none'),
      String(newer?.[name] ?? 'none'),
    ]);
  });
  const left = bars.length - barsMax;
  return [
    ...tableLines([['TIME', 'FIELD', 'OLD', 'NEW'], ...rows]).map((line) => `  ${line}`),
    ...(left > 0 ? [`  and ${countText(left)} more bars: --bars shows more, --json all`] : []),
  ];
}

export function registerCorrections(program: Command): void {
  program
    .command('corrections')
    .description('list the bars of a symbol that were changed after they were served')
    .argument('<symbol>', 'symbol, in any spelling')
    .addOption(modeOption())
    .addOption(new Option('--interval <interval>', 'stored bars').choices(INTERVALS).default('1d'))
    .option('--bars <n>', 'bars of each publish to show', wholeNumberFor('--bars', 1), 10)
    .action(showCorrections);
}
