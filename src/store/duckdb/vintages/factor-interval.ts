/** Intervals of factors: all numbers that the ratio of two rounded prices can be. Pure. */

export interface Interval {
  low: number;
  high: number;
}

/** Returns the interval that most of the given ones contain; of several the one nearest to 1. */
export function mostAgreed(intervals: readonly Interval[]): Interval | undefined {
  const ends = intervals
    .flatMap(({ low, high }) => [
      { at: low, isLow: true },
      { at: high, isLow: false },
    ])
    .sort((a, b) => a.at - b.at || Number(b.isLow) - Number(a.isLow));
  let depth = 0;
  let deepest = 0;
  let best: Interval | undefined;
  for (const [i, { at, isLow }] of ends.entries()) {
    depth += isLow ? 1 : -1;
    if (!isLow) continue;
    const found = { low: at, high: ends[i + 1].at };
    const isNearer = depth === deepest && distanceFrom1(found) < distanceFrom1(best!);
    if (depth > deepest || isNearer) best = found;
    deepest = Math.max(deepest, depth);
  }
  return best;
}

function distanceFrom1({ low, high }: Interval): number {
  if (low > 1) return Math.log(low);
  return high < 1 ? -Math.log(high) : 0;
}

/** Splits have one small term: 4:1, 3:2, 1:50. */
const SPLIT_TERM_MAX = 10;

/** Returns 1 or the ratio of a split if rounding hides the difference, else the estimate. */
export function roundFactor({ low, high }: Interval, estimate: number): number {
  const near = Math.min(Math.max(estimate, low), high);
  const slack = (high - low) / 4;
  for (let term = 1; term <= SPLIT_TERM_MAX; term++) {
    for (const ratio of [Math.round(near * term) / term, term / Math.round(term / near)]) {
      if (ratio > 0 && Math.abs(ratio - near) <= slack) return ratio;
    }
  }
  return near;
}
