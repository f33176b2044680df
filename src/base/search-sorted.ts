/** Binary searches in ascending columns. */

/** Returns the first place in [start, end) with a value not below `value`; `end` if there is none. */
export function lowerBound(
  sorted: Float64Array | Int32Array | Uint32Array,
  value: number,
  start = 0,
  end = sorted.length,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first place in [start, end) with a value above `value`; `end` if there is none. */
export function upperBound(
  sorted: Float64Array | Int32Array | Uint32Array,
  value: number,
  start = 0,
  end = sorted.length,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first row at or after a moment; the row count if there is none. */
export function rowOfTimestamp(timestampUs: BigInt64Array, momentUs: bigint): number {
  let low = 0;
  let high = timestampUs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestampUs[middle] < momentUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts the texts, which ascend, up to and including `text`. */
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
