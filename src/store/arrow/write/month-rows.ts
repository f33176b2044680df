/** Divides a series into months, for files that hold one each. */

import { rowOfTimestamp } from '../../../base/search-sorted.ts';

/** Returns `YYYY-MM` in UTC: a session lies within one UTC day. */
export function monthOfTimestamp(timestampUs: bigint): string {
  return new Date(Number(timestampUs / 1000n)).toISOString().slice(0, 7);
}

/** Returns the first microsecond of the month after that of a timestamp. */
function nextMonthUs(timestampUs: bigint): bigint {
  const date = new Date(Number(timestampUs / 1000n));
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)) * 1000n;
}

/** Calls `visit` with rows [start, end) of each month in turn. */
export function forEachMonth(
  timestampUs: BigInt64Array,
  visit: (start: number, end: number) => void,
): void {
  for (let start = 0, end = 0; start < timestampUs.length; start = end) {
    const endUs = nextMonthUs(timestampUs[start]);
    end = start + rowOfTimestamp(timestampUs.subarray(start), endUs);
    visit(start, end);
  }
}
