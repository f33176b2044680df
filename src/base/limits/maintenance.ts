/** Bounds of maintenance: how long unused data is kept, and how much one run of a task does. */

const DAY_MS = 24 * 3_600_000;

export const maintenanceLimits = {
  /** Ages at which files are removed; the table in `docs/operations.md` gives the reasons. */
  retention: {
    /** Quarantined rows. */
    quarantineMs: 180 * DAY_MS,
    /** A store that a rebuild has replaced. */
    replacedMs: 30 * DAY_MS,
    /** Stores of an unfinished rebuild or compaction; a running one writes all the time. */
    unfinishedMs: 2 * DAY_MS,
    /** Folders of runs that were killed. */
    scratchMs: 2 * DAY_MS,
    /** Interrupted downloads that were not continued. */
    partMs: 30 * DAY_MS,
    /**
     * Events that one transaction removes with their deliveries, and events that one run removes.
     */
    eventsAtOnce: 1000,
    eventsMax: 1_000_000,
  },
  rollUp: {
    /** Time for which usage is kept by day; older usage is kept by month. */
    dailyMs: 62 * DAY_MS,
    /** Months of keys that one run rolls up, each in its own transaction. */
    keyMonthsMax: 5000,
  },
  compaction: {
    /** Free share of a store below which a scheduled compaction skips it. */
    freeShareMin: 0.2,
    /** Free bytes below which it skips the store too. */
    freeBytesMin: 256 * 1024 * 1024,
  },
  integrity: {
    /** Time of one run; the next run continues where it stopped. */
    runMs: 15 * 60_000,
    /** Rows of a table that are read at once; loads wait for readers. */
    pieceRows: 5_000_000,
    chunkBytes: 1024 * 1024,
    /** Wait for a store that a load holds; after it the next run checks the store. */
    storeWaitMs: 60_000,
    /** Interval in which a run saves its position, since it may be killed. */
    noteMs: 5000,
    /** Damaged parts that are recorded, and those that a report names. */
    faultsKept: 1000,
    faultsTold: 10,
  },
} as const;
