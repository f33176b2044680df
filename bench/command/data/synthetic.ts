/** Synthetic daily bars: random walks that are the same on every run. */

import { type BarColumns, MICROS_PER_DAY, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { CALENDAR_FIRST_DAY, isSession } from '../../../src/base/time/calendar.ts';
import { weekdayFromDay } from '../../../src/base/time/dates.ts';

/** The day of the newest bars. */
export const LAST_DAY = Date.UTC(2026, 0, 30) / MILLIS_PER_DAY;
/** Returns `AAAA`, `BAAA`, …: four letters, all different below 456,976. */
export function symbolName(number: number): string {
  const letter = (power: number) => 65 + (Math.floor(number / 26 ** power) % 26);
  return String.fromCharCode(letter(0), letter(1), letter(2), letter(3));
}

/** Returns true for a session, and for weekdays before the calendar begins. */
function isOpen(day: number): boolean {
  if (day >= CALENDAR_FIRST_DAY) return isSession(day);
  const weekday = weekdayFromDay(day);
  return weekday > 0 && weekday < 6;
}

/**
 * Returns a random walk in cents, pinned by `seed`, on sessions up to `LAST_DAY`: a load refuses
 * rows of other days.
 */
export function generatedBars(barCount: number, seed: number): BarColumns {
  const days: number[] = [];
  for (let day = LAST_DAY; days.length < barCount; day--) if (isOpen(day)) days.push(day);
  let state = seed + 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const cents = (price: number): number => Math.round(price * 100) / 100;
  const column = () => new Float64Array(barCount);
  const [open, high, low, close, volume] = [column(), column(), column(), column(), column()];
  let price = 20 + 200 * random();
  for (let i = 0; i < barCount; i++) {
    open[i] = cents(price);
    price = Math.max(2, price * (0.98 + 0.0401 * random()));
    close[i] = cents(price);
    high[i] = cents(Math.max(open[i], close[i]) + random());
    low[i] = cents(Math.min(open[i], close[i]) - random());
    volume[i] = Math.floor(1e7 * random());
  }
  const timestampUs = BigInt64Array.from(days.reverse(), (day) => BigInt(day) * MICROS_PER_DAY);
  return { timestampUs, open, high, low, close, volume };
}
