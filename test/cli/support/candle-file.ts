/** A small file of synthetic daily bars, for tests of the whole way. */

import { writeFileSync } from 'node:fs';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';

/**
 * Writes a CSV of every session between two dates; closes rise by one cent a session from `price`.
 *
 * @returns number of bars.
 */
export function writeCandleFile(path: string, from: string, to: string, price = 100): number {
  const days = [...sessionsBetween(dayFromDate(from), dayFromDate(to))];
  const rows = days.map((day, i) => {
    const close = (price + i / 100).toFixed(2);
    return `${dateFromDay(day)},${close},${close},${close},${close},${1000 + i}`;
  });
  writeFileSync(path, `Date,Open,High,Low,Close,Volume\n${rows.join('\n')}\n`);
  return days.length;
}
