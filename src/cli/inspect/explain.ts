/** `explain SYMBOL DATE`: the origin of a daily bar, and the bars it superseded. */

import type { Command } from 'commander';
import type { BarDocument, BarReport, Prices } from '../../../jobs/inspect/bar-report.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { readingText } from '../../ingest/contract/reading-of-files.ts';
import type { LossReason } from '../../store/duckdb/segments/explain-bar.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { shortNumber, tableLines } from '../output.ts';

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

/** Explains why a stored bar is not served. */
function reasonText(
  other: BarDocument & { reason: LossReason },
  served: BarDocument | null,
): string {
  const { origin, source, basis, file } = other;
  const isSameFile = origin === served?.origin && file.path === served.file.path;
  switch (other.reason) {
    case 'repaired':
      return 'the bar was repaired, and a repair wins over all sources';
    case 'removed':
      return source === 'repair'
        ? 'it removed the bar of the day'
        : 'the bar was removed by a repair, which wins over all sources';
    case 'lesser-source':
      return `a source that ranks lower (${served?.source} before ${source})`;
    case 'older-vintage':
    case 'older-file':
      if (isSameFile) return `an older version of the same file${changedText(file)}`;
      if (other.reason === 'older-file')
        return `an older file of the same source${changedText(file)}`;
      return file.lastDay === null
        ? `an older file of the same source (as of ${other.asOf.slice(0, 10)})`
        : `an older file of the same source (its last day is ${file.lastDay})`;
    case 'undecided':
      return (
        'its file is as new as the served one, so nothing tells which is right: ' +
        'touch the right file, or give --as-of with a later date, and load it again'
      );
    case 'other-basis':
      return `its prices are adjusted in another way (basis ${basis}), and two ways are never mixed`;
    case 'does-not-join':
      return (
        'its file has fewer than 5 days in common with the served ones, or differs there by ' +
        'more than 0.1 %, so the two were not joined'
      );
    case 'not-merged':
      return 'the served series has no bar this day, and bars of other files do not fill it';
  }
}

/** Formats the modification time in UTC, to the minute. */
function changedText({ modifiedAt }: BarDocument['file']): string {
  return modifiedAt === null ? '' : ` (changed ${modifiedAt.slice(0, 16).replace('T', ' ')} UTC)`;
}

/** A report with its day and mode. */
type ExplainDocument = BarReport & { date: string; mode: string };

function explainLines(document: ExplainDocument): string[] {
  const { symbol, date, mode } = document;
  return [
    `${symbol} ${date} (${mode}): ${statusText(document)}`,
    ...barLines(document),
    ...actionLines(document),
    ...supersededLines(document),
    ...document.flags.map(({ flag, from, to, value, expected }) => {
      const days = from === to ? from : `${from} to ${to}`;
      return `flag ${flag}: ${days}, value ${shortNumber(value)}, expected ${shortNumber(expected)}`;
    }),
  ];
}

function statusText({ status, firstBar, lastBar, hole, bar }: ExplainDocument): string {
  switch (status) {
    case 'served':
      return `served from ${bar!.source}`;
    case 'not-a-session':
      return 'no bar: the exchange was closed';
    case 'before-first-bar':
      return `no bar: the first one is on ${firstBar}`;
    case 'after-last-bar':
      return `no bar: the last one is on ${lastBar}`;
    case 'gap':
      return hole
        ? `no bar: none from ${hole.from} to ${hole.to}, ` +
            `${hole.sessions === 1 ? '1 session' : `${countText(hole.sessions)} sessions`}`
        : 'no bar, and the exchange calendar does not cover this day';
  }
}

function barLines({ bar, adjusted }: ExplainDocument): string[] {
  if (!bar) return [];
  const lines = originLines(bar);
  if (bar.factor !== 1) {
    lines.push(`  prices × ${bar.factor}: this file continues another one, at that one's level`);
  }
  const served = adjusted.find(({ adjustment }) => adjustment === bar.basis);
  const divisor = served ? bar.stored.volume / served.volume : 1;
  if (bar.basis !== 'raw' && Number.isFinite(divisor) && divisor !== 1) {
    const rounded = Number(divisor.toPrecision(6));
    lines.push(
      `  volume ÷ ${rounded}: the file has ${bar.stored.volume}, and only splits are left`,
    );
  }
  const rows = adjusted.map(({ adjustment, ...prices }) => [
    adjustment === bar.basis ? `${adjustment} (stored)` : adjustment,
    ...priceCells(prices),
  ]);
  const heading = ['BASIS', 'OPEN', 'HIGH', 'LOW', 'CLOSE', 'VOLUME'];
  return [...lines, ...tableLines([heading, ...rows]).map((line) => `  ${line}`)];
}

function originLines({ source, basis, asOf, segment, origin, file }: BarDocument): string[] {
  const { path, lines, accepted, rejected, reading } = file;
  return [
    `  source ${source}, basis ${basis}, as of ${asOf}`,
    `  segment ${segment}`,
    `  origin ${origin}`,
    `  file ${path}: ${manyText(lines, 'line')}, ${countText(accepted)} accepted, ` +
      `${countText(rejected)} refused`,
    ...(reading === null ? [] : [`  read as ${readingText(reading)}`]),
  ];
}

function priceCells({ open, high, low, close, volume }: Prices): string[] {
  return [open, high, low, close, volume].map(String);
}

function actionLines({ bar, factors, actionsAfter, actionCoverage }: ExplainDocument): string[] {
  if (!bar) return [];
  if (actionCoverage.length === 0) return ['splits and dividends: none are known'];
  const covered = actionCoverage.map(
    ({ source, from, to, covers }) =>
      `${source} ${from} to ${to}${covers ? ` (${covers}s only)` : ''}`,
  );
  const [split, dividend] = [factors.split, factors.dividend].map((f) => f ?? 'unknown');
  return [
    `splits and dividends known from: ${covered.join(', ')}`,
    `  factors from this day to today: splits ${split}, dividends ${dividend}`,
    ...actionsAfter.map(
      ({ type, exDate, numerator, denominator, amount, currency, source, inForce }) =>
        `  ${exDate} ${type} ${type === 'split' ? `${numerator}:${denominator}` : amount}` +
        `${currency === undefined ? '' : ` ${currency}, not used`}` +
        ` (${source}${inForce ? '' : ', announced'})`,
    ),
  ];
}

function supersededLines({ rivals, bar }: ExplainDocument): string[] {
  if (rivals.length === 0) return ['no other bar of this day is stored'];
  const others = rivals.length === 1 ? 'bar' : 'bars';
  return [
    `${countText(rivals.length)} other stored ${others} of this day:`,
    ...rivals.flatMap((other) => {
      const [open, high, low, close, volume] = priceCells(other.stored);
      return [
        `- not served: ${reasonText(other, bar)}`,
        ...originLines(other),
        `  open ${open}, high ${high}, low ${low}, close ${close}, volume ${volume}`,
      ];
    }),
  ];
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
