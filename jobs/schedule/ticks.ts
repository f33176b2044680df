/** Ticks of a schedule, on New York's clocks and the exchange's calendar. */

import {
  isSession,
  latestCompletedSession,
  newYorkDay,
  newYorkMidnightMs,
  newYorkMomentMs,
  nextSession,
  sessionCloseMs,
  sessionOpenMs,
} from '../../src/base/time/calendar.ts';
import { pause } from '../../src/base/time/pause.ts';
import type { TickRule } from '../../src/ingest/contract/schedule.ts';
import { scheduleLimits } from './limits.ts';

const MILLIS_PER_MINUTE = 60_000;

/** Longer than the exchange was ever closed within the calendar's time. */
const DAYS_WITHOUT_TICK_MAX = 14;

/** Returns the newest tick at or before `nowMs`. */
export function latestTick(rule: TickRule, nowMs: number): number {
  const today = newYorkDay(nowMs);
  for (let day = today; day >= today - DAYS_WITHOUT_TICK_MAX; day--) {
    const tick = ticksOfDay(rule, day).findLast((ms) => ms <= nowMs);
    if (tick !== undefined) return tick;
  }
  throw new Error(`no tick in ${DAYS_WITHOUT_TICK_MAX} days`);
}

/** Returns the first tick after `nowMs`. */
export function nextTick(rule: TickRule, nowMs: number): number {
  const today = newYorkDay(nowMs);
  for (let day = today; day <= today + DAYS_WITHOUT_TICK_MAX; day++) {
    const tick = ticksOfDay(rule, day).find((ms) => ms > nowMs);
    if (tick !== undefined) return tick;
  }
  throw new Error(`no tick in ${DAYS_WITHOUT_TICK_MAX} days`);
}

/** Waits for the next close of a session, after which the sandbox gets its bars. */
export async function untilNextClose(clock: () => number, signal: AbortSignal): Promise<void> {
  const closeMs = sessionCloseMs(nextSession(latestCompletedSession(clock())));
  while (!signal.aborted && clock() < closeMs) {
    // A sleep of the machine must not lengthen the wait.
    await pause(scheduleLimits.clockCheckMs, signal);
  }
}

function ticksOfDay(rule: TickRule, day: number): number[] {
  if ('during' in rule) {
    if (!isSession(day)) return [];
    const lateMs = rule.lateMinutes * MILLIS_PER_MINUTE;
    const firstMs = sessionOpenMs(day) + lateMs;
    return everyBetween(rule.everyMinutes, firstMs, sessionCloseMs(day) + lateMs + 1);
  }
  if ('minutesAfterClose' in rule) {
    if (!isSession(day)) return [];
    return [sessionCloseMs(day) + rule.minutesAfterClose * MILLIS_PER_MINUTE];
  }
  if ('at' in rule) {
    const isDue = rule.on === 'days' || isSession(day);
    return isDue ? [newYorkMomentMs(day, minutesFromText(rule.at))] : [];
  }
  if ('from' in rule) {
    const [from, until] = [rule.from, rule.until].map((text) =>
      newYorkMomentMs(day, minutesFromText(text)),
    );
    return everyBetween(rule.everyMinutes, from, until);
  }
  return everyBetween(rule.everyMinutes, newYorkMidnightMs(day), newYorkMidnightMs(day + 1));
}

function everyBetween(minutes: number, fromMs: number, endMs: number): number[] {
  const ticks: number[] = [];
  for (let ms = fromMs; ms < endMs; ms += minutes * MILLIS_PER_MINUTE) ticks.push(ms);
  return ticks;
}

function minutesFromText(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return 60 * hours + minutes;
}
