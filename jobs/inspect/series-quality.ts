/** Holes and suspicious bars of one served daily series. Reads only. */

import { limits } from '../../src/base/limits.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  nextSession,
  previousSession,
  sessionsBetween,
} from '../../src/base/time/calendar.ts';
import { daysOfTimestamps } from '../../src/base/time/dates.ts';
import { qualityFlags } from '../../src/compute/quality/quality.ts';
import type { QualityFlag } from '../../src/compute/quality/quality-flag.ts';
import { missingSessions } from '../../src/compute/quality/sessions.ts';
import type { ActionsOfSymbol } from '../../src/store/duckdb/candles/read-actions.ts';
import type { WinningSeries } from '../../src/store/duckdb/candles/read-bars.ts';

/** Consecutive sessions without a bar, first and last day included. */
export interface Hole {
  fromDay: number;
  toDay: number;
  sessions: number;
}

/** Flag with the days of its bars; only an unchanged run has several. */
export interface DatedFlag extends Omit<QualityFlag, 'row'> {
  fromDay: number;
  toDay: number;
}

export function daysOfSeries({ bars }: WinningSeries): Int32Array {
  return daysOfTimestamps(bars.timestampUs);
}

/**
 * Finds the holes of a daily series, and its end.
 *
 * @param days Its bars, at least one.
 * @param newestDay Day of the newest bar of the mode.
 */
export function coverageOfDays(days: Int32Array, newestDay: number) {
  const lastDay = days[days.length - 1];
  const sessionsBehind = sessionsAfter(lastDay, newestDay);
  const holes = holesOfDays(days);
  return {
    barCount: days.length,
    firstDay: days[0],
    lastDay,
    holeCount: holes.length,
    missingSessions: holes.reduce((sum, { sessions }) => sum + sessions, 0),
    /** Sessions from its last bar to the newest bar of the mode. */
    sessionsBehind,
    hasStopped: sessionsBehind > limits.quality.sessionsBehindMax,
    holes,
  };
}

function sessionsAfter(day: number, untilDay: number): number {
  const fromDay = Math.max(day + 1, CALENDAR_FIRST_DAY);
  const toDay = Math.min(untilDay, CALENDAR_LAST_DAY);
  return fromDay <= toDay ? sessionsBetween(fromDay, toDay).length : 0;
}

export function holesOfDays(days: Int32Array): Hole[] {
  return missingSessions(days).map(({ row, value }) => ({
    fromDay: nextSession(Math.max(days[row - 1], CALENDAR_FIRST_DAY - 1)),
    toDay: previousSession(Math.min(days[row], CALENDAR_LAST_DAY + 1)),
    sessions: value,
  }));
}

/** Finds all flags except holes, which `holesOfDays` finds. */
export function flagsOfSeries(
  { bars, basis, asOfUs }: WinningSeries,
  days: Int32Array,
  actions: ActionsOfSymbol | undefined,
): DatedFlag[] {
  const { splits, dividends } = actions ?? { splits: [], dividends: [] };
  return qualityFlags(bars, { basis, asOfUs, splits, dividends })
    .filter(({ flag }) => flag !== 'missing-sessions')
    .map(({ row, flag, value, expected }) => {
      const lastRow = flag === 'unchanged-run' ? row + value - 1 : row;
      return { fromDay: days[row], toDay: days[lastRow], flag, value, expected };
    });
}
