/** `schedule`: runs the schedules, or lists them. */

import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Runner } from '../../../jobs/contract/runner.ts';
import type { ScheduleDeps } from '../../../jobs/schedule/run-schedules.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { createOutput, tableLines } from '../output.ts';
import { stopSignal } from '../progress.ts';

interface ScheduleOptions {
  list?: boolean;
  json?: boolean;
}

async function schedule({ list, json }: ScheduleOptions): Promise<void> {
  if (list) return listSchedules(json);
  const settings = settingsFromEnv(process.env);
  const [{ openRunner }, { configuredSchedules }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/schedule/schedules.ts'),
  ]);
  const names = configuredSchedules(settings).map(({ name }) => name);
  if (names.length === 0) {
    throw new ConfigError(
      'schedules are switched off by TAPEWORKS_SCHEDULE=off: schedule --list shows what each needs',
    );
  }
  const signal = stopSignal();
  const runner = await openRunner(settings);
  createOutput(json).result({ running: names }, [`schedules: ${names.join(', ')}`]);
  await runLogged(settings, runner, signal);
}

/** Runs schedules until the signal aborts, logs their results to stderr, and closes the runner. */
export async function runLogged(
  settings: Settings,
  runner: Runner,
  signal: AbortSignal,
): Promise<void> {
  const [{ default: pino }, { runSchedules }] = await Promise.all([
    import('pino'),
    import('../../../jobs/schedule/run-schedules.ts'),
  ]);
  const log = pino({ level: settings.logLevel, base: { pid: process.pid } }, pino.destination(2));
  try {
    const hooks = logged(runner, log, signal);
    const dataSinceMs = madeMs(settings.dataDir);
    await runSchedules({ settings, runner, clock: Date.now, dataSinceMs, signal, ...hooks });
  } finally {
    await runner.close();
  }
}

interface ScheduleLog {
  info(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Builds the hooks of `runSchedules` that log a tick when it is due and when it is done. */
function logged(
  runner: Pick<Runner, 'finished'>,
  log: ScheduleLog,
  signal: AbortSignal,
): Required<Pick<ScheduleDeps, 'onDue' | 'onFailure'>> {
  return {
    onDue({ name, source }, tick, runId) {
      const told = { schedule: name, source, tick, job: runId };
      log.info(told, 'due');
      runner.finished(runId, { signal }).then(
        (outcome) => {
          if ('failure' in outcome) {
            const { kind, reason } = outcome.failure;
            log.error({ ...told, kind, reason }, 'failed');
            return;
          }
          const { accepted, rejected, publishedVersion, deadJobs, did, faults } = outcome.report;
          if (did) {
            if (faults?.length) log.error({ ...told, ...did, faults }, 'data are damaged');
            else log.info({ ...told, ...did }, 'done');
            return;
          }
          const counts = { accepted, rejected, publishedVersion, dead: deadJobs.length };
          if (deadJobs.length > 0) log.error({ ...told, ...counts }, 'done in part');
          else log.info({ ...told, ...counts }, 'done');
        },
        (error) => {
          if (!signal.aborted) log.error({ ...told, reason: String(error) }, 'not waited for');
        },
      );
    },
    onFailure({ name, source }, error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ schedule: name, source, reason }, 'could not be started');
    },
  };
}

/** Returns the creation time of a folder, or 0 if the file system has none. */
function madeMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

async function listSchedules(json?: boolean): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { scheduleRows } = await import('../../../jobs/schedule/schedules.ts');
  const rows = scheduleRows(settings, Date.now());
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
