/** `backfill` of the sources that are asked over the network: each plans first where asked to. */

import { Argument, type Command, Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { assert, UsageError } from '../../base/errors.ts';
import type { SourceOptions } from '../../ingest/contract/source-options.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { type BackfillOptions, runBackfill, sourceOptions, withCommonOptions } from './run.ts';

/** Of Yahoo, beside candles: what one request a symbol tells of analysts, and options. */
const YAHOO_ROWS = ['analysts', 'expirations'];
const VENDOR_INTERVALS = ['1d', '1m'] as const;

/** Prints what the source would ask for. */
export async function showPlan(
  id: string,
  options: BackfillOptions,
  own: SourceOptions = {},
): Promise<void> {
  const [{ sources }, { withStored }, { planLines, planReport }] = await Promise.all([
    import('../../ingest/sources/sources.ts'),
    import('../../../jobs/load/stored-options.ts'),
    import('./dry-run.ts'),
  ]);
  const source = sources.find((candidate) => candidate.id === id);
  assert(source?.vendor && source.plan, `the source ${id} plans`);
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const paths = modePaths(settings.dataDir, modeFromOption(options.mode));
  const onWaiting = (holder: string) => output.note(`waiting for ${holder}`);
  const deps = { paths, verb: `backfill ${id}`, nowMs: Date.now(), onWaiting };
  const stored = await withStored(id, { ...sourceOptions(options), ...own }, deps);
  const plan = await source.plan(stored, deps.nowMs);
  const report = planReport(source.vendor, plan, settings);
  output.result(report, planLines(report));
}

function vendorCommand(backfill: Command, id: string, description: string): Command {
  return withCommonOptions(backfill.command(id), 'live')
    .description(description)
    .option('--plan', 'print requests, time and disk space needed, and exit');
}

function withInterval(command: Command): Command {
  const option = new Option('--interval <interval>', 'interval of the bars (default: 1d)');
  return command.addOption(option.choices(VENDOR_INTERVALS));
}

export function registerVendors(backfill: Command): void {
  const run = (id: string) => (options: BackfillOptions) =>
    options.plan ? showPlan(id, options) : runBackfill(id, options);
  const bySymbol = (id: string) => (options: BackfillOptions) => {
    if (options.symbols === undefined) throw new UsageError(`${id} needs --symbols A,B`);
    return run(id)(options);
  };
  vendorCommand(
    backfill,
    'yahoo',
    'daily bars, analysts or option expirations of --symbols from Yahoo',
  )
    .addArgument(
      new Argument('[rows]', 'data to load (default: candles)').choices(['candles', ...YAHOO_ROWS]),
    )
    .action((rows: string | undefined, options: BackfillOptions) => {
      const dataset = rows === 'candles' ? undefined : rows;
      return bySymbol('yahoo')({ ...options, dataset });
    });
  withInterval(
    vendorCommand(
      backfill,
      'alpaca',
      'daily or 1-minute bars from Alpaca, of --symbols or all known symbols',
    ),
  ).action(run('alpaca'));
  vendorCommand(backfill, 'tiingo', 'daily bars of --symbols from Tiingo').action(
    bySymbol('tiingo'),
  );
  vendorCommand(
    backfill,
    'eodhd',
    'daily bars from EODHD, of --symbols or the whole US market',
  ).action(run('eodhd'));
  withInterval(
    vendorCommand(
      backfill,
      'massive',
      'bars from Massive: of --symbols, the whole market, or flat files',
    ),
  )
    .alias('polygon')
    .argument('[path]', 'flat file, or a folder of them')
    .action((path: string | undefined, options: BackfillOptions) =>
      run('massive')({ ...options, path }),
    );
}
