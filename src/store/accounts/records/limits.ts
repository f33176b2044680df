const DAY_MS = 24 * 3_600_000;

export const rollUpLimits = {
  /** Time for which usage is kept by day; older usage is kept by month. */
  dailyMs: 62 * DAY_MS,
  /** Months of keys that one run rolls up, each in its own transaction. */
  keyMonthsMax: 5000,
};
