/** `schedule`: runs what is due by itself, or says what that is. */

import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Runner } from '../../../jobs/contract/runner.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { createOutput, tableLines } from '../output.ts';

interface ScheduleOptions {
  list?: boolean;
  json?: boolean;
}

async function schedule({ list, json }: ScheduleOptions): Promise<void> {
  if (list) return listSchedules(json === true);
  const settings = settingsFromEnv(process.env);
  const [{ openRunner }, { configuredSchedules }] = await Promise.all([
    import('../../../jobs/runner/open-runner.ts'),
    import('../../../jobs/schedule/schedules.ts'),
  ]);
  const names = configuredSchedules(settings).map(({ name }) => name);
  if (names.length === 0) {
    throw new ConfigError(
      'schedules are switched off by TAPEWORKS_SCHEDULE=off: schedule --list says what each needs',
    );
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const runner = await openRunner(settings);
  createOutput(json === true).result({ running: names }, [`schedules: ${names.join(', ')}`]);
  await runLogged(settings, runner, stop.signal);
}

/** Runs schedules until the signal aborts, logs to stderr what becomes of them, and closes the runner. */
export async function runLogged(
  settings: Settings,
  runner: Runner,
  signal: AbortSignal,
): Promise<void> {
  const [{ default: pino }, { runSchedules }, { logged }] = await Promise.all([
    import('pino'),
    import('../../../jobs/schedule/run-schedules.ts'),
    import('../../../jobs/schedule/logged.ts'),
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

/** When a folder was made, where the file system tells; else 0. */
function madeMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

async function listSchedules(json: boolean): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { scheduleRows } = await import('../../../jobs/schedule/schedule-text.ts');
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
    .option('--json', 'print one JSON document')
    .action(schedule);
}
