/** `schedule`: runs the schedules, or lists them. */

import type { Command } from 'commander';
import type { Runner, RunOutcome } from '../../../jobs/contract/runner.ts';
import type { ScheduleDeps } from '../../../jobs/schedule/run-schedules.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { visible } from '../../base/quoted.ts';
import { wallMs } from '../../base/world/clock.ts';
import { statSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';
import { keepUploads } from '../fleet.ts';
import { createOutput, tableLines } from '../output.ts';
import { stopSignal } from '../progress.ts';

interface ScheduleOptions {
  list?: boolean;
  json?: boolean;
}

async function schedule({ list, json }: ScheduleOptions): Promise<void> {
  if (list) return listSchedules(json);
  const settings = settingsFromEnv(process.env);
  const [{ openRunner }, { keepRuns }, { configuredSchedules }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/runner/keep-runs.ts'),
    import('../../../jobs/schedule/schedules.ts'),
  ]);
  const names = configuredSchedules(settings).map(({ name }) => name);
  if (names.length === 0) {
    throw new ConfigError(
      'schedules are switched off by TAPEWORKS_SCHEDULE=off: schedule --list shows what each needs',
    );
  }
  const signal = stopSignal();
  const runner = await openRunner(settings, { isKeeper: true });
  createOutput(json).result({ running: names }, [`schedules: ${names.join(', ')}`]);
  const note = (line: string) => process.stderr.write(visible(`schedule: ${line}\n`));
  const uploads = keepUploads(settings, note, signal);
  const ended = new AbortController();
  const kept = keepRuns(runner, AbortSignal.any([signal, ended.signal]));
  await runLogged(settings, runner, signal).finally(async () => {
    ended.abort();
    await kept;
    await runner.close();
  });
  await uploads;
}

/** Runs schedules until the signal aborts, and logs their results to stderr. */
export async function runLogged(
  settings: Settings,
  runner: Runner,
  signal: AbortSignal,
  onDealt?: ScheduleDeps['onDealt'],
): Promise<void> {
  const [{ default: pino }, { runSchedules }] = await Promise.all([
    import('pino'),
    import('../../../jobs/schedule/run-schedules.ts'),
  ]);
  const log = pino({ level: settings.logLevel, base: { pid: process.pid } }, pino.destination(2));
  const onDue: ScheduleDeps['onDue'] = ({ name, source }, tick, runId) => {
    const run = { schedule: name, source, tick, job: runId };
    log.info(run, 'due');
    runner.finished(runId, { signal }).then(
      (outcome) => {
        const { text, ...fields } = resultOf(outcome);
        log[text === 'done' ? 'info' : 'error']({ ...run, ...fields }, text);
      },
      (error) => {
        if (!signal.aborted) log.error({ ...run, reason: String(error) }, 'not waited for');
      },
    );
  };
  const onFailure: ScheduleDeps['onFailure'] = ({ name, source }, error) => {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ schedule: name, source, reason }, 'could not be started');
  };
  const dataSinceMs = madeMs(settings.dataDir);
  const deps = { settings, runner, clock: wallMs, dataSinceMs, signal };
  await runSchedules({ ...deps, onDue, onFailure, onDealt });
}

/** Returns the log line of an ended run: its text, and its fields. */
function resultOf(outcome: RunOutcome) {
  if ('failure' in outcome) {
    const { kind, reason } = outcome.failure;
    return { text: 'failed', kind, reason };
  }
  const { accepted, rejected, publishedVersion, deadJobs, did, faults } = outcome.report;
  if (did)
    return faults?.length ? { text: 'data are damaged', ...did, faults } : { text: 'done', ...did };
  const counts = { accepted, rejected, publishedVersion, dead: deadJobs.length };
  return { text: deadJobs.length > 0 ? 'done in part' : 'done', ...counts };
}

/** Returns the creation time of a folder, or 0 if the file system has none. */
function madeMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

async function listSchedules(json?: boolean): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { scheduleRows } = await import('../../../jobs/schedule/schedules.ts');
  const rows = scheduleRows(settings, wallMs());
  const lines = rows.map(({ name, source, when, next, state }) => [
    name,
    source,
    when,
    next,
    state,
  ]);
  const heading = ['schedule', 'source', 'when (New York)', 'next', 'state'];
  createOutput(json).result(rows, tableLines([heading, ...lines]));
}

export function registerSchedule(program: Command): void {
  program
    .command('schedule')
    .description('run the schedules until stopped (with Redis, workers run their jobs)')
    .option('--list', 'list the schedules and what each one still needs')
    .action(schedule);
}
