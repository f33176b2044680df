/** `maintenance`: runs one of the nightly maintenance tasks now. */

import { Argument, type Command } from 'commander';
import type { RunReport } from '../../../jobs/contract/reports.ts';
import {
  MAINTENANCE_TASKS,
  type MaintenanceTask,
  maintenanceRun,
} from '../../../jobs/contract/run.ts';
import type { Runner } from '../../../jobs/contract/runner.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput, type Output } from '../output.ts';
import { stopSignal, withProgress } from '../progress.ts';

interface MaintenanceOptions {
  mode: string;
  all?: boolean;
  json?: boolean;
}

async function maintain(task: MaintenanceTask, options: MaintenanceOptions): Promise<void> {
  if (options.all && task !== 'integrity') {
    throw new UsageError(`--all is for integrity only: ${task} always covers all data`);
  }
  const settings = settingsFromEnv(process.env);
  const mode = modeFromOption(options.mode);
  const output = createOutput(options.json === true);
  const signal = stopSignal();
  const { openRunner } = await import('../../../jobs/runner/open-runner.ts');
  const runner = await openRunner(settings);
  try {
    let report = await runTask(runner, { task, mode }, output, signal);
    while (options.all && report.did?.left) {
      report = await runTask(runner, { task, mode }, output, signal);
    }
    const { did = {}, faults = [] } = report;
    const counts = Object.entries(did).map(([name, count]) => `${name}: ${countText(count)}`);
    output.result({ task, did, faults }, [`${task}: ${counts.join(', ')}`, ...faults]);
    if (faults.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    output.note(`maintenance ${task} was stopped; run it again to continue`);
    process.exitCode = 1;
  } finally {
    await runner.close();
  }
}

async function runTask(
  runner: Runner,
  what: { task: MaintenanceTask; mode: Mode },
  output: Output,
  signal: AbortSignal,
): Promise<RunReport> {
  const { reportOutcome } = await import('../backfill/run.ts');
  const run = maintenanceRun(what, Date.now());
  const outcome = await withProgress(output, async (shown) => {
    await runner.enqueue(run);
    return runner.finished(run.id, { ...shown, signal });
  });
  return reportOutcome(output, outcome, performance.now()).report;
}

export function registerMaintenance(program: Command): void {
  program
    .command('maintenance')
    .description('run one of the nightly maintenance tasks now')
    .addArgument(new Argument('<task>', 'task to run').choices(MAINTENANCE_TASKS))
    .option('--mode <mode>', 'for compact: live or sandbox', 'live')
    .option('--all', 'for integrity: check all data, however long it takes')
    .option('--json', 'print one JSON document')
    .action(maintain);
}
