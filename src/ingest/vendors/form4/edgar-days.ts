/** Days of EDGAR that cover a time. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, weekdayFromDay } from '../../../base/time/dates.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { form4Limits } from './limits.ts';

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
  const from = fromDay ?? today - form4Limits.historyDays;
  return { from, to: Math.min(toDay ?? today, today), today };
}
