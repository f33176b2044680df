/** `gaps`: sessions without a bar, series that have stopped, and suspicious bars. Reads only. */

import type { Command } from 'commander';
import type { QualityReport } from '../../../jobs/inspect/quality-report.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { existsSync, writeFileSync } from '../../base/world/files.ts';
import type { QualityFlag } from '../../compute/quality/quality-flag.ts';
import { type ModeOptions, modeOption, openVerb, symbolsFromOption } from '../options.ts';
import { shortNumber, tableLines } from '../output.ts';
import type { Finding } from '../store/repair-file.ts';

/** Flags in the order of the output; holes have their own list. */
const FLAGS = [
  'unit-jump',
  'missing-split',
  'doubled-split',
  'unlikely-dividend',
  'stray-price',
  'out-of-line',
  'closed-day',
  'volume-outlier',
  'repeated-bar',
  'unchanged-run',
] as const satisfies readonly QualityFlag['flag'][];

interface GapsOptions extends ModeOptions {
  symbols?: string[];
  flags?: boolean;
  /** File to write. */
  fix?: string;
}

async function showGaps(options: GapsOptions): Promise<void> {
  const { output, paths } = openVerb(options);
  const { mode, symbols } = options;
  const { qualityReport } = await import('../../../jobs/inspect/quality-report.ts');
  const withFlags = options.flags === true;
  if (options.fix !== undefined) requireNewFile(options.fix, withFlags);
  const report = await qualityReport(paths, {
    symbols,
    withFlags,
    withBars: options.fix !== undefined,
    onWaiting: output.onWaiting,
  });
  const document = gapsDocument(report, mode, withFlags);
  if (options.fix === undefined) {
    output.result(document, gapsLines(document));
    return;
  }
  const { repairFileText } = await import('../store/repair-file.ts');
  const findings = report.series.flatMap(findingsOf);
  writeFileSync(options.fix, repairFileText(findings));
  output.result({ ...document, fix: { path: options.fix, findings: findings.length } }, [
    ...gapsLines(document),
    '',
    ...fixLines(options.fix, findings, report),
  ]);
}

/** @throws {UsageError} the file exists, or would have no flags. */
function requireNewFile(path: string, withFlags: boolean): void {
  if (!withFlags) throw new UsageError('--fix writes the flags: give --flags, too');
  if (existsSync(path)) {
    throw new UsageError(`"${path}" exists and may be edited: give another name, or move it away`);
  }
}

/** Returns a finding for each flagged bar of a series. */
function findingsOf({ symbol, basis, flags, flaggedBars }: QualityReport['series'][number]) {
  const marked = flags.map((one, i) => ({ ...one, bar: flaggedBars[i] }));
  return [...Map.groupBy(marked, ({ fromDay }) => fromDay)].map(([day, ofDay]): Finding => {
    const { proposed: _, isToRemove: __, ...stored } = ofDay[0].bar;
    const isRemoved = ofDay.some(({ bar }) => bar.isToRemove === true);
    return {
      ...{ symbol, basis, stored, date: dateFromDay(day) },
      flag: ofDay.map(({ flag }) => flag).join(' '),
      proposed: isRemoved ? {} : Object.assign({}, ...ofDay.map(({ bar }) => bar.proposed)),
      isRemoved,
    };
  });
}

function fixLines(path: string, findings: readonly Finding[], { series }: QualityReport): string[] {
  const proposed = findings.filter((one) => Object.keys(one.proposed).length > 0).length;
  const removed = findings.filter(({ isRemoved }) => isRemoved).length;
  const full = series.filter(({ isListed }) => !isListed).length;
  return [
    `${path}: ${manyText(findings.length, 'bar')}, ${countText(proposed)} with proposed values` +
      `${removed > 0 ? `, ${countText(removed)} to remove` : ''}; ` +
      `edit the columns new_…${removed > 0 ? ' and remove' : ''}, then npx tapeworks repair --file ${path} --plan`,
    ...(full > 0 ? [`without the flags of ${manyText(full, 'symbol')}: give --symbols`] : []),
  ];
}

type GapsDocument = ReturnType<typeof gapsDocument>;

/** Returns one series with something to report, with dates instead of day numbers. */
function seriesDocument(one: QualityReport['series'][number]) {
  const dates = (fromDay: number, toDay: number) => ({
    from: dateFromDay(fromDay),
    to: dateFromDay(toDay),
  });
  const { symbol, source, basis, sessionsBehind, missingSessions, holeCount, flagCounts } = one;
  return {
    ...{ symbol, source, basis, bars: one.barCount },
    firstBar: dateFromDay(one.firstDay),
    lastBar: dateFromDay(one.lastDay),
    ...{ sessionsBehind, stopped: one.hasStopped, missingSessions, holeCount, flagCounts },
    /** False if the report was full: holes and flags are then only counted. */
    listed: one.isListed,
    holes: one.holes.map(({ fromDay, toDay, sessions }) => ({
      ...dates(fromDay, toDay),
      sessions,
    })),
    flags: one.flags.map(({ fromDay, toDay, flag, value, expected }) => ({
      ...{ flag, ...dates(fromDay, toDay), value, expected },
    })),
  };
}

