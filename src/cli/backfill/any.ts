/** Registers `backfill any`, which loads each symbol from the first vendor that has it. */

import { type Command, Option } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { openVerb } from '../options.ts';
import { type BackfillOptions, runBackfill, sourceOptions, withCommonOptions } from './run.ts';

export function registerAny(backfill: Command): void {
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
  const deps = { paths, verb: 'backfill any', nowMs: Date.now(), onWaiting: output.onWaiting };
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
