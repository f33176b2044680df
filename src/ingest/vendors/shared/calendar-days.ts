/** Days of a calendar to fetch, and rows of them to keep. Pure. */

import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { isAsked, type SourceOptions } from '../../contract/source-options.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import type { DayRange } from './vendor-days.ts';

/**
 * Returns the days to fetch, by default from today in New York on; empty where the first is after
 * the last.
 *
 * @throws {ParameterError} more than `limits.calendar.daysMax` days.
 */
export function calendarDays({ fromDay, toDay }: SourceOptions, nowMs: number): DayRange {
  const first = fromDay ?? Math.min(newYorkDay(nowMs), toDay ?? Infinity);
  const last = toDay ?? first + limits.calendar.daysDefault;
  const count = last - first + 1;
  if (count > limits.calendar.daysMax) {
    throw new ParameterError(
      'to',
      `--from and --to must be at most ${limits.calendar.daysMax} days, got ${count}`,
    );
  }
  return { fromDay: first, toDay: last };
}

/** Keeps the rows of the requested symbols. Rejected rows stay: their symbol is unknown. */
export function wantedRows(rows: readonly UncheckedRow[], options: SourceOptions): UncheckedRow[] {
  return rows.filter((one) => !('row' in one) || isAsked(String(one.row.symbol), options));
}
