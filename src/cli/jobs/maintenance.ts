/** `maintenance`: runs one of the nightly maintenance tasks now. */

import { Argument, type Command } from 'commander';
import type { RunReport } from '../../../jobs/contract/reports.ts';
import {
  MAINTENANCE_TASKS,
  type MaintenanceTask,
  maintenanceRun,
} from '../../../jobs/contract/run.ts';
import type { Runner } from '../../../jobs/contract/runner.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import type { Output } from '../output.ts';
import { untilStopSignal, withProgress } from '../progress.ts';

async function maintain(
  task: MaintenanceTask,
  options: ModeOptions & { all?: boolean },
): Promise<void> {
  if (options.all && task !== 'integrity') {
    throw new UsageError(`--all is for integrity only: ${task} always covers all data`);
  }
  const { settings, output } = openVerb(options);
  const { openRunner } = await import('../../../jobs/runner/open-runner.ts');
  await using runner = await openRunner(settings);
  const stopped = `maintenance ${task} was stopped; run it again to continue`;
  const run = { task, mode: options.mode };
  await untilStopSignal(output, stopped, async (signal) => {
    let report = await runTask(runner, run, output, signal);
    while (options.all && report.did?.left) report = await runTask(runner, run, output, signal);
    const { did = {}, faults = [] } = report;
    const counts = Object.entries(did).map(([name, count]) => `${name}: ${countText(count)}`);
    output.result({ task, did, faults }, [`${task}: ${counts.join(', ')}`, ...faults]);
    if (faults.length > 0) process.exitCode = 1;
  });
}

async function runTask(
  runner: Runner,
  what: Parameters<typeof maintenanceRun>[0],
  output: Output,
  signal: AbortSignal,
): Promise<RunReport> {
  const { reportOutcome } = await import('../backfill/run.ts');
  const run = maintenanceRun(what, wallMs());
  const outcome = await withProgress(output, async (shown) => {
    await runner.enqueue(run);
    return runner.finished(run.id, { ...shown, signal });
  });
  return reportOutcome(output, outcome, monotonicMs()).report;
}

export function registerMaintenance(program: Command): void {
  program
    .command('maintenance')
    .description('run one of the nightly maintenance tasks now')
    .addArgument(new Argument('<task>', 'task to run').choices(MAINTENANCE_TASKS))
    .addOption(modeOption('for compact: live or sandbox'))
    .option('--all', 'for integrity: check all data, however long it takes')
    .action(maintain);
}
