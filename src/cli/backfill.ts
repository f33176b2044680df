/** `backfill <source>`: runs one source to the end; run it again to continue or to extend. */

import { Argument, type Command } from 'commander';
import { UsageError } from '../errors.ts';
import { FILE_DATASETS } from '../ingest/template.ts';
import { registerForm4 } from './backfill-form4.ts';
import { registerRowSources } from './backfill-rows.ts';
import {
  type BackfillOptions,
  runBackfill,
  runSource,
  type SourceRun,
  withCommonOptions,
} from './backfill-run.ts';
import { registerSec } from './backfill-sec.ts';
import { registerVendors } from './backfill-vendors.ts';
import { withStampOptions } from './stamp-options.ts';

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

function withDataset(run: SourceRun, dataset: string): SourceRun {
  return { ...run, options: { ...run.options, dataset } };
}

function registerFileSources(backfill: Command): void {
  withStampOptions(withCommonOptions(backfill.command('stooq'), 'live'))
    .description("Stooq's bulk layouts, daily and 5 minutes, from a local zip or folder")
    .argument('<path>', 'zip or folder')
    .action((path: string, options: BackfillOptions) =>
      runBackfill('stooq', options, path, (run) => runSource('stooq', run)),
    );
  withStampOptions(withCommonOptions(backfill.command('files'), 'live'))
    .description('your own CSV, JSON, JSON lines, Parquet, gzip, zip or folder')
    .addArgument(new Argument('<dataset>', 'what the files hold').choices(FILE_DATASETS))
    .argument('<path>', 'file, zip or folder')
    .action((dataset: string, path: string, options: BackfillOptions) =>
      runBackfill('files', options, path, (run) => runSource('files', withDataset(run, dataset))),
    );
}

function registerOtherSources(backfill: Command): void {
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
  registerVendors(backfill);
  registerSec(backfill);
  registerForm4(backfill);
  registerRowSources(backfill);
  registerOtherSources(backfill);
}
