/** Newest day of a market, which a bar on a wrong date of one symbol does not move. */

import { isClosedDay } from './closed-days.ts';

/** A bar continues its series if the one before is this close: the longest closure of the market. */
const NEAR_DAYS = 7;
/** Wrong days that are passed over. */
const PASSED_MAX = 100;

/**
 * Returns the newest day on which most symbols have their newest bar, or on which a bar of a session
 * continues a series. A bar far after all others of its symbol, and one of a day without a session,
 * show no day of the market.
 *
 * @param days      Day of each symbol's newest bar; NaN for none.
 * @param dayBefore Returns the day of the bar before it, by place; undefined without one, NaN if it
 *   is not known.
 * @returns undefined without any bar.
 */
export function newestMarketDay(
  days: ArrayLike<number>,
  dayBefore: (place: number) => number | undefined,
): number | undefined {
  let count = 0;
  for (let place = 0; place < days.length; place++) if (!Number.isNaN(days[place])) count++;
  if (count === 0) return undefined;
  let below = Infinity;
  for (let passed = 0; passed < PASSED_MAX; passed++) {
    const { day, places } = newestBelow(days, below);
    if (places.length === 0) break;
    const continues = (place: number) => !(day - (dayBefore(place) ?? -Infinity) > NEAR_DAYS);
    if (places.length * 2 > count || (!isClosedDay(day) && places.some(continues))) return day;
    below = day;
  }
  return newestBelow(days, Infinity).day;
}

function newestBelow(days: ArrayLike<number>, below: number): { day: number; places: number[] } {
  let day = -Infinity;
  let places: number[] = [];
  for (let place = 0; place < days.length; place++) {
    const own = days[place];
    if (!(own < below && own >= day)) continue;
    if (own > day) places = [];
    day = own;
    places.push(place);
  }
  return { day, places };
}
