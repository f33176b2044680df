/** Checks daily bars against the sessions of the exchange calendar. */

import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import { isClosedDay } from '../../base/time/closed-days.ts';
import type { QualityFlag } from './quality-flag.ts';

/**
 * Flags bars on days on which no US exchange traded. Years outside the calendar are not checked.
 *
 * @param days Dates of daily bars, as days since the epoch.
 */
export function closedDays(days: Int32Array): QualityFlag[] {
  const flags: QualityFlag[] = [];
  for (let row = 0; row < days.length; row++) {
    if (isClosedDay(days[row])) flags.push({ row, flag: 'closed-day', value: 1, expected: 0 });
  }
  return flags;
}

/**
 * Flags sessions of the exchange calendar without a bar, between the first and the last bar. Bars on
 * days without a session, or outside the years of the calendar, neither make nor fill a hole.
 *
 * @param days Dates of daily bars, as days since the epoch; strictly rising.
 */
export function missingSessions(days: Int32Array): QualityFlag[] {
  if (days.length === 0) return [];
  const firstDay = Math.max(days[0], CALENDAR_FIRST_DAY);
  const lastDay = Math.min(days[days.length - 1], CALENDAR_LAST_DAY);
  if (firstDay > lastDay) return [];
  const sessions = sessionsBetween(firstDay, lastDay);
  const flags: QualityFlag[] = [];
  let next = 0;
  for (let row = 0; row < days.length && next < sessions.length; row++) {
    const first = next;
    while (sessions[next] < days[row]) next++;
    if (next > first) {
      flags.push({ row, flag: 'missing-sessions', value: next - first, expected: 0 });
    }
    if (sessions[next] === days[row]) next++;
  }
  return flags;
}
