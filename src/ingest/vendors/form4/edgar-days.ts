/** Forms and days of filings of insiders. Pure. */

import { newYorkDay } from '../../../base/time/calendar.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { form4Limits } from './limits.ts';

/** Returns true for Forms 4 and 5. Form 3 lists holdings and has no transactions. */
export function isTransactionForm(form: string): boolean {
  return /^[45](\/A)?$/.test(form);
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
