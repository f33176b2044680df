/** Binary searches in ascending columns. */

type Sorted = Float64Array | Int32Array | Uint32Array;

/** Returns the first place in [start, end) with a value not below `value`; `end` if there is none. */
export function lowerBound(sorted: Sorted, value: number, start = 0, end = sorted.length): number {
  return firstNotBefore(start, end, (place) => sorted[place] < value);
}

/** Returns the first place in [start, end) with a value above `value`; `end` if there is none. */
export function upperBound(sorted: Sorted, value: number, start = 0, end = sorted.length): number {
  return firstNotBefore(start, end, (place) => sorted[place] <= value);
}

/** Returns the first row at or after a moment; the row count if there is none. */
export function rowOfTimestamp(timestampUs: BigInt64Array, momentUs: bigint): number {
  return firstNotBefore(0, timestampUs.length, (row) => timestampUs[row] < momentUs);
}

/** Counts the texts, which ascend, up to and including `text`. */
export function countUpTo(sorted: readonly string[], text: string): number {
  return firstNotBefore(0, sorted.length, (place) => sorted[place] <= text);
}

/** Returns the first place that is not before; `end` if all are. `isBefore` ascends to false. */
export function firstNotBefore(
  start: number,
  end: number,
  isBefore: (place: number) => boolean,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
