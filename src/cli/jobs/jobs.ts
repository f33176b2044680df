/** `jobs list`, `jobs retry`: lists jobs with their failures, and runs failed ones again. */

import { type Command, Option } from 'commander';
import type { JobRecord, JobState } from '../../../jobs/contract/runner.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { TapeworksError, UsageError } from '../../base/errors.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { reportOutcome, withAcceptOption } from '../backfill/run.ts';

import { createOutput, tableLines } from '../output.ts';
import { stopSignal, withProgress } from '../progress.ts';

interface ListOptions {
  state?: JobState;
  dead?: boolean;
  json?: boolean;
}

async function openJobs() {
  const settings = settingsFromEnv(process.env);
  const { openRunner } = await import('../../../jobs/runner/open-runner.ts');
  return openRunner(settings);
}

async function listJobs({ state, dead, json }: ListOptions): Promise<void> {
  const { openReader } = await import('../../../jobs/runner/open-reader.ts');
  await using reader = await openReader(settingsFromEnv(process.env));
  const jobs = await reader.jobs(dead ? 'dead' : state);
  createOutput(json).result(jobs, jobLines(jobs));
}

function jobLines(jobs: readonly JobRecord[]): string[] {
  if (jobs.length === 0) return ['no jobs'];
  const heading = ['id', 'state', 'mode', 'verb', 'of', 'failures', 'reason'];
  const rows = jobs.map(({ id, state, mode, verb, title, failures, reason }) => [
    id,
    state,
    mode ?? '',
    verb,
    title,
    countText(failures),
    reason ?? '',
  ]);
  return tableLines([heading, ...rows]);
}

interface RetryOptions {
  all?: boolean;
  accept?: true | string[];
  json?: boolean;
}

async function retryJobs(ids: string[], options: RetryOptions): Promise<void> {
  if (ids.length > 0 === (options.all === true)) {
    throw new UsageError(
      'jobs retry needs the ids of failed jobs, or --all (tapeworks jobs list --dead)',
    );
  }
  const output = createOutput(options.json);
  await using runner = await openJobs();
  const signal = stopSignal();
  const runs = await runner.retry(options.all ? 'all' : ids, options);
  if (runs.length === 0) {
    if (ids.length > 0)
      throw new TapeworksError(
        `no failed job has the id ${ids.join(' or ')} (tapeworks jobs list --dead)`,
      );
    output.note('there are no failed jobs to retry');
  }
  const reports = await withProgress(output, async (shown) => {
    const ended = [];
    for (const run of runs) {
      const startedMs = monotonicMs();
      const outcome = await runner.finished(run, { ...shown, signal });
      ended.push(reportOutcome(output, outcome, startedMs));
    }
    return ended;
  });
  output.result(
    reports.map(({ report }) => report),
    reports.flatMap(({ lines }) => lines),
  );
}

export function registerJobs(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('list the jobs of backfills and schedules, and retry failed ones');
  jobs
    .command('list')
    .description('list waiting, active, finished and failed jobs')
    .addOption(
      new Option('--state <state>', 'list only jobs in this state').choices([
        'waiting',
        'active',
        'delayed',
        'done',
        'dead',
      ]),
    )
    .option('--dead', 'list only failed jobs (all tries used), with their reasons')
    .action(listJobs);
  const retry = jobs
    .command('retry')
    .description('run failed jobs again and publish their data')
    .argument('[ids...]', 'ids of failed jobs (jobs list --dead)')
    .option('--all', 'retry every failed job');
  withAcceptOption(retry).action(retryJobs);
}
