/** Tells versions of one bar from bars of several securities that have one stamp. */

/** Largest ratio of the opens of two versions. */
export const OPEN_RATIO_MAX = 1.005;

/** One bar in as many may have rows with prices apart, as a corrected bar does. */
const BARS_A_CORRECTION = 20;

/** @param bars Number of different stamps. @param apart Stamps that have rows with prices apart. */
export function areSeveralSecurities(apart: number, bars: number): boolean {
  const isOneOfSome = apart === 1 && bars > 1;
  return apart * BARS_A_CORRECTION > bars && !isOneOfSome;
}
