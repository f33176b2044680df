/** Runs `backfill`: reads its options, prints its outcome, stops on a signal. */

import { type Command, Option } from 'commander';
import { errorFrom } from '../../../jobs/contract/failure.ts';
import type { RunOutcome } from '../../../jobs/contract/runner.ts';
import { BASES, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { DECIMAL_MARKS } from '../../ingest/contract/choices.ts';
import type { SourceOptions } from '../../ingest/contract/source-options.ts';
import { dateOrderFromText } from '../../ingest/timing/date-format.ts';
import {
  acceptFromOption,
  apiAddress,
  dayFor,
  type ModeOptions,
  modeOption,
  openVerb,
  requireOrder,
  symbolsFromOption,
} from '../options.ts';
import type { Output } from '../output.ts';
import { untilStopSignal, withProgress } from '../progress.ts';
import { runningAddress } from '../start-note.ts';
import { reportLines, type TimedReport, timedReport } from './report.ts';

/** Failed jobs that are named; the JSON names all. */
const FAILED_JOBS_SHOWN = 10;

/** Options of the command, of which some have other names in `SourceOptions`. */
export interface BackfillOptions extends ModeOptions, SourceOptions {
  from?: number;
  to?: number;
  asOf?: bigint;
  dateFormat?: SourceOptions['dateOrder'];
  accept?: true | string[];
  plan?: boolean;
  sample?: boolean;
}

export async function runBackfill(source: string, options: BackfillOptions): Promise<void> {
  const { settings, output } = openVerb(options);
  const { mode, accept } = options;
  const startedMs = monotonicMs();
  const request = { mode, source, accept, options: sourceOptions(options) };
  const { backfillRequest } = await import('../../../jobs/runner/run-request.ts');
  const stopped = `backfill ${source} was stopped; run it again to continue`;
  await untilStopSignal(output, stopped, async (signal) => {
    const outcome = await withProgress(output, (shown) =>
      backfillRequest(request, { settings, ...shown, signal }),
    );
    const { report, lines } = reportOutcome(output, outcome, startedMs);
    output.result(report, lines);
  });
}

/**
 * Names failed jobs, and sets the exit code where something is missing.
 *
 * @param startedMs Start of the command, by `performance.now()`.
 * @returns the report and its lines, for the caller to print.
 * @throws the error of a load that failed, or of all tasks.
 */
export function reportOutcome(
  output: Output,
  outcome: RunOutcome,
  startedMs: number,
): { report: TimedReport; lines: string[] } {
  if ('failure' in outcome) throw outcome.cause ?? errorFrom(outcome.failure);
  const settings = settingsFromEnv(process.env);
  const running = runningAddress(settings.dataDir);
  const server = { address: running ?? apiAddress(settings), isRunning: running !== undefined };
  const report = timedReport(outcome.report, (monotonicMs() - startedMs) / 1000, server);
  const { segments, skipped, deadJobs } = report;
  if (segments === 0 && skipped.length === 0 && deadJobs.length > 0) throw errorFrom(deadJobs[0]);
  for (const { id, title, reason } of deadJobs.slice(0, FAILED_JOBS_SHOWN)) {
    output.note(`failed: ${title}: ${reason} (to retry: tapeworks jobs retry ${id})`);
  }
  const more = deadJobs.length - FAILED_JOBS_SHOWN;
  if (more > 0)
    output.note(`failed: ${countText(more)} more (to list them: tapeworks jobs list --dead)`);
  // A run fails where an input was refused, and where nothing at all was loaded.
  const isInPart = deadJobs.length > 0 || skipped.some(({ isRefused }) => isRefused);
  if (isInPart || (segments === 0 && skipped.length > 0)) process.exitCode = 1;
  return { report, lines: reportLines(report, server) };
}

export function sourceOptions(options: BackfillOptions): SourceOptions {
  const { mode, json, accept, plan, sample, from, to, asOf, dateFormat, ...rest } = options;
  requireOrder(from, to);
  return { ...rest, fromDay: from, toDay: to, asOfUs: asOf?.toString(), dateOrder: dateFormat };
}

function vintageFromOption(date: string): bigint {
  const ms = dayFromDate(date, '--as-of') * MILLIS_PER_DAY;
  // A vintage of the future would win over all others.
  if (ms > wallMs()) throw new UsageError(`--as-of must not be in the future, got "${date}"`);
  return BigInt(ms * MICROS_PER_MILLI);
}

/** Adds the options of every source. */
export function withCommonOptions(command: Command): Command {
  const basis = new Option(
    '--basis <basis>',
    'price adjustment of the input, if the source is wrong about it',
  );
  const asOf =
    'date the file was produced; of two files for a symbol the later one is served (default: date of the last bar)';
  const symbol = 'symbol of a single file, instead of its name';
  const order = 'order of ambiguous dates: mdy, dmy or ymd';
  const decimal = new Option('--decimal <mark>', 'decimal mark of numbers like 12,345');
  const withRows = command
    .addOption(modeOption())
    .option('--symbols <list>', 'only these symbols, comma-separated', symbolsFromOption)
    .option('--from <date>', 'first day, YYYY-MM-DD', dayFor('--from'))
    .option('--to <date>', 'last day, YYYY-MM-DD', dayFor('--to'))
    .addOption(basis.choices(BASES))
    .option('--as-of <date>', asOf, vintageFromOption)
    .option('--symbol <symbol>', symbol, (text) => canonicalSymbol(text))
    .option('--date-format <order>', order, dateOrderFromText)
    .addOption(decimal.choices(DECIMAL_MARKS))
    .option('--keep', 'keep a Parquet copy of local files');
  return withAcceptOption(withRows);
}

export function withAcceptOption(command: Command): Command {
  return command.option(
    '--accept [symbols]',
    'load what a sanity check held: all of it, or only these symbols, comma-separated',
    acceptFromOption,
  );
}
