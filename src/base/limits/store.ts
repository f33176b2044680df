/** Bounds of the market store and of the published files. */

export const storeLimits = {
  disk: {
    /** Free space below which `/readyz` reports a full disk. */
    freeBytesMin: 64 * 1024 * 1024,
    /**
     * Bytes that are written and removed before a command starts, to see that the disk takes them.
     */
    trialBytes: 4096,
  },
  /**
   * Bounds of serving files. A series with more than `sliceRowsMax` new bars in one publish gets an
   * override.
   */
  serving: {
    slicesMax: 16,
    sliceRowsMax: 64,
    patchShareMax: 0.05,
    /**
     * Segments of minutes that compaction merges into one of the next level. With all symbols of
     * the market they hold about 16 minutes, a session and seven weeks.
     */
    intradaySlicesMax: 16,
    intradayRunsMax: 26,
    intradayDaysMax: 32,
    /** New minutes that a publish may read at once: some 400 MB. */
    newRowsReadMax: 8_000_000,
    /** Rows above which a series has its own batch in a segment of minutes. */
    intradayRunRowsMax: 1024,
    /**
     * Ratio of a month's rows to the rows to be added, up to which the month's file is rewritten.
     */
    monthKeptRatio: 4,
    /** Superseded share of its rows above which it is rewritten as well. */
    monthDeadShareMax: 0.25,
    pollMs: 100,
    /** Time after which a version that could not be opened is tried again. */
    retryMs: 5000,
    /** Filters whose counts a segment of news keeps. */
    selectionCountsMax: 1000,
    /** Characters of a batch of list rows, about. A batch is read and checked at once. */
    listBatchChars: 16_384,
    /** Batches whose row positions are kept in memory; each takes some 2 KB. */
    listHeadsMax: 8192,
    /**
     * Share of a list segment's rows that newer segments must have for compaction to merge them.
     */
    listMergeShare: 0.25,
    /** Changed rows above which a list is rewritten, since memory must hold the changes. */
    listRowsMax: 100_000,
    /**
     * Time for which a replaced version's screener is kept, and the number of publishes at least.
     */
    recentMs: 15 * 60_000,
    recentVersionsMin: 3,
    /** Screeners of replaced versions in memory, some 5 MB each with 10,000 symbols. */
    recentScreenersMax: 4,
  },
  store: {
    duckdbMemory: '4GB',
    /** Rows up to which a load uses one thread. */
    fewRows: 5_000,
    /**
     * Disk that a daily bar takes: 25 bytes in its segment, 40 in the store, 48 as served and 72
     * with its indicators, plus a quarter of the last two for weeks and months. A minute bar takes
     * half.
     */
    diskBytesPerBar: 215,
    /** Disk that a record of another dataset takes: segment, table, and served text. */
    diskBytesPerRow: 600,
    readerWaitMs: 30_000,
    /**
     * Times for which a writer keeps the store for a following load: after each load, and in all.
     */
    idleMs: 100,
    heldMs: 2000,
    writerPollMs: 200,
    /**
     * Staged segments that are loaded together: their number, rows and series. A segment with at
     * least `aloneRowsMin` rows is loaded at once, alone.
     */
    batchSegmentsMax: 512,
    batchRowsMax: 250_000,
    batchSeriesMax: 50_000,
    aloneRowsMin: 50_000,
    /** Rows that one response of `sql` may hold. */
    sqlRowsMax: 1_000_000,
    /**
     * Rows of a load that events name: those that became known in the last days, up to this number.
     */
    eventDays: 7,
    eventRowsMax: 10_000,
    /** Scattered rows of series that are read and sorted at once; each takes 56 bytes. */
    sortRowsMax: 4_000_000,
    /** Newest rows of `changes` that are kept singly: 100 loads of a minute of 10,000 symbols. */
    changesMax: 1_000_000,
    /** Closes in memory while winners are computed; each takes 16 bytes. */
    winnerClosesMax: 4_000_000,
    /** Values that a load names when it can't decide which of two files is right. */
    undecidedShownMax: 10,
  },
  /** Sanity checks that hold a load. Shares are of 1. */
  doubt: {
    /** Rows below which a requested load is not held: its caller sees the counts. */
    rowsMin: 1000,
    rejectedShareMax: 0.01,
    /** Missing share of the symbols of the newest published session. */
    missingShareMax: 0.02,
    /** Moved share of the symbols with a published price. */
    movedShareMax: 0.01,
    /** Change, up or down, from which a price has moved, as a share of the published price. */
    movedMin: 0.5,
    /** Days without data after which many companies' prices may have halved. */
    gapDaysMax: 14,
    /**
     * Share of the published symbols below which a file is a part of the universe, so that missing
     * symbols mean nothing; and the fewest symbols of a universe.
     */
    universeShareMin: 0.5,
    universeMin: 50,
    /** Sessions that may lie between two vintages of a series without a common bar. */
    joinGapMax: 5,
    /** Share of a load's symbols whose price moves by `movedMin` over a splice of two vintages. */
    steppedShareMax: 0.001,
    /** Held inputs that one message names, and symbols of each. */
    toldMax: 3,
  },
  quality: {
    /** Equal bars from which they are flagged: two weeks. */
    unchangedBarsMin: 10,
    /** Bars with which a bar's volume is compared: a quarter; and the fewest. */
    volumeWindowBars: 63,
    volumeWindowBarsMin: 21,
    /** Bars on each side of a jump whose volume is compared. */
    splitVolumeBars: 10,
    /** Days between a jump and the ex-date of a split that may explain it. */
    splitDaysMax: 30,
    /** Sessions behind the newest session of its mode from which a series has stopped: a week. */
    sessionsBehindMax: 5,
    /** Gaps and flags that one report lists; each takes about 100 bytes. */
    findingsMax: 1_000_000,
    /** Lines of one kind that `gaps` prints; its totals count all. */
    listedMax: 20,
  },
} as const;
