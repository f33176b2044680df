/** Binary search in texts that rise. */

/** How many of the texts are not above `text`. */
export function countUpTo(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= text) low = middle + 1;
    else high = middle;
  }
  return low;
}