/** Builds the document with its totals. */
function gapsDocument(report: QualityReport, mode: string, withFlags: boolean) {
  const { symbolCount, barCount, newestDay, notFound } = report;
  const series = report.series.map(seriesDocument);
  const sum = (countOf: (one: (typeof series)[number]) => number) =>
    series.reduce((total, one) => total + countOf(one), 0);
  return {
    mode,
    symbols: symbolCount,
    bars: barCount,
    newestBar: newestDay === undefined ? null : dateFromDay(newestDay),
    notFound,
    missing: {
      sessions: sum(({ missingSessions }) => missingSessions),
      holes: sum(({ holeCount }) => holeCount),
      symbols: sum(({ holeCount }) => Number(holeCount > 0)),
    },
    stopped: sum(({ stopped }) => Number(stopped)),
    /** Number of each flag; null without `--flags`. */
    flags: withFlags
      ? Object.fromEntries(FLAGS.map((name) => [name, sum((one) => one.flagCounts[name] ?? 0)]))
      : null,
    series,
  };
}

function gapsLines(document: GapsDocument): string[] {
  const { mode, symbols, bars, newestBar, notFound, missing, stopped, flags, series } = document;
  const lines = [
    `${mode}: ${manyText(symbols, 'symbol')}, ${countText(bars)} daily bars, newest ${newestBar ?? 'none'}`,
    `missing: ${countText(missing.sessions)} sessions in ${countText(missing.holes)} holes of ` +
      `${manyText(missing.symbols, 'symbol')}`,
    `stopped: ${manyText(stopped, 'symbol')} end more than ${limits.quality.sessionsBehindMax} ` +
      'sessions before the newest bar',
  ];
  if (flags) {
    const counts = Object.entries(flags).map(([name, count]) => `${countText(count)} ${name}`);
    lines.push(`flags: ${counts.join(', ')}`);
  }
  if (notFound.length > 0) {
    const { listedMax } = limits.quality;
    const more = moreLines(notFound.length - listedMax);
    lines.push(['no daily bars of:', notFound.slice(0, listedMax).join(', '), ...more].join(' '));
  }
  lines.push(...holeLines(document), ...stoppedLines(document));
  for (const [name, count] of Object.entries(flags ?? {})) {
    lines.push(...flagLines(series, name, count));
  }
  return lines;
}

function holeLines({ series, missing }: GapsDocument): string[] {
  const rows = series.flatMap(({ symbol, holes }) =>
    holes.map(({ from, to, sessions }) => ({
      cells: [symbol, from, to, String(sessions)],
      sessions,
    })),
  );
  rows.sort((a, b) => b.sessions - a.sessions);
  const cells = [['SYMBOL', 'FROM', 'TO', 'SESSIONS'], ...rows.map((row) => row.cells)];
  return sectionLines('holes, longest first', cells, missing.holes);
}

function stoppedLines({ series }: GapsDocument): string[] {
  const rows = series
    .filter(({ stopped }) => stopped)
    .sort((a, b) => a.sessionsBehind - b.sessionsBehind)
    .map(({ symbol, lastBar, sessionsBehind, source }) => [
      symbol,
      lastBar,
      String(sessionsBehind),
      source,
    ]);
  const heading = ['SYMBOL', 'LAST BAR', 'SESSIONS BEHIND', 'SOURCE'];
  return sectionLines('stopped, latest first', [heading, ...rows], rows.length);
}

function flagLines(series: GapsDocument['series'], name: string, count: number): string[] {
  const rows = series.flatMap(({ symbol, flags }) =>
    flags
      .filter(({ flag }) => flag === name)
      .map(({ from, to, value, expected }) => [
        symbol,
        from,
        to,
        shortNumber(value),
        shortNumber(expected),
      ]),
  );
  const heading = ['SYMBOL', 'FROM', 'TO', 'VALUE', 'EXPECTED'];
  return sectionLines(name, [heading, ...rows], count);
}

/** Formats a titled table of at most `limits.quality.listedMax` of `count` rows. */
function sectionLines(title: string, table: readonly string[][], count: number): string[] {
  if (count === 0) return [];
  const { listedMax } = limits.quality;
  const shown = table.slice(0, listedMax + 1);
  return ['', title, ...tableLines(shown), ...moreLines(count - shown.length + 1)];
}

function moreLines(leftOut: number): string[] {
  return leftOut > 0 ? [`… and ${countText(leftOut)} more`] : [];
}

export function registerGaps(program: Command): void {
  program
    .command('gaps')
    .description('list missing sessions, stopped series and, with --flags, suspicious bars')
    .addOption(modeOption())
    .option('--symbols <list>', 'only these symbols, comma-separated', symbolsFromOption)
    .option(
      '--flags',
      'also look for jumps, wrong splits, stray prices, closed days, repeated bars and odd volumes',
    )
    .option('--fix <file>', 'write the flags to a file to edit and give to repair --file')
    .option('--json', 'print one JSON document with the full lists')
    .action(showGaps);
}
