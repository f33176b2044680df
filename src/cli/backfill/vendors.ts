/** `backfill <vendor>`: a command for each vendor, made from the vendor's own facts. */

import { Argument, type Command, Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { assert, UsageError } from '../../base/errors.ts';
import type { Source, VendorCommand } from '../../ingest/contract/source.ts';
import type { SourceOptions } from '../../ingest/contract/source-options.ts';
import { vendors } from '../../ingest/vendors/vendors.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import {
  type BackfillOptions,
  runBackfill,
  sourceOptions,
  withAcceptOption,
  withCommonOptions,
} from './run.ts';

/** The intervals that vendors are asked for. */
const VENDOR_INTERVALS = ['1d', '1m'] as const;

export function registerVendors(backfill: Command): void {
  for (const vendor of vendors) registerVendor(backfill, vendor);
}

function registerVendor(backfill: Command, vendor: Source): void {
  const { id, command: facts } = vendor;
  assert(facts, `${id} has a command`);
  const command = backfill.command(id).description(facts.description);
  if (facts.isWhole) withAcceptOption(command.option('--mode <mode>', 'live or sandbox', 'live'));
  else withCommonOptions(command, 'live');
  if (facts.bulk) command.option('--bulk', facts.bulk);
  command.option('--plan', 'print requests, time and disk space needed, and exit');
  if (facts.isWhole) command.option('--json', 'print one JSON document');
  if (facts.hasInterval) {
    const interval = new Option('--interval <interval>', 'interval of the bars (default: 1d)');
    command.addOption(interval.choices(VENDOR_INTERVALS));
  }
  if (facts.alias) command.alias(facts.alias);
  const { argument } = facts;
  if (argument) command.addArgument(argumentOf(argument));
  command.action(async (...given: unknown[]) => {
    const options = (argument ? given[1] : given[0]) as BackfillOptions;
    const named = argument ? { [argument.option]: given[0] } : {};
    await runVendor(vendor, facts, withDefaults({ ...options, ...named }, vendor));
  });
}

function argumentOf({ name, description, choices }: NonNullable<VendorCommand['argument']>) {
  const argument = new Argument(name, description);
  return choices ? argument.choices(choices) : argument;
}

/** Fills in the inputs that settings name where the command names none. */
function withDefaults(options: BackfillOptions, { defaultPaths }: Source): BackfillOptions {
  const { paths, symbols, dataset } = options;
  if (defaultPaths && paths?.length === 0 && symbols === undefined) {
    return { ...options, paths: settingsFromEnv(process.env)[defaultPaths] };
  }
  return { ...options, dataset: dataset === 'candles' ? undefined : dataset };
}

function runVendor({ id }: Source, facts: VendorCommand, options: BackfillOptions): Promise<void> {
  if (facts.needsSymbols && options.symbols === undefined) {
    throw new UsageError(`${id} needs --symbols A,B`);
  }
  const misuse = facts.misuse?.(options);
  if (misuse) throw new UsageError(misuse);
  const own = { bulk: options.bulk };
  return options.plan ? printDryRun(id, options, own) : runBackfill(id, options, own);
}

/** Prints the requests that a run would send, and their time. */
async function printDryRun(
  id: string,
  options: BackfillOptions,
  own: SourceOptions,
): Promise<void> {
  const [{ sourceNamed }, { withStored }, { dryRunLines, dryRunReport }] = await Promise.all([
    import('../../ingest/sources/sources.ts'),
    import('../../../jobs/load/stored-options.ts'),
    import('./dry-run.ts'),
  ]);
  const source = sourceNamed(id);
  const { dryRun } = (await source?.load()) ?? {};
  assert(source?.host && dryRun, `the source ${id} has a dry run`);
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const paths = modePaths(settings.dataDir, modeFromOption(options.mode));
  const onWaiting = (holder: string) => output.note(`waiting for ${holder}`);
  const deps = { paths, verb: `backfill ${id}`, nowMs: Date.now(), onWaiting };
  const stored = await withStored(id, { ...sourceOptions(options), ...own }, deps);
  const report = dryRunReport(source.host, dryRun(stored, deps.nowMs), settings);
  output.result(report, dryRunLines(report));
}
