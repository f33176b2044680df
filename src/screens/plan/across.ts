/** Values of symbols compared with those of others on the same market session. */

import type { AcrossName } from '../../base/symbol-expression.ts';
import { meanRanks, orderOf } from './ranks.ts';

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
  if (scratch.known.length < values.length) {
    scratch = { places: new Uint32Array(values.length), known: new Float64Array(values.length) };
  }
  let count = 0;
  for (const place of places) {
    if (Number.isFinite(values[place])) {
      scratch.places[count] = place;
      scratch.known[count++] = values[place];
    } else values[place] = Number.NaN;
  }
  const known = scratch.known.subarray(0, count);
  REPLACE[name](known);
  for (let i = 0; i < count; i++) values[scratch.places[i]] = known[i];
}

let scratch = { places: new Uint32Array(0), known: new Float64Array(0) };

/** By comparison, replaces values by what they are among themselves. */
const REPLACE: Readonly<Record<AcrossName, (values: Float64Array) => void>> = {
  /** (r − 1) / (n − 1), with the mean rank of equal values; NaN for one value alone. */
  rank(values) {
    const ranks = meanRanks(values);
    for (let i = 0; i < ranks.length; i++) values[i] = (ranks[i] - 1) / (ranks.length - 1);
  },
  demean(values) {
    const mean = meanOf(sortedOf(values));
    for (let i = 0; i < values.length; i++) values[i] -= mean;
  },
  /** Distance from the mean in standard deviations with n − 1; NaN if all values are equal. */
  standard(values) {
    const sorted = sortedOf(values);
    const mean = meanOf(sorted);
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const deviation = Math.sqrt(squares / (sorted.length - 1));
    const isFlat = !(deviation > 0) || sorted[0] === sorted.at(-1);
    for (let i = 0; i < values.length; i++) {
      values[i] = isFlat ? Number.NaN : (values[i] - mean) / deviation;
    }
  },
};

function sortedOf(values: Float64Array): Float64Array {
  const sorted = new Float64Array(values.length);
  const order = orderOf(values);
  for (let i = 0; i < sorted.length; i++) sorted[i] = values[order[i]];
  return sorted;
}

function meanOf(sorted: Float64Array): number {
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}
