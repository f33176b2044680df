/** Sorting that gives way: parts that ascend already are merged, two by two. */

import { isPieceEnd, type Work } from '../../../base/turns.ts';

/**
 * @param items Few of them are out of order in most lists: a pass through these is all they need.
 * @returns A new array; what stands equal stays in order.
 */
export function* sortedInPieces<T>(
  items: readonly T[],
  isBefore: (a: T, b: T) => boolean,
): Work<T[]> {
  let runs: T[][] = [];
  let run: T[] = [];
  for (const [place, item] of items.entries()) {
    if (run.length > 0 && isBefore(item, run[run.length - 1])) {
      runs.push(run);
      run = [];
    }
    run.push(item);
    if (isPieceEnd(place)) yield;
  }
  runs.push(run);
  let moved = 0;
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [one, other = []] = runs.slice(i, i + 2);
      const merged: T[] = [];
      for (let a = 0, b = 0; a < one.length || b < other.length; ) {
        const isOther = a === one.length || (b < other.length && isBefore(other[b], one[a]));
        merged.push(isOther ? other[b++] : one[a++]);
        if (isPieceEnd(moved++)) yield;
      }
      longer.push(merged);
    }
    runs = longer;
  }
  return runs[0];
}
