/** `backfill sec`: what companies filed, from disk, by symbol or all of them. */

import type { Command } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { type BackfillOptions, runBackfill, withCommonOptions } from './run.ts';
import { showPlan } from './vendors.ts';

type SecOptions = BackfillOptions & { bulk?: boolean };

export function registerSec(backfill: Command): void {
  withCommonOptions(backfill.command('sec'), 'live')
    .description('statements, balance sheets, shares, sectors and countries from the SEC')
    .argument('[paths...]', 'company facts, submissions, tickers; folders or zips of them')
    .option('--bulk', 'download and load the nightly zips of all companies (3 GB)')
    .option('--plan', 'print requests, time and disk space needed, and exit')
    .action((files: string[], options: SecOptions) => {
      const { bulk } = options;
      if (!bulk && options.symbols === undefined && files.length === 0) {
        throw new UsageError('sec needs --symbols A,B, --bulk, or files, folders or zips');
      }
      if (bulk && files.length > 0) {
        throw new UsageError('--bulk downloads the zips itself: leave out the paths');
      }
      const own = { paths: files, bulk };
      return options.plan ? showPlan('sec', options, own) : runBackfill('sec', options, own);
    });
}
