/** Values of symbols compared with those of others on the same market session. */

import { lowerBound, upperBound } from '../../base/search-sorted.ts';
import type { AcrossName } from '../../base/symbol-expression.ts';

/**
 * Replaces values of one session by what they are among the known ones, NaN by NaN. Sums are taken
 * in the order of values, so they do not depend on the order of symbols.
 *
 * @param groupOf Returns the group of a place, in which alone values are compared; undefined if it
 *   is unknown, which makes the value NaN. Without the function all are one group.
 */
export function compareAcross(
  name: AcrossName,
  values: Float64Array,
  groupOf?: (place: number) => string | undefined,
): void {
  if (!groupOf) {
    replaceIn(name, values, values.keys());
    return;
  }
  const groups = Map.groupBy(values.keys(), groupOf);
  for (const [group, places] of groups) {
    if (group === undefined) for (const place of places) values[place] = Number.NaN;
    else replaceIn(name, values, places);
  }
}

function replaceIn(name: AcrossName, values: Float64Array, places: Iterable<number>): void {
  const known = Array.from(places).filter((place) => {
    if (Number.isFinite(values[place])) return true;
    values[place] = Number.NaN;
    return false;
  });
  const sorted = Float64Array.from(known, (place) => values[place]).sort();
  const of = REPLACED[name](sorted);
  for (const place of known) values[place] = of(values[place]);
}

/** Returns what a value is among sorted ones. */
type Comparison = (sorted: Float64Array) => (value: number) => number;

const REPLACED: Readonly<Record<AcrossName, Comparison>> = {
  /** (r − 1) / (n − 1), with the mean rank of equal values; NaN for one value alone. */
  rank(sorted) {
    const most = sorted.length - 1;
    if (most < 1) return () => Number.NaN;
    return (value) => {
      const first = lowerBound(sorted, value);
      const last = upperBound(sorted, value, first) - 1;
      return (first + last) / 2 / most;
    };
  },
  demean(sorted) {
    const mean = meanOf(sorted);
    return (value) => value - mean;
  },
  /** Distance from the mean in standard deviations with n − 1; NaN if all values are equal. */
  standard(sorted) {
    const mean = meanOf(sorted);
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const deviation = Math.sqrt(squares / (sorted.length - 1));
    const isFlat = !(deviation > 0) || sorted[0] === sorted.at(-1);
    return (value) => (isFlat ? Number.NaN : (value - mean) / deviation);
  },
};

function meanOf(sorted: Float64Array): number {
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}
