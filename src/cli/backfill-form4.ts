/** `backfill form4`: insiders' filings from disk, or from the SEC. */

import type { Command } from 'commander';
import {
  type BackfillOptions,
  runBackfill,
  type SourceRun,
  withCommonOptions,
} from './backfill-run.ts';
import { showPlan } from './backfill-vendors.ts';

async function runForm4({ paths, settings, options, deps }: SourceRun, files: readonly string[]) {
  const [{ fetchForm4 }, { readStoredFilings }, { backfill }] = await Promise.all([
    import('../ingest/sources/form4.ts'),
    import('../../jobs/stored-filings.ts'),
    import('../../jobs/backfill.ts'),
  ]);
  const stored = await readStoredFilings(paths, deps);
  const segments = fetchForm4(
    { ...options, ...stored, paths: files },
    { paths, settings, ...deps },
  );
  return backfill(paths, segments, deps);
}

export function registerForm4(backfill: Command): void {
  withCommonOptions(backfill.command('form4'), 'live')
    .description('insiders’ transactions, from filings on disk or over the network')
    .argument('[paths...]', 'XML, submissions, quarterly data sets; folders or zips of them')
    .option('--plan', 'print requests, time and disk space, and stop')
    .action((files: string[], options: BackfillOptions) =>
      options.plan
        ? showPlan('form4', options, files[0])
        : runBackfill('form4', options, undefined, (run) => runForm4(run, files)),
    );
}
