/** `status`: shows what is published in each mode, how fresh it is, and what to do. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { limits } from '../../base/limits/limits.ts';
import type { ServingStatus } from '../../store/arrow/read/serving-status.ts';
import { createOutput } from '../output.ts';
import type { ModeStatus, PublishState, StatusReport } from './status-report.ts';

async function showStatus(options: { json?: boolean }): Promise<void> {
  const [{ statusReport }, { newYorkText }] = await Promise.all([
    import('./status-report.ts'),
    import('../../../jobs/schedule/schedule-text.ts'),
  ]);
  const report = await statusReport(settingsFromEnv(process.env), Date.now());
  createOutput(options.json).result(report, statusLines(report, newYorkText));
}

function statusLines(report: StatusReport, newYorkText: (ms: number) => string): string[] {
  const { dataDir, modes, jobs, schedules, integrity, disk } = report;
  const gigabytes = (disk.freeBytes / 2 ** 30).toFixed(1);
  return [
    `data: ${dataDir}, ${gigabytes} GiB free${disk.isFull ? ': FULL' : ''}`,
    ...modes.flatMap(modeLines),
    `jobs: ${jobsText(jobs)}`,
    ...integrityLines(integrity),
    ...(schedules.length === 0 ? [] : ['schedules, run by start or schedule (New York time):']),
    ...schedules.map(
      ({ name, source, nextAt }) => `  ${newYorkText(Date.parse(nextAt))}  ${name} from ${source}`,
    ),
  ];
}

function integrityLines({ ranAt, roundEndedAt, faults }: StatusReport['integrity']): string[] {
  const when = ranAt === null ? 'not checked yet' : `checked ${ranAt}`;
  const round = roundEndedAt === null ? '' : `, all data by ${roundEndedAt}`;
  if (faults.length === 0) return [`integrity: ${when}${round}`];
  const lines = faults.map(({ part, fault, remedy }) => `  ${part}: ${fault}: ${remedy}`);
  return [
    `integrity: ${countText(faults.length)} parts are DAMAGED, ${when}`,
    ...lines.slice(0, limits.integrity.faultsTold),
  ];
}

function modeLines(status: ModeStatus): string[] {
  const { published, datasets, pending, busy } = status;
  const others = datasets.map(
    ({ dataset, rows, changedAt }) =>
      `  ${dataset}: ${countText(rows)} rows, last changed ${changedAt}`,
  );
  const left = pending && pending.series + pending.lists > 0 ? pending : undefined;
  return [
    headingOf(status),
    ...(published ? candleLines(published) : []),
    ...others,
    ...(left
      ? [`  not published yet: ${countText(left.series)} series, ${countText(left.lists)} lists`]
      : []),
    ...(busy ? [`  unpublished changes unknown: ${busy}`] : []),
  ];
}

const UNPUBLISHED: Record<PublishState, string> = {
  published: '',
  damaged: '',
  empty: 'empty',
  unpublished: 'nothing is published yet: the next backfill publishes what is loaded',
  'older-format': 'published by an older version: start, or the next backfill, publishes it again',
  'status-lost': 'served, but its status.json is missing: the next backfill writes it',
};

function headingOf({ mode, state, published, damage }: ModeStatus): string {
  if (damage) return `${mode}: DAMAGED: ${damage}: compact --full --mode ${mode}`;
  if (published) return `${mode}: version ${published.version}, published ${published.publishedAt}`;
  return `${mode}: ${UNPUBLISHED[state]}`;
}

function candleLines({ datasets: { candles, intraday } }: ServingStatus): string[] {
  const { symbols, rows, newestBarEnd, staleSymbols } = candles;
  return [
    newestBarEnd === null
      ? '  candles: no bars'
      : `  candles: ${countText(symbols)} symbols, newest bar ended ${newestBarEnd}` +
        (staleSymbols > 0 ? `, ${countText(staleSymbols)} symbols ended earlier` : ''),
    ...Object.entries(rows).map(([interval, count]) => `  ${interval}: ${countText(count)} bars`),
    ...(intraday ? Object.entries(intraday) : []).map(
      ([interval, { symbols, rows, newestBarEnd }]) =>
        newestBarEnd === null
          ? `  ${interval}: no bars`
          : `  ${interval}: ${countText(rows)} bars of ${countText(symbols)} symbols, ` +
            `newest ended ${newestBarEnd}`,
    ),
  ];
}

function jobsText(jobs: StatusReport['jobs']): string {
  if (!jobs) return 'Redis does not answer';
  const { waiting = 0, active = 0, delayed = 0, dead = 0 } = jobs;
  const left = `${countText(waiting + delayed)} to be done, ${countText(active)} running`;
  return dead === 0 ? left : `${left}, ${countText(dead)} failed: tapeworks jobs list --dead`;
}

export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('show what is published, how fresh it is, and pending jobs')
    .action(showStatus);
}
