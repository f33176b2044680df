/** What runs by itself, and when: the one table, in New York time. */

import type { Settings } from '../../src/base/config/config.ts';
import { newYorkDay } from '../../src/base/time/calendar.ts';
import { missingSetting, needsNoSetting } from '../../src/ingest/contract/settings.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import type { MaintenanceTask, Priority } from '../contract/run.ts';
import type { TickRule } from './ticks.ts';

export interface Schedule {
  /** What it brings; of rows with one name the first whose source is configured runs. */
  name: string;
  /** Name in the table of sources; of tasks `MAINTENANCE_SOURCE`. */
  source: string;
  /** What is done to the data that is there, instead of asking a source; it needs none. */
  task?: MaintenanceTask;
  rule: TickRule;
  options?: Pick<SourceOptions, 'dataset' | 'interval' | 'bulk'>;
  /** Asks from so many days before the tick on; default for what is missing. */
  sinceDays?: number;
  /** Asks for the symbols of the watchlist, and does not run without one. */
  isWatched?: true;
  /** Too large to come unasked: `TAPEWORKS_SCHEDULE` must name the source as well. */
  mustBeNamed?: true;
  priority: Priority;
}

/** Stands in the place of a source for what asks none. */
export const MAINTENANCE_SOURCE = 'maintenance';

/**
 * Delays after the close are those the vendors name, with some minutes more. Sources of rows are
 * polled outside their users' busy hours, where it does not matter when.
 */
export const SCHEDULES: readonly Schedule[] = [
  {
    name: 'minutes',
    source: 'alpaca',
    rule: { everyMinutes: 1, during: 'session', lateMinutes: 17 },
    options: { interval: '1m' },
    sinceDays: 0,
    isWatched: true,
    priority: 'quotes',
  },
  { name: 'days', source: 'massive', rule: { minutesAfterClose: 45 }, priority: 'daily' },
  { name: 'days', source: 'alpaca', rule: { minutesAfterClose: 30 }, priority: 'daily' },
  { name: 'days', source: 'eodhd', rule: { minutesAfterClose: 200 }, priority: 'daily' },
  {
    name: 'days',
    source: 'tiingo',
    rule: { minutesAfterClose: 120 },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'days',
    source: 'yahoo',
    rule: { minutesAfterClose: 30 },
    isWatched: true,
    priority: 'daily',
  },
  { name: 'symbols', source: 'symbols', rule: { at: '06:30', on: 'sessions' }, priority: 'daily' },
  {
    name: 'filings',
    source: 'sec',
    rule: { at: '22:30', on: 'sessions' },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'filings',
    source: 'sec',
    rule: { at: '05:00', on: 'days' },
    options: { bulk: true },
    mustBeNamed: true,
    priority: 'backfill',
  },
  {
    name: 'insiders',
    source: 'form4',
    rule: { everyMinutes: 10, from: '06:00', until: '22:30' },
    sinceDays: 7,
    priority: 'daily',
  },
  { name: 'news', source: 'rss', rule: { everyMinutes: 5 }, priority: 'quotes' },
  { name: 'earnings dates', source: 'fmp', rule: { at: '07:00', on: 'days' }, priority: 'daily' },
  {
    name: 'earnings dates',
    source: 'finnhub',
    rule: { at: '07:00', on: 'days' },
    priority: 'daily',
  },
  {
    name: 'earnings dates',
    source: 'nasdaq',
    rule: { at: '07:00', on: 'days' },
    priority: 'daily',
  },
  {
    name: 'analysts',
    source: 'fmp',
    rule: { at: '18:30', on: 'sessions' },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'analysts',
    source: 'finnhub',
    rule: { at: '18:30', on: 'sessions' },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'analysts',
    source: 'yahoo',
    rule: { at: '18:30', on: 'sessions' },
    options: { dataset: 'analysts' },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'expirations',
    source: 'cboe',
    rule: { at: '17:30', on: 'sessions' },
    isWatched: true,
    priority: 'daily',
  },
  {
    name: 'expirations',
    source: 'yahoo',
    rule: { at: '17:30', on: 'sessions' },
    options: { dataset: 'expirations' },
    isWatched: true,
    priority: 'daily',
  },
  maintenance('retention', '03:10'),
  maintenance('roll-up', '03:20'),
  maintenance('integrity', '03:30'),
  maintenance('compact', '04:15'),
];

/** While markets sleep, and before the night's filings come. */
function maintenance(task: MaintenanceTask, at: string): Schedule {
  const rule = { at, on: 'days' } as const;
  return { name: task, source: MAINTENANCE_SOURCE, task, rule, priority: 'backfill' };
}

/** What keeps a row of the table from running. */
export interface ScheduleState {
  schedule: Schedule;
  /** Settings that it lacks, as `NAME=value` or a name; empty where it could run. */
  missing: string[];
  /** It could run, and a row before it brings the same. */
  isOther: boolean;
}

/** All rows of the table, in its order. */
export function scheduleStates(settings: Settings): ScheduleState[] {
  const running = new Set<string>();
  return SCHEDULES.map((schedule) => {
    const missing = missingSettings(schedule, settings);
    const isOther = missing.length === 0 && running.has(schedule.name);
    if (missing.length === 0) running.add(schedule.name);
    return { schedule, missing, isOther };
  });
}

/** The schedules that these settings make possible, one a name. */
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

/** The options of a run. */
export function scheduledOptions(
  { source, options, sinceDays, isWatched }: Schedule,
  { watchlist, rssFeeds }: Pick<Settings, 'watchlist' | 'rssFeeds'>,
  tickMs: number,
): SourceOptions {
  return {
    ...options,
    ...(sinceDays !== undefined && { fromDay: newYorkDay(tickMs) - sinceDays }),
    ...(isWatched && { symbols: watchlist }),
    ...(source === 'rss' && { paths: rssFeeds }),
  };
}
