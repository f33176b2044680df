/** `backfill <source>`: runs one source to the end; run it again to continue or to extend. */

import { Argument, type Command, Option } from 'commander';
import type { BackfillReport, RunDeps } from '../../jobs/backfill.ts';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../bars.ts';
import { type Settings, settingsFromEnv } from '../config.ts';
import { type ModePaths, modePaths } from '../data-dir.ts';
import { dayFromDate } from '../dates.ts';
import { assert, UsageError } from '../errors.ts';
import { type DateOrder, dateOrderFromText } from '../ingest/date-format.ts';
import type { SourceOptions } from '../ingest/source-options.ts';
import { canonicalSymbol } from '../symbols.ts';
import { modeFromOption } from './mode.ts';
import { countText, createOutput } from './output.ts';
import { createProgress } from './progress.ts';

interface BackfillOptions {
  mode: string;
  symbols?: string;
  from?: string;
  to?: string;
  basis?: Basis;
  asOf?: string;
  symbol?: string;
  dateFormat?: DateOrder;
  keep?: boolean;
  json?: boolean;
}

interface SourceRun {
  paths: ModePaths;
  settings: Settings;
  options: SourceOptions;
  deps: RunDeps;
}

type RunSource = (run: SourceRun) => Promise<BackfillReport>;

async function runBackfill(
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

function sourceOptions(options: BackfillOptions, path: string | undefined): SourceOptions {
  if (options.from !== undefined && options.to !== undefined && options.from > options.to) {
    throw new UsageError(`--from must not be after --to, got "${options.from}", "${options.to}"`);
  }
  const symbols = options.symbols?.split(',').map((text) => canonicalSymbol(text.trim()));
  return {
    path,
    symbols,
    symbol: options.symbol === undefined ? undefined : canonicalSymbol(options.symbol),
    fromDay: options.from === undefined ? undefined : dayFromDate(options.from, '--from'),
    toDay: options.to === undefined ? undefined : dayFromDate(options.to, '--to'),
    basis: options.basis,
    asOfUs: options.asOf === undefined ? undefined : microsFromDate(options.asOf),
    dateOrder: options.dateFormat,
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
    `published: version ${report.publishedVersion}`,
  ];
}

/** The options that every source takes. */
function withCommonOptions(command: Command, defaultMode: string): Command {
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
async function runSource(id: string, run: SourceRun): Promise<BackfillReport> {
  const [{ sources }, { backfill }, { readStoredDays }] = await Promise.all([
    import('../ingest/sources.ts'),
    import('../../jobs/backfill.ts'),
    import('../../jobs/stored-days.ts'),
  ]);
  const source = sources.find((candidate) => candidate.id === id);
  assert(source?.fetch, `the registry has the source ${id}`);
  const { paths, settings, deps } = run;
  const storedDays = await readStoredDays(paths, id, deps);
  const options = { ...run.options, lastStoredDay: (symbol: string) => storedDays.get(symbol) };
  return backfill(paths, source.fetch(options, { paths, settings, ...deps }), deps);
}

/** The directory comes from files, or without any over the network. */
async function runSymbols({ paths, settings, deps }: SourceRun, files: readonly string[]) {
  const [{ fetchSymbolDirectory, readSymbolDirectory }, { loadDirectory }] = await Promise.all([
    import('../ingest/sources/symbols.ts'),
    import('../../jobs/load-directory.ts'),
  ]);
  const directory =
    files.length > 0
      ? await readSymbolDirectory(files)
      : await fetchSymbolDirectory(settings.contact, { settings, ...deps });
  return loadDirectory(paths, directory, deps);
}

async function runSandbox({ paths, settings, options, deps }: SourceRun, stocks?: number) {
  const { fillSandbox } = await import('../../jobs/sandbox.ts');
  return fillSandbox(paths, { stocks, fromDay: options.fromDay }, { ...deps, settings });
}

function registerFileSources(backfill: Command): void {
  withCommonOptions(backfill.command('stooq'), 'live')
    .description("Stooq's bulk layout, daily, from a local zip or folder")
    .argument('<path>', 'zip or folder')
    .action((path: string, options: BackfillOptions) =>
      runBackfill('stooq', options, path, (run) => runSource('stooq', run)),
    );
  withCommonOptions(backfill.command('files'), 'live')
    .description('your own CSV, JSON lines, Parquet, gzip, zip or folder')
    .addArgument(new Argument('<dataset>', 'what the files hold').choices(['candles']))
    .argument('<path>', 'file, zip or folder')
    .action((_dataset: string, path: string, options: BackfillOptions) =>
      runBackfill('files', options, path, (run) => runSource('files', run)),
    );
}

function registerOtherSources(backfill: Command): void {
  withCommonOptions(backfill.command('yahoo'), 'live')
    .description('daily bars, splits and dividends of single symbols, over the network')
    .action((options: BackfillOptions) => {
      if (options.symbols === undefined) throw new UsageError('yahoo needs --symbols A,B');
      return runBackfill('yahoo', options, undefined, (run) => runSource('yahoo', run));
    });
  backfill
    .command('symbols')
    .description("Nasdaq Trader's and the SEC's directories, from files or over the network")
    .argument('[paths...]', 'files or folders; without any, the vendors are asked')
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--json', 'print one JSON document')
    .action((paths: string[], options: BackfillOptions) =>
      runBackfill('symbols', options, undefined, (run) => runSymbols(run, paths)),
    );
  backfill
    .command('sandbox')
    .description('the seeded synthetic market; always into the sandbox')
    .option('--mode <mode>', 'sandbox and nothing else', 'sandbox')
    .option('--from <date>', 'first day, YYYY-MM-DD, at the first fill')
    .option('--json', 'print one JSON document')
    .option('--stocks <count>', 'companies to generate, at the first fill', stocksFromOption)
    .action((options: BackfillOptions & { stocks?: number }) => {
      if (options.mode !== 'sandbox') {
        throw new UsageError('synthetic data goes into the sandbox only: leave out --mode live');
      }
      return runBackfill('sandbox', options, undefined, (run) => runSandbox(run, options.stocks));
    });
}

function stocksFromOption(text: string): number {
  const stocks = Number(text);
  if (Number.isInteger(stocks) && stocks >= 1) return stocks;
  throw new UsageError(`--stocks must be a whole number from 1 up, got "${text}"`);
}

export function registerBackfill(program: Command): void {
  const backfill = program.command('backfill').description('run one source to the end, resumable');
  registerFileSources(backfill);
  registerOtherSources(backfill);
}
