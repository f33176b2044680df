/** Holes and suspicious bars of one served daily series. Reads only. */

import { MILLIS_PER_DAY, millisFromMicros } from '../../src/base/bars.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  nextSession,
  previousSession,
} from '../../src/base/time/calendar.ts';
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
  return Int32Array.from(millisFromMicros(bars.timestampUs), (ms) =>
    Math.floor(ms / MILLIS_PER_DAY),
  );
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
