/** `backfill form4`: insiders' filings from disk, or from the SEC. */

import type { Command } from 'commander';
import { type BackfillOptions, runBackfill, withCommonOptions } from './run.ts';
import { showPlan } from './vendors.ts';

export function registerForm4(backfill: Command): void {
  withCommonOptions(backfill.command('form4'), 'live')
    .description('insider transactions (Form 4) from the SEC or from files')
    .argument(
      '[paths...]',
      'XML filings, submissions, quarterly data sets; folders or zips of them',
    )
    .option('--plan', 'print requests, time and disk space needed, and exit')
    .action((files: string[], options: BackfillOptions) =>
      options.plan
        ? showPlan('form4', { ...options, path: files[0] })
        : runBackfill('form4', options, { paths: files }),
    );
}
