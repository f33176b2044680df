/** The table of schedules in New York time: those of the vendors, then maintenance. */

import type { Settings } from '../../src/base/config/config.ts';
import { newYorkClockMs, newYorkDay } from '../../src/base/time/calendar.ts';
import type { ScheduleName, SourceSchedule, TickRule } from '../../src/ingest/contract/schedule.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { missingSetting, needsNoSetting } from '../../src/ingest/sources/settings.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { vendors } from '../../src/ingest/vendors/vendors.ts';
import type { MaintenanceTask } from '../contract/run.ts';
import { nextTick } from './ticks.ts';

export interface Schedule extends Omit<SourceSchedule, 'name' | 'rank'> {
  /** Several rows share a name: the first with a configured source runs. */
  name: ScheduleName | MaintenanceTask;
  source: string;
  /** Maintenance task; it needs no source. */
  task?: MaintenanceTask;
}

export const MAINTENANCE_SOURCE = 'maintenance';

const NAMES: readonly ScheduleName[] = [
  'minutes',
  'days',
  'symbols',
  'filings',
  'insiders',
  'news',
  'earnings dates',
  'analysts',
  'expirations',
];

const ofVendors = vendors.flatMap(({ id, schedules = [] }) =>
  schedules.map(({ rank, ...schedule }) => ({ rank, ...schedule, source: id })),
);

export const SCHEDULES: readonly Schedule[] = [
  ...NAMES.flatMap((name) =>
    ofVendors
      .filter((schedule) => schedule.name === name)
      .sort((a, b) => a.rank - b.rank)
      .map(({ rank, ...schedule }) => schedule),
  ),
  maintenance('retention', '03:10'),
  maintenance('roll-up', '03:20'),
  maintenance('integrity', '03:30'),
  maintenance('compact', '04:15'),
];

function maintenance(task: MaintenanceTask, at: string): Schedule {
  const rule = { at, on: 'days' } as const;
  return { name: task, source: MAINTENANCE_SOURCE, task, rule, priority: 'backfill' };
}

export interface ScheduleState {
  schedule: Schedule;
  /** Missing settings, as `NAME=value` or a name. */
  missing: string[];
  /** True if an earlier row brings the same data. */
  isOther: boolean;
}

export function scheduleStates(settings: Settings): ScheduleState[] {
  const running = new Set<string>();
  return SCHEDULES.map((schedule) => {
    const missing = missingSettings(schedule, settings);
    const isOther = missing.length === 0 && running.has(schedule.name);
    if (missing.length === 0) running.add(schedule.name);
    return { schedule, missing, isOther };
  });
}

/** Returns the schedules that run, one for each name. */
export function configuredSchedules(settings: Settings): Schedule[] {
  return scheduleStates(settings)
    .filter(({ missing, isOther }) => missing.length === 0 && !isOther)
    .map(({ schedule }) => schedule);
}

function missingSettings(
  { source, task, isWatched, mustBeNamed }: Schedule,
  settings: Settings,
): string[] {
  if (settings.schedule === 'off') return ['TAPEWORKS_SCHEDULE other than off'];
  if (task) return [];
  const isNamed = settings.schedule.includes(source);
  const setting = missingSetting(source, settings);
  const missing = setting === undefined ? [] : [setting];
  if ((mustBeNamed || needsNoSetting(source)) && !isNamed) {
    missing.push(`TAPEWORKS_SCHEDULE=${source}`);
  }
  if (isWatched && settings.watchlist.length === 0) missing.push('TAPEWORKS_WATCHLIST');
  return missing;
}

export function scheduledOptions(
  { source, options, sinceDays, firstDays, isWatched }: Schedule,
  settings: Pick<Settings, 'watchlist' | 'rssFeeds'>,
  tickMs: number,
): SourceOptions {
  const paths = sourceNamed(source)?.defaultPaths;
  const today = newYorkDay(tickMs);
  return {
    ...options,
    ...(sinceDays !== undefined && { fromDay: today - sinceDays }),
    ...(firstDays !== undefined && { firstDay: today - firstDays }),
    ...(isWatched && { symbols: settings.watchlist }),
    ...(paths && { paths: settings[paths] }),
  };
}

/** Makes the rows of the table as people read it; `next` is `nextAt` on New York's clocks. */
export function scheduleRows(settings: Settings, nowMs: number) {
  return scheduleStates(settings).map((state) => {
    const { name, source, rule } = state.schedule;
    const text = stateText(state);
    const nextMs = nextTick(rule, nowMs);
    const [next, nextAt] = [newYorkText(nextMs), new Date(nextMs).toISOString()];
    return { name, source, when: whenText(rule), next, nextAt, runs: text === RUNS, state: text };
  });
}

const RUNS = 'runs';

export function whenText(rule: TickRule): string {
  if ('during' in rule) {
    const { everyMinutes, lateMinutes } = rule;
    return `${everyText(everyMinutes)} of a session, ${lateMinutes} minutes late`;
  }
  if ('minutesAfterClose' in rule) return `${rule.minutesAfterClose} minutes after the close`;
  if ('at' in rule) return `${rule.at}, ${rule.on === 'days' ? 'every day' : 'days of sessions'}`;
  if ('from' in rule) return `${everyText(rule.everyMinutes)}, ${rule.from} to ${rule.until}`;
  return everyText(rule.everyMinutes);
}

function everyText(minutes: number): string {
  return minutes === 1 ? 'every minute' : `every ${minutes} minutes`;
}

/** A moment on New York's clocks: `2026-11-20 16:45`. */
export function newYorkText(ms: number): string {
  return new Date(newYorkClockMs(ms)).toISOString().slice(0, 16).replace('T', ' ');
}

function stateText({ missing, isOther }: ScheduleState): string {
  if (missing.length > 0) return `needs ${missing.join(' and ')}`;
  return isOther ? 'another source brings it' : RUNS;
}
