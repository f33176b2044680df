/** `backfill <vendor>`: a command for each vendor, made from the vendor's own facts. */

import { Argument, type Command, Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { assert, UsageError } from '../../base/errors.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import type { Source } from '../../ingest/contract/source.ts';
import { vendors } from '../../ingest/vendors/vendors.ts';
import { modeOption, openVerb } from '../options.ts';
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
  if (facts.isWhole) withAcceptOption(command.addOption(modeOption()));
  else withCommonOptions(command);
  if (facts.bulk) command.option('--bulk', facts.bulk);
  if (facts.statements) command.option('--statements <quarters>', facts.statements);
  if (facts.sample) command.option('--sample', facts.sample.description);
  command.option('--plan', 'print requests, time and disk space needed, and exit');
  if (facts.hasInterval) {
    const interval = new Option('--interval <interval>', 'interval of the bars (default: 1d)');
    command.addOption(interval.choices(VENDOR_INTERVALS));
  }
  if (facts.alias) command.alias(facts.alias);
  const { argument } = facts;
  if (argument) {
    const declared = new Argument(argument.name, argument.description);
    command.addArgument(argument.choices ? declared.choices(argument.choices) : declared);
  }
  command.action(async (...given: unknown[]) => {
    const named = argument ? { [argument.option]: given.shift() } : {};
    const options = withDefaults({ ...(given[0] as BackfillOptions), ...named }, vendor);
    if (facts.needsSymbols && options.symbols === undefined) {
      throw new UsageError(`${id} needs --symbols A,B`);
    }
    if (options.sample) useSample(vendor, options);
    const misuse = facts.misuse?.(options);
    if (misuse) throw new UsageError(misuse);
    await (options.plan ? printDryRun(vendor, options) : runBackfill(id, options));
  });
}

/** Names the files of the sample as inputs. @throws {UsageError} the command names others. */
function useSample({ id, command }: Source, options: BackfillOptions): void {
  if (options.bulk || options.statements || options.paths?.length) {
    throw new UsageError(
      `${id} --sample has its own files: leave out --bulk, --statements and the paths`,
    );
  }
  options.paths = command?.sample && [command.sample.path];
}

/** Fills in the inputs that settings name where the command names none. */
function withDefaults(options: BackfillOptions, { defaultPaths }: Source): BackfillOptions {
  const { paths, symbols, dataset } = options;
  if (defaultPaths && paths?.length === 0 && symbols === undefined) {
    return { ...options, paths: settingsFromEnv(process.env)[defaultPaths] };
  }
  return { ...options, dataset: dataset === 'candles' ? undefined : dataset };
}

/** Prints the requests that a run would send, and their time. */
async function printDryRun(vendor: Source, options: BackfillOptions): Promise<void> {
  const [{ withStored }, { dryRunLines, dryRunReport }] = await Promise.all([
    import('../../../jobs/load/stored.ts'),
    import('./dry-run.ts'),
  ]);
  const { id, host } = vendor;
  const { dryRun } = await vendor.load();
  assert(host && dryRun, `the source ${id} has a dry run`);
  const { settings, output, paths } = openVerb(options);
  const { onWaiting } = output;
  const deps = { paths, verb: `backfill ${id}`, nowMs: wallMs(), onWaiting };
  const stored = await withStored(id, sourceOptions(options), deps);
  const report = dryRunReport(host, dryRun(stored, deps.nowMs), settings);
  output.result(report, dryRunLines(report));
}
