/** One run of `backfill`: its options, what it prints, how it stops. */

import { type Command, Option } from 'commander';
import type { BackfillReport, RunDeps } from '../../jobs/backfill.ts';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../bars.ts';
import { type Settings, settingsFromEnv } from '../config.ts';
import { type ModePaths, modePaths } from '../data-dir.ts';
import { dayFromDate } from '../dates.ts';
import { assert, UsageError } from '../errors.ts';
import type { BaseInterval } from '../ingest/candle-interval.ts';
import { type DateOrder, dateOrderFromText } from '../ingest/date-format.ts';
import type { SourceOptions } from '../ingest/source-options.ts';
import { canonicalSymbol } from '../symbols.ts';
import { modeFromOption } from './mode.ts';
import { countText, createOutput } from './output.ts';
import { createProgress } from './progress.ts';

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
  plan?: boolean;
  json?: boolean;
  /** Of sources that take several inputs as arguments. */
  paths?: readonly string[];
  /** Of sources that give several kinds of rows. */
  dataset?: string;
}

export interface SourceRun {
  paths: ModePaths;
  settings: Settings;
  options: SourceOptions;
  deps: RunDeps;
}

type RunSource = (run: SourceRun) => Promise<BackfillReport>;

export async function runBackfill(
  name: string,
  options: BackfillOptions,
  path: string | undefined,
  run: RunSource,
): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const progress = createProgress(output.note);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const deps: RunDeps = {
    verb: `backfill ${name}`,
    nowMs: Date.now(),
    onProgress: progress.report,
    onWaiting: (holder) => output.note(`waiting for ${holder}`),
    signal: stop.signal,
  };
  try {
    const paths = modePaths(settings.dataDir, modeFromOption(options.mode));
    const report = await run({ paths, settings, options: sourceOptions(options, path), deps });
    progress.stop();
    output.result(report, reportLines(report));
    // Nothing usable came in, and something was wrong with it: that is a failure.
    if (report.segments === 0 && report.skipped.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    output.note(`backfill ${name} was stopped; run it again to continue`);
    process.exitCode = 1;
  } finally {
    progress.stop();
  }
}

export function sourceOptions(options: BackfillOptions, path: string | undefined): SourceOptions {
  if (options.from !== undefined && options.to !== undefined && options.from > options.to) {
    throw new UsageError(`--from must not be after --to, got "${options.from}", "${options.to}"`);
  }
  const symbols = options.symbols?.split(',').map((text) => canonicalSymbol(text.trim()));
  return {
    path,
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
  // A vintage of the future would win over every true one.
  if (ms > Date.now()) throw new UsageError(`--as-of must not be in the future, got "${date}"`);
  return BigInt(ms * MICROS_PER_MILLI);
}

function reportLines(report: BackfillReport): string[] {
  const reasons = Object.entries(report.rejectedByReason).sort(([, a], [, b]) => b - a);
  return [
    `segments: ${report.segments}, of which loaded before: ${report.alreadyLoaded}`,
    `accepted: ${countText(report.accepted)} rows`,
    `rejected: ${countText(report.rejected)} rows`,
    ...reasons.map(([reason, count]) => `  ${countText(count)}: ${reason}`),
    ...(report.skipped.length > 0 ? [`skipped: ${report.skipped.length}`] : []),
    ...report.skipped.map(({ name, reason }) => `  ${name}: ${reason}`),
    `series changed: ${countText(report.seriesChanged)}`,
    `rows changed: ${countText(report.rowsChanged)}`,
    `published: version ${report.publishedVersion}`,
  ];
}

/** The options that every source takes. */
export function withCommonOptions(command: Command, defaultMode: string): Command {
  return command
    .option('--mode <mode>', 'live or sandbox', defaultMode)
    .option('--symbols <list>', 'only these symbols, comma-separated')
    .option('--from <date>', 'first day, YYYY-MM-DD')
    .option('--to <date>', 'last day, YYYY-MM-DD')
    .addOption(new Option('--basis <basis>', 'overrides what the source declares').choices(BASES))
    .option('--as-of <date>', 'when the content was true; default its newest bar')
    .option('--symbol <symbol>', 'symbol of a single file, whatever its name')
    .option('--date-format <order>', 'of ambiguous dates: mdy, dmy or ymd', dateOrderFromText)
    .option('--keep', 'store a Parquet copy of a local file')
    .option('--json', 'print one JSON document');
}

/** Sources whose segments are simply loaded in the order they are fetched. */
export async function runSource(id: string, run: SourceRun): Promise<BackfillReport> {
  const [{ sources }, { backfill }] = await Promise.all([
    import('../ingest/sources.ts'),
    import('../../jobs/backfill.ts'),
  ]);
  const source = sources.find((candidate) => candidate.id === id);
  assert(source?.fetch, `the registry has the source ${id}`);
  const { paths, settings, deps } = run;
  const options = await withStored(id, run);
  return backfill(paths, source.fetch(options, { paths, settings, ...deps }), deps);
}

/** The options with what the store has, for sources that ask only for what is new. */
export async function withStored(
  id: string,
  { paths, options, deps }: SourceRun,
): Promise<SourceOptions> {
  const { readStored } = await import('../../jobs/stored-days.ts');
  const interval = options.interval ?? '1d';
  const stored = await readStored(paths, { source: id, interval }, deps);
  const lastStoredDay = (symbol: string) => stored.lastDays.get(symbol);
  const { wholeMarketDay, listedSymbols } = stored;
  return { ...options, lastStoredDay, wholeMarketDay, knownSymbols: listedSymbols };
}
