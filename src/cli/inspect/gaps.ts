/** `gaps`: sessions without a bar, series that have stopped, and suspicious bars. Reads only. */

import type { Command } from 'commander';
import type { QualityReport } from '../../../jobs/inspect/quality-report.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { QualityFlag } from '../../compute/quality/quality-flag.ts';
import { type ModeOptions, modeOption, openVerb, symbolsFromOption } from '../options.ts';
import { type GapsDocument, gapsLines, type SeriesDocument } from './gaps-lines.ts';

/** Flags in the order of the output; holes have their own list. */
const FLAGS = [
  'unit-jump',
  'missing-split',
  'doubled-split',
  'stray-price',
  'closed-day',
  'volume-outlier',
  'unchanged-run',
] as const satisfies readonly QualityFlag['flag'][];

interface GapsOptions extends ModeOptions {
  symbols?: string[];
  flags?: boolean;
}

async function showGaps(options: GapsOptions): Promise<void> {
  const { output, paths } = openVerb(options);
  const { mode, symbols } = options;
  const { qualityReport } = await import('../../../jobs/inspect/quality-report.ts');
  const withFlags = options.flags === true;
  const report = await qualityReport(paths, {
    symbols,
    withFlags,
    onWaiting: output.onWaiting,
  });
  const document = gapsDocument(report, mode, withFlags);
  output.result(document, gapsLines(document));
}

/** Builds the document, with dates instead of day numbers, and totals. */
function gapsDocument(report: QualityReport, mode: string, withFlags: boolean): GapsDocument {
  const { symbolCount, barCount, newestDay, notFound } = report;
  const series = report.series.map(
    (one): SeriesDocument => ({
      symbol: one.symbol,
      source: one.source,
      basis: one.basis,
      bars: one.barCount,
      firstBar: dateFromDay(one.firstDay),
      lastBar: dateFromDay(one.lastDay),
      sessionsBehind: one.sessionsBehind,
      stopped: one.hasStopped,
      missingSessions: one.missingSessions,
      holeCount: one.holeCount,
      flagCounts: one.flagCounts,
      listed: one.isListed,
      holes: one.holes.map(({ fromDay, toDay, sessions }) => ({
        from: dateFromDay(fromDay),
        to: dateFromDay(toDay),
        sessions,
      })),
      flags: one.flags.map(({ fromDay, toDay, flag, value, expected }) => ({
        flag,
        from: dateFromDay(fromDay),
        to: dateFromDay(toDay),
        value,
        expected,
      })),
    }),
  );
  const sum = (countOf: (one: SeriesDocument) => number) =>
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
    flags: withFlags
      ? Object.fromEntries(FLAGS.map((name) => [name, sum((one) => one.flagCounts[name] ?? 0)]))
      : null,
    series,
  };
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
    .option('--json', 'print one JSON document with the full lists')
    .action(showGaps);
}
