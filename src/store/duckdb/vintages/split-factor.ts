/**
 * Finds the part of a factor between two vintages that their volumes show. Pure.
 *
 * A split scales volumes inversely to prices. A dividend scales prices alone; only Stooq scales
 * volumes by it too. So the volumes themselves decide.
 */

/** Volumes of one vintage and day differ by the rounding of whole shares. */
const NOISE = 0.001;

/** Smaller factors without volumes count as those of dividends. */
const SPLIT_MIN = 1.25;

/**
 * @param factor Brings prices of the older vintage to the newer one's basis.
 * @param ratios Older volume ÷ newer volume of common bars; only positive numbers count.
 * @returns the number by which older volumes are divided: 1, `factor`, or what most volumes show.
 */
export function splitFactorOf(factor: number, ratios: readonly number[]): number {
  if (factor === 1) return 1;
  const shown = ratios.filter((ratio) => ratio > 0 && Number.isFinite(ratio)).sort((a, b) => a - b);
  if (shown.length === 0) {
    return Math.max(factor, 1 / factor) >= SPLIT_MIN ? factor : 1;
  }
  const median = shown[shown.length >> 1];
  const isShown = (candidate: number) => {
    const near = shown.filter((ratio) => Math.abs(ratio / candidate - 1) <= NOISE);
    return near.length * 2 > shown.length;
  };
  for (const candidate of [1, factor]) if (isShown(candidate)) return candidate;
  const isPlausible = Math.abs(Math.log(median)) < Math.abs(Math.log(factor)) + Math.log(SPLIT_MIN);
  if (shown.length > FEW && isPlausible && isShown(median)) return median;
  // Corrected volumes: the nearer of the two.
  return Math.abs(Math.log(median)) < Math.abs(Math.log(median / factor)) ? 1 : factor;
}

/** Up to so many volumes may all be corrected. */
const FEW = 4;
