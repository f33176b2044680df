/** The jump that a split leaves in prices that should be adjusted for it. */

/** Smaller moves are not examined: they happen. */
export const JUMP_MIN = 1.4;

/** Greatest distance of a jump from a split's ratio: most opens are within 5 % of the last close. */
export const RATIO_TOLERANCE = Math.log(1.05);

/**
 * The same where the traded money stays within `TURNOVER_RATIO_NAMED_MAX`: a split of a share that
 * opens 8 % higher. One in 16,000 real bars moves so.
 */
export const STEADY_TOLERANCE = Math.log(1.1);

/**
 * Factor by which the turnover of a split's day may exceed that of the days before. A split leaves
 * the traded money as it was; news that halve a price multiply it.
 */
export const TURNOVER_RATIO_DAY_MAX = 4;

/**
 * Falls from which on a load names a seam that it does not hold: 5:4 with a rise at the open. With
 * the traded money within the factor below, they happen to 5 of 10,000 symbols a day. Within that
 * of a split's day, 2 more fall by the ratio of a small split.
 */
export const NAMED_FALL_MIN = 1 / 0.84;
export const TURNOVER_RATIO_NAMED_MAX = 2;
/** Ratios of splits too small to hold a load: 5:4 and 4:3. */
export const SMALL_SPLITS: readonly number[] = [4 / 5, 3 / 4];

export const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));

/**
 * Returns the integer, or the fraction 1/n, that a jump is near.
 *
 * @param value Open ÷ close before.
 */
export function wholeSplit(value: number, tolerance = RATIO_TOLERANCE): number | undefined {
  const times = Math.round(Math.max(value, 1 / value));
  const expected = value > 1 ? times : 1 / times;
  return times >= 2 && distance(value, expected) <= tolerance ? expected : undefined;
}

/** Returns the ratio of a split in words: 0.5 → `2:1`, 10 → `1:10`, 2/3 → `3:2`. */
export function splitText(ratio: number): string {
  if (distance(ratio, 2 / 3) < 1e-9) return '3:2';
  return ratio < 1 ? `${Math.round(1 / ratio)}:1` : `1:${Math.round(ratio)}`;
}
