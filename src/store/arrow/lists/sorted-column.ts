/** Places in rising columns of numbers. */

/** Index of the first value that is not below `wanted`. */
export function firstAtLeast(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last value that is not above `wanted`; the first is not. */
export function lastAtMost(sorted: Uint32Array, wanted: number): number {
  return firstAtLeast(sorted, wanted + 1) - 1;
}
