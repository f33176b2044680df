import { CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY, isSession } from '../../base/time/calendar.ts';
import type { QualityFlag } from './quality-flag.ts';

/**
 * Flags bars on days without a session in the exchange calendar. Years outside the calendar are not
 * checked.
 *
 * @param days Dates of daily bars, as days since the epoch.
 */
export function closedDays(days: Int32Array): QualityFlag[] {
  const flags: QualityFlag[] = [];
  for (let row = 0; row < days.length; row++) {
    if (days[row] < CALENDAR_FIRST_DAY || days[row] > CALENDAR_LAST_DAY) continue;
    if (!isSession(days[row])) flags.push({ row, flag: 'closed-day', value: 1, expected: 0 });
  }
  return flags;
}
