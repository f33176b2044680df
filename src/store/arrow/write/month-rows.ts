/** The months of a series, for files that hold one each. */

/** `YYYY-MM`, in UTC: a session lies within one day there. */
export function monthOfTimestamp(timestampUs: bigint): string {
  return new Date(Number(timestampUs / 1000n)).toISOString().slice(0, 7);
}

/** Microseconds at which the month after that of a timestamp begins. */
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
    end = firstRowFrom(timestampUs, endUs, start);
    visit(start, end);
  }
}

function firstRowFrom(timestampUs: BigInt64Array, us: bigint, from: number): number {
  let [low, high] = [from, timestampUs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timestampUs[middle] < us) low = middle + 1;
    else high = middle;
  }
  return low;
}
