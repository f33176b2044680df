/** Bounds: how long what nobody reads any more is kept, and how much one run of a task does. */

const DAY_MS = 24 * 3_600_000;

export const maintenanceLimits = {
  /** The table in `docs/operations.md` gives the reason of each. */
  retention: {
    /** Lists of refused rows. */
    quarantineMs: 180 * DAY_MS,
    /** The store that a rebuild has replaced. */
    replacedMs: 30 * DAY_MS,
    /** Stores that a rebuild or a compaction has not finished: one that runs writes all the time. */
    unfinishedMs: 2 * DAY_MS,
    /** Folders of runs that were killed. */
    scratchMs: 2 * DAY_MS,
    /** Downloads that were broken off and not taken up again. */
    partMs: 30 * DAY_MS,
    /** Events that one transaction removes, with their deliveries; and one run. */
    eventsAtOnce: 1000,
    eventsMax: 1_000_000,
  },
  rollUp: {
    /** Usage is kept in a row for each day at least for so long, then in one for each month. */
    dailyMs: 62 * DAY_MS,
    /** Months of a key that one run rolls up, each in a transaction of its own. */
    keyMonthsMax: 5000,
  },
  compaction: {
    /** A scheduled one leaves a store alone of which a smaller share is free. */
    freeShareMin: 0.2,
    /** … or so little of it. */
    freeBytesMin: 256 * 1024 * 1024,
  },
  integrity: {
    /** One run takes so long; the next goes on where it has stopped. */
    runMs: 15 * 60_000,
    /** Rows of a table of the store that are read at once: readers keep loads waiting. */
    pieceRows: 5_000_000,
    chunkBytes: 1024 * 1024,
    /** A store that a load has for longer is looked at by the next run. */
    storeWaitMs: 60_000,
    /** How often a run that may be killed says how far it is. */
    noteMs: 5000,
    /** Damaged parts that are remembered, and those that a report names. */
    faultsKept: 1000,
    faultsTold: 10,
  },
} as const;
