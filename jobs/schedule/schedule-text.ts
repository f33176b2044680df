/** Words for the table of schedules. */

import type { Settings } from '../../src/base/config/config.ts';
import { newYorkDay, newYorkMidnightMs } from '../../src/base/time/calendar.ts';
import { dateFromDay } from '../../src/base/time/dates.ts';
import type { TickRule } from '../../src/ingest/contract/schedule.ts';
import { type ScheduleState, scheduleStates } from './schedules.ts';
import { nextTick } from './ticks.ts';

const MILLIS_PER_MINUTE = 60_000;

export interface ScheduleRow {
  name: string;
  source: string;
  when: string;
  /** On New York's clocks. */
  next: string;
  runs: boolean;
  /** `runs`, or why not. */
  state: string;
}

export function scheduleRows(settings: Settings, nowMs: number): ScheduleRow[] {
  return scheduleStates(settings).map((state) => {
    const { name, source, rule } = state.schedule;
    const text = stateText(state);
    const next = newYorkText(nextTick(rule, nowMs));
    return { name, source, when: whenText(rule), next, runs: text === RUNS, state: text };
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
  const day = newYorkDay(ms);
  // Clocks change while exchanges sleep, so the minutes since midnight are those of the clock.
  const minutes = Math.floor((ms - newYorkMidnightMs(day)) / MILLIS_PER_MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${dateFromDay(day)} ${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

function stateText({ missing, isOther }: ScheduleState): string {
  if (missing.length > 0) return `needs ${missing.join(' and ')}`;
  return isOther ? 'another source brings it' : RUNS;
}
