/** Tells versions of one bar from bars of several securities that have one stamp. */

/** Largest ratio of the opens of two versions. */
export const OPEN_RATIO_MAX = 1.005;

/** Ratio of prices of one security from one bar to the next that is all but never seen. */
export const FAR_RATIO = 1.25;

/** One bar in as many may have rows with prices apart, as a corrected bar does. */
const BARS_A_CORRECTION = 20;
/** The same where the prices beside a bar tell which row is wrong. */
const BARS_A_FAULT = 4;

/**
 * @param open Stamps that have rows with prices apart, of which nothing decides.
 * @param bars Number of different stamps.
 * @param apart All stamps that have rows with prices apart.
 */
export function areSeveralSecurities(open: number, bars: number, apart = open): boolean {
  const isOneOfSome = apart === 1 && bars > 1;
  return !isOneOfSome && (open * BARS_A_CORRECTION > bars || apart * BARS_A_FAULT > bars);
}
