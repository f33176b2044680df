/** Differences of prices without the noise of float64 arithmetic, and moves that are a split's. */

import { decimalSum } from './decimals.ts';

/** Scale of six decimals: a cent shows on prices up to a million. */
const PERCENT_SCALE = 10 ** 6;

/**
 * Returns the exact difference of two decimals, the shortest texts of both prices. It has no more
 * decimals than they have.
 *
 * @returns NaN if a price is NaN.
 */
export function priceChange(price: number, previousClose: number): number {
  return decimalSum([price, -previousClose]);
}

/** Returns a `priceChange` in percent of the close before, rounded to six decimals. */
export function priceChangePct(change: number, previousClose: number): number {
  const percent = (change / previousClose) * 100;
  const rounded = Math.round(Math.abs(percent) * PERCENT_SCALE) / PERCENT_SCALE;
  return percent < 0 && rounded > 0 ? -rounded : rounded;
}

/** Smaller ratios, such as stock dividends, are within what prices move overnight. */
const SPLIT_RATIO_MIN = 1.25;

/** Largest distance from a reading, as a share of the distance between the two, in logarithms. */
const SPLIT_CLOSENESS = 0.35;

/**
 * Tells if a move is a split's.
 *
 * @param move Price before the split ÷ price after it.
 * @param ratio New shares for an old one.
 * @returns `flat` if the price stays where it was; undefined if it does neither, or can't tell.
 */
export function splitMove(move: number, ratio: number): 'jump' | 'flat' | undefined {
  const whole = Math.log(ratio);
  if (Math.abs(whole) < Math.log(SPLIT_RATIO_MIN)) return undefined;
  const share = Math.log(move) / whole;
  if (Math.abs(share - 1) <= SPLIT_CLOSENESS) return 'jump';
  return Math.abs(share) <= SPLIT_CLOSENESS ? 'flat' : undefined;
}
