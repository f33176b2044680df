/** Registers `backfill <source>`, which runs a source to the end; a second run continues it. */

import { Argument, type Command, Option } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { BASE_INTERVALS } from '../../base/time/intervals.ts';
import { zoneNamed } from '../../base/time/zones.ts';
import { wallMs } from '../../base/world/clock.ts';
import { DATE_SHIFTS } from '../../ingest/contract/choices.ts';
import { LOADABLE_DATASETS } from '../../ingest/rows/template.ts';
import { dayFor, modeOption, openVerb, symbolsFromOption, wholeNumberFor } from '../options.ts';
import { type BackfillOptions, runBackfill, sourceOptions, withCommonOptions } from './run.ts';
import { registerVendors } from './vendors.ts';

interface FileOptions extends BackfillOptions {
  name?: string;
}

function registerFileSources(backfill: Command): void {
  withStampOptions(withCommonOptions(backfill.command('stooq')))
    .description('daily or 5-minute bars from a Stooq bulk download (zip or folder)')
    .argument('<path>', 'zip or folder')
    .action((path: string, options: BackfillOptions) => loadFiles('stooq', { ...options, path }));
  const complete = 'corporate actions of one type: there are none of the other';
  const completeFor = 'corporate actions are complete for these symbols, too: A,B or * for all';
  withStampOptions(withCommonOptions(backfill.command('files')))
    .description('your own files: CSV, JSON, JSON lines, Parquet, gzip, zip or a folder')
    .addArgument(new Argument('<dataset>', 'dataset in the files').choices(LOADABLE_DATASETS))
    .argument('<path>', 'file, zip or folder')
    .option('--complete', complete)
    .option('--complete-for <list>', completeFor, completeSymbols)
    .option('--name <column>', 'values: name of the column, which screens then have')
    .action((dataset: string, path: string, { name: column, ...options }: FileOptions) => {
      if (column !== undefined && dataset !== 'values') {
        throw new UsageError(`--name is for values, got "${dataset}"`);
      }
      const isDeclared = options.complete || options.completeFor !== undefined;
      if (isDeclared && dataset !== 'corporate-actions') {
        throw new UsageError(
          `--complete and --complete-for are for corporate-actions, got "${dataset}"`,
        );
      }
      return loadFiles('files', { ...options, dataset, path, ...(column && { column }) });
    });
}

function completeSymbols(text: string): string[] {
  return text.trim() === '*' ? ['*'] : symbolsFromOption(text);
}

async function loadFiles(source: string, options: BackfillOptions): Promise<void> {
  if (!options.plan) return runBackfill(source, options);
  const { printFilePlan } = await import('./file-plan.ts');
  return printFilePlan(source, options);
}

/** Adds the options of local files: how they are read, and a look at it without a load. */
function withStampOptions(command: Command): Command {
  const interval = new Option(
    '--interval <interval>',
    'interval of the bars, if their times do not show it',
  );
  const stamps = new Option(
    '--stamps <end>',
    'times mark the start or the end of a bar (default: start)',
  );
  const dates = new Option(
    '--dates <session>',
    'session of a daily bar: its date as written, the next day or the day before',
  );
  const zone = 'time zone of times without one: America/New_York, UTC, …';
  return command
    .addOption(interval.choices(BASE_INTERVALS))
    .option('--zone <name>', zone, zoneFromOption)
    .addOption(stamps.choices(['start', 'end']))
    .addOption(dates.choices(DATE_SHIFTS))
    .option('--plan', 'print how the files are read, and exit');
}

/** Checks the name of a zone. */
function zoneFromOption(name: string): string {
  const zone = zoneNamed(name);
  if (zone !== undefined) return zone;
  throw new UsageError(`--zone must be the name of a zone like America/New_York, got "${name}"`);
}

function registerSandbox(backfill: Command): void {
  const count = 'number of companies (only for the first fill)';
  backfill
    .command('sandbox')
    .description('synthetic market data for the sandbox')
    .addOption(modeOption('must be sandbox').default('sandbox'))
    .option('--from <date>', 'first day, YYYY-MM-DD (only for the first fill)', dayFor('--from'))
    .option('--stocks <count>', count, wholeNumberFor('--stocks', 1))
    .action((options: BackfillOptions) => {
      if (options.mode !== 'sandbox') {
        throw new UsageError('synthetic data goes into the sandbox only: leave out --mode live');
      }
      return runBackfill('sandbox', options);
    });
}

export function registerBackfill(program: Command): void {
  const backfill = program
    .command('backfill')
    .description('load data from one source; continues where it was interrupted');
  registerFileSources(backfill);
  registerAny(backfill);
  registerVendors(backfill);
  registerSandbox(backfill);
}

/** Registers `backfill any`, which loads each symbol from the first vendor that has it. */
function registerAny(backfill: Command): void {
  const interval = new Option('--interval <interval>', 'interval of the bars (default: 1d)');
  withCommonOptions(backfill.command('any'))
    .description('bars of --symbols from the first configured vendor that has them')
    .option('--plan', 'print the order of the vendors and their requests, and exit')
    .addOption(interval.choices(['1d', '1m']))
    .action(async (options: BackfillOptions) => {
      if (options.symbols === undefined) throw new UsageError('any needs --symbols A,B');
      await (options.plan ? printOrder(options) : runBackfill('any', options));
    });
}

/** Prints each vendor in the order of a run: the requests that it would get, or what it lacks. */
async function printOrder(options: BackfillOptions): Promise<void> {
  const [{ barSources }, { withStored }, { dryRunReport }] = await Promise.all([
    import('../../ingest/sources/bar-sources.ts'),
    import('../../../jobs/load/stored.ts'),
    import('./dry-run.ts'),
  ]);
  const { settings, output, paths } = openVerb(options);
  const deps = { paths, verb: 'backfill any', nowMs: wallMs(), onWaiting: output.onWaiting };
  const order = [];
  for (const { source, title, remedy } of barSources(settings)) {
    const { id, host, command } = source;
    const isOffered = options.interval !== '1m' || command?.hasInterval === true;
    const setting = isOffered ? remedy : 'it has no 1-minute bars here';
    const stored = await withStored(id, sourceOptions(options), deps);
    const dryRun = host && setting === undefined && (await source.load()).dryRun;
    const plan = dryRun ? dryRunReport(host, dryRun(stored, deps.nowMs), settings) : null;
    order.push({ source: id, title, missing: setting ?? null, plan });
  }
  const lines = order.map(({ source, missing, plan }, index) => {
    const noun = plan?.requests === 1 ? 'request' : 'requests';
    const state = plan ? `at most ${plan.requests} ${noun}` : missing;
    return `${index + 1}. ${source}: ${state}`;
  });
  output.result({ order }, [...lines, 'each symbol comes from the first one that has it']);
}
