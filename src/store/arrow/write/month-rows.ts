import { rowOfTimestamp } from '../../../base/search-sorted.ts';

/** Returns `YYYY-MM` in UTC: a session lies within one UTC day. */
export function monthOfTimestamp(timestampUs: bigint): string {
  return new Date(Number(timestampUs / 1000n)).toISOString().slice(0, 7);
}

function nextMonthUs(timestampUs: bigint): bigint {
  const date = new Date(Number(timestampUs / 1000n));
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)) * 1000n;
}

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
