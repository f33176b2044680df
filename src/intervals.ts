/** Bar intervals, spelled as in the API; and their names on disks that ignore case. */

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Intervals made from daily bars; indicator columns are published for these. */
export const DAILY_INTERVALS = ['1d', '1w', '1M'] as const satisfies readonly Interval[];

export type DailyInterval = (typeof DAILY_INTERVALS)[number];

export function isInterval(text: string): text is Interval {
  return (INTERVALS as readonly string[]).includes(text);
}

/** `1m` and `1M` differ only in case, so files spell them `1min` and `1mon`. */
export function diskNameFromInterval(interval: Interval): string {
  if (interval === '1m') return '1min';
  if (interval === '1M') return '1mon';
  return interval;
}
