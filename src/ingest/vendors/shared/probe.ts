/** The request of a probe: a stock that every vendor has, in the last two weeks. Pure. */

import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';

export const PROBE_SYMBOL = 'AAPL';

/** Two weeks always hold a session. */
export const PROBE_DAYS = 14;

export function lastDays(nowMs: number): { from: string; to: string } {
  const today = dayFromMillis(nowMs);
  return { from: dateFromDay(today - PROBE_DAYS), to: dateFromDay(today - 1) };
}
