/** Quarters and days of EDGAR that cover a time. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate, weekdayFromDay } from '../../../base/time/dates.ts';
import type { SourceOptions } from '../../contract/source-options.ts';

export interface Quarter {
  /** `2025q1`. */
  name: string;
  /** Folder of its daily indexes: `2025/QTR1`. */
  folder: string;
  firstDay: number;
  lastDay: number;
}

/** Quarters that contain any of the days, both ends included. */
export function quartersBetween(fromDay: number, toDay: number): Quarter[] {
  const quarters: Quarter[] = [];
  let day = fromDay;
  while (day <= toDay) {
    const quarter = quarterOf(day);
    quarters.push(quarter);
    day = quarter.lastDay + 1;
  }
  return quarters;
}

function quarterOf(day: number): Quarter {
  const [year, month] = dateFromDay(day).split('-').map(Number);
  const number = Math.floor((month - 1) / 3) + 1;
  const firstOf = (months: number) => {
    const start = new Date(Date.UTC(year, months, 1)).toISOString();
    return dayFromDate(start.slice(0, 10));
  };
  const firstDay = firstOf(3 * number - 3);
  const lastDay = firstOf(3 * number) - 1;
  return { name: `${year}q${number}`, folder: `${year}/QTR${number}`, firstDay, lastDay };
}

/** Monday to Friday, both ends included. The SEC takes filings on no other days. */
export function weekdaysBetween(fromDay: number, toDay: number): number[] {
  const days: number[] = [];
  for (let day = fromDay; day <= toDay; day++) {
    if (![0, 6].includes(weekdayFromDay(day))) days.push(day);
  }
  return days;
}

/** `form.20250110.idx`. */
export function indexName(day: number): string {
  return `form.${dateFromDay(day).replaceAll('-', '')}.idx`;
}

/** Reads the names in a folder of EDGAR from its `index.json`. */
export function namesInFolder(text: string): Set<string> {
  let items: unknown;
  try {
    items = JSON.parse(text)?.directory?.item;
  } catch (cause) {
    throw new MalformedInputError('the list of a folder is not JSON', { cause });
  }
  if (!Array.isArray(items)) throw new MalformedInputError('the list of a folder has no items');
  return new Set(items.map((item: { name?: unknown } | null) => String(item?.name)));
}

/** Days of a request, both ends included. `to` is today at most. */
export interface AskedDays {
  from: number;
  to: number;
  today: number;
}

export function daysOf({ fromDay, toDay }: SourceOptions, nowMs: number): AskedDays {
  const today = newYorkDay(nowMs);
  const from = fromDay ?? today - limits.form4.historyDays;
  return { from, to: Math.min(toDay ?? today, today), today };
}
