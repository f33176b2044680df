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
  const newest = Float64Array.from(days);
  const count = newest.reduce((sum, day) => (Number.isNaN(day) ? sum : sum + 1), 0);
  if (count === 0) return undefined;
  /** Places whose newest bar was passed over, so that the one before it counts. */
  const passed = new Set<number>();
  for (let tries = 0; tries < PASSED_MAX; tries++) {
    const { day, places } = newestOf(newest);
    if (places.length === 0) break;
    const continues = (place: number) => {
      if (passed.has(place)) return !isClosedDay(day);
      const before = dayBefore(place) ?? -Infinity;
      // A series with two such days in turn is of a market that trades on them.
      return !(day - before > NEAR_DAYS) && !(isClosedDay(day) && !isClosedDay(before));
    };
    if (places.length * 2 > count || places.some(continues)) return day;
    for (const place of places) {
      newest[place] = passed.has(place) ? Number.NaN : (dayBefore(place) ?? Number.NaN);
      passed.add(place);
    }
  }
  return newestOf(days).day;
}

function newestOf(days: ArrayLike<number>): { day: number; places: number[] } {
  let day = -Infinity;
  let places: number[] = [];
  for (let place = 0; place < days.length; place++) {
    const own = days[place];
    if (!(own >= day)) continue;
    if (own > day) places = [];
    day = own;
    places.push(place);
  }
  return { day, places };
}
