/** Runs `backfill`: reads its options, prints its outcome, stops on a signal. */

import { type Command, Option } from 'commander';
import { errorFrom } from '../../../jobs/contract/failure.ts';
import type { RunReport } from '../../../jobs/contract/reports.ts';
import type { RunOutcome } from '../../../jobs/contract/runner.ts';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import type {
  BaseInterval,
  DateOrder,
  SourceOptions,
} from '../../ingest/contract/source-options.ts';
import { dateOrderFromText } from '../../ingest/files/date-format.ts';
import { reportChanges } from '../../store/duckdb/connection/writer-lock.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput, type Output } from '../output.ts';
import { createProgress } from '../progress.ts';
import { reportLines, type TimedReport, timedReport } from './report.ts';

/** Failed jobs that are named; the JSON names all. */
const FAILED_JOBS_SHOWN = 10;

export interface BackfillOptions {
  mode: string;
  symbols?: string;
  from?: string;
  to?: string;
  basis?: Basis;
  asOf?: string;
  symbol?: string;
  dateFormat?: DateOrder;
  interval?: BaseInterval;
  zone?: string;
  stamps?: 'start' | 'end';
  keep?: boolean;
  accept?: boolean;
  plan?: boolean;
  bulk?: boolean;
  json?: boolean;
  /** Input of sources that take one as their argument, or several. */
  path?: string;
  paths?: readonly string[];
  /** Dataset of sources that have several. */
  dataset?: string;
}

/**
 * @param source Name in the table of sources.
 * @param own Options of this source only.
 */
export async function runBackfill(
  source: string,
  options: BackfillOptions,
  own: SourceOptions = {},
): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const mode = modeFromOption(options.mode);
  const { accept } = options;
  const startedMs = performance.now();
  const request = { mode, source, accept, options: { ...sourceOptions(options), ...own } };
  const progress = await createProgress(output.note);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { backfillRequest } = await import('../../../jobs/runner/run-request.ts');
  try {
    const outcome = await backfillRequest(request, {
      settings,
      onProgress: progress.report,
      onWaiting: reportChanges((whom) => output.note(`waiting for ${whom}`)),
      signal: stop.signal,
    });
    progress.stop();
    const { report, lines } = reportOutcome(output, outcome, startedMs);
    output.result(report, lines);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    output.note(`backfill ${source} was stopped; run it again to continue`);
    process.exitCode = 1;
  } finally {
    progress.stop();
  }
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
  const report = timedReport(outcome.report, (performance.now() - startedMs) / 1000);
  const { segments, skipped, deadJobs } = report;
  if (segments === 0 && skipped.length === 0 && deadJobs.length > 0) throw errorFrom(deadJobs[0]);
  noteFailed(output, deadJobs);
  // A run fails where an input was refused, and where nothing at all was loaded.
  const isInPart = deadJobs.length > 0 || skipped.some(({ isRefused }) => isRefused);
  if (isInPart || (segments === 0 && skipped.length > 0)) process.exitCode = 1;
  return { report, lines: reportLines(report) };
}

export function sourceOptions(options: BackfillOptions): SourceOptions {
  if (options.from !== undefined && options.to !== undefined && options.from > options.to) {
    throw new UsageError(`--from must not be after --to, got "${options.from}", "${options.to}"`);
  }
  const symbols = options.symbols?.split(',').map((text) => canonicalSymbol(text.trim()));
  return {
    path: options.path,
    paths: options.paths,
    dataset: options.dataset,
    symbols,
    symbol: options.symbol === undefined ? undefined : canonicalSymbol(options.symbol),
    fromDay: options.from === undefined ? undefined : dayFromDate(options.from, '--from'),
    toDay: options.to === undefined ? undefined : dayFromDate(options.to, '--to'),
    basis: options.basis,
    asOfUs: options.asOf === undefined ? undefined : microsFromDate(options.asOf),
    dateOrder: options.dateFormat,
    interval: options.interval,
    zone: options.zone,
    stamps: options.stamps,
    keep: options.keep,
  };
}

function microsFromDate(date: string): bigint {
  const ms = dayFromDate(date, '--as-of') * MILLIS_PER_DAY;
  // A vintage of the future would win over all others.
  if (ms > Date.now()) throw new UsageError(`--as-of must not be in the future, got "${date}"`);
  return BigInt(ms * MICROS_PER_MILLI);
}

function noteFailed(output: Output, deadJobs: RunReport['deadJobs']): void {
  for (const { id, title, reason } of deadJobs.slice(0, FAILED_JOBS_SHOWN)) {
    output.note(`failed: ${title}: ${reason} (to retry: tapeworks jobs retry ${id})`);
  }
  const more = deadJobs.length - FAILED_JOBS_SHOWN;
  if (more > 0)
    output.note(`failed: ${countText(more)} more (to list them: tapeworks jobs list --dead)`);
}

/** Adds the options of every source. */
export function withCommonOptions(command: Command, defaultMode: string): Command {
  const withRows = command
    .option('--mode <mode>', 'live or sandbox', defaultMode)
    .option('--symbols <list>', 'only these symbols, comma-separated')
    .option('--from <date>', 'first day, YYYY-MM-DD')
    .option('--to <date>', 'last day, YYYY-MM-DD')
    .addOption(
      new Option(
        '--basis <basis>',
        'price adjustment of the input, if the source is wrong about it',
      ).choices(BASES),
    )
    .option(
      '--as-of <date>',
      'date the file was produced; of two files for a symbol the later one is served (default: date of the last bar)',
    )
    .option('--symbol <symbol>', 'symbol of a single file, instead of its name')
    .option('--date-format <order>', 'order of ambiguous dates: mdy, dmy or ymd', dateOrderFromText)
    .option('--keep', 'keep a Parquet copy of local files');
  return withAcceptOption(withRows).option('--json', 'print one JSON document');
}

export function withAcceptOption(command: Command): Command {
  return command.option('--accept', 'load inputs that a sanity check held');
}
