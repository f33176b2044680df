/** Registers `backfill <source>`, which runs a source to the end; a second run continues it. */

import { Argument, type Command } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { FILE_DATASETS } from '../../ingest/rows/template.ts';
import { type BackfillOptions, runBackfill, withCommonOptions } from './run.ts';
import { withStampOptions } from './stamp-options.ts';
import { registerVendors } from './vendors.ts';

function registerFileSources(backfill: Command): void {
  withStampOptions(withCommonOptions(backfill.command('stooq'), 'live'))
    .description('daily or 5-minute bars from a Stooq bulk download (zip or folder)')
    .argument('<path>', 'zip or folder')
    .action((path: string, options: BackfillOptions) => runBackfill('stooq', { ...options, path }));
  withStampOptions(withCommonOptions(backfill.command('files'), 'live'))
    .description('your own files: CSV, JSON, JSON lines, Parquet, gzip, zip or a folder')
    .addArgument(new Argument('<dataset>', 'dataset in the files').choices(FILE_DATASETS))
    .argument('<path>', 'file, zip or folder')
    .action((dataset: string, path: string, options: BackfillOptions) =>
      runBackfill('files', { ...options, dataset, path }),
    );
}

function registerSandbox(backfill: Command): void {
  backfill
    .command('sandbox')
    .description('synthetic market data for the sandbox')
    .option('--mode <mode>', 'must be sandbox', 'sandbox')
    .option('--from <date>', 'first day, YYYY-MM-DD (only for the first fill)')
    .option('--json', 'print one JSON document')
    .option('--stocks <count>', 'number of companies (only for the first fill)', stocksFromOption)
    .action((options: BackfillOptions & { stocks?: number }) => {
      if (options.mode !== 'sandbox') {
        throw new UsageError('synthetic data goes into the sandbox only: leave out --mode live');
      }
      return runBackfill('sandbox', options, { stocks: options.stocks });
    });
}

function stocksFromOption(text: string): number {
  const stocks = Number(text);
  if (Number.isInteger(stocks) && stocks >= 1) return stocks;
  throw new UsageError(`--stocks must be a whole number from 1 up, got "${text}"`);
}

export function registerBackfill(program: Command): void {
  const backfill = program
    .command('backfill')
    .description('load data from one source; continues where it was interrupted');
  registerFileSources(backfill);
  registerVendors(backfill);
  registerSandbox(backfill);
}
