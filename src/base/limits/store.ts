/** Bounds: the market store and what is published of it. */

export const storeLimits = {
  disk: {
    /** Below this much free space `/readyz` says that the disk is full. */
    freeBytesMin: 64 * 1024 * 1024,
    /** Written and removed again before a command works, to see whether that is possible. */
    trialBytes: 4096,
  },
  /** More new bars of a series than `sliceRowsMax` in one publish make a patch. */
  serving: {
    slicesMax: 16,
    sliceRowsMax: 64,
    patchShareMax: 0.05,
    /**
     * Layers of minutes that are put together into one of the next size: with all symbols of the
     * market about 16 minutes, a session and seven weeks.
     */
    intradaySlicesMax: 16,
    intradayRunsMax: 26,
    intradayDaysMax: 32,
    /** New minutes that a publish may read at once: some 400 MB. */
    newRowsReadMax: 8_000_000,
    /** More rows of a series than this in a run have a batch of their own. */
    intradayRunRowsMax: 1024,
    /** A month's file is kept as it is while it has more than so many times the rows to be added. */
    monthKeptRatio: 4,
    /** … and while a smaller share of it is superseded. */
    monthDeadShareMax: 0.25,
    pollMs: 100,
    /** A version that could not be opened is tried again after so long. */
    retryMs: 5000,
    /** Filters, and counts by filter, that a layer of news keeps. */
    selectionCountsMax: 1000,
    /** Rows of lists are laid in batches of about so many characters, read and checked at once. */
    listBatchChars: 16_384,
    /** Batches whose rows' places are kept in memory: some 2 KB each. */
    listHeadsMax: 8192,
    /** A layer of lists is put together with newer ones that have at least its share of rows. */
    listMergeShare: 0.25,
    /** Lists with more changed rows than this are written anew, as memory must hold these. */
    listRowsMax: 100_000,
    /** A replaced version's screener stays this long, and for so many publishes at least. */
    recentMs: 15 * 60_000,
    recentVersionsMin: 3,
    /** Screeners of replaced versions in memory, some 5 MB each with 10,000 symbols. */
    recentScreenersMax: 4,
  },
  store: {
    duckdbMemory: '4GB',
    /** A load of no more rows is done on one thread. */
    fewRows: 5_000,
    /**
     * What a daily bar takes of the disk in all: 25 in its segment, 40 in the store, 48 as served
     * and 72 with its indicators, and a quarter more of these for weeks and months. One of a minute
     * takes half.
     */
    diskBytesPerBar: 215,
    /** The same of a row of another dataset: segment, table, and its text as it is served. */
    diskBytesPerRow: 600,
    /** So many series are read on a thread of their own, which takes 0.3 s to start. */
    readAheadSeriesMin: 4000,
    readerWaitMs: 30_000,
    /** A writer keeps the store for a load that follows within so long, and for so long in all. */
    idleMs: 100,
    heldMs: 2000,
    writerPollMs: 200,
    /**
     * Landed segments that wait to be loaded together: of all kinds so many, with so many rows and
     * series. One with as many rows as the last number is loaded at once, alone.
     */
    batchSegmentsMax: 512,
    batchRowsMax: 250_000,
    batchSeriesMax: 50_000,
    aloneRowsMin: 50_000,
    /** Rows that one `sql` answer may hold. */
    sqlRowsMax: 1_000_000,
    /** Rows of a load that events tell of: those that became known in so many days, and so many. */
    eventDays: 7,
    eventRowsMax: 10_000,
    /** Rows of series that lie scattered, read and sorted at once: 56 bytes each. */
    sortRowsMax: 4_000_000,
    /** Newest rows of `changes` that are kept one by one: 100 loads of a minute of 10,000 symbols. */
    changesMax: 1_000_000,
    /** Closes held at once while winners are worked out: 16 bytes each. */
    winnerClosesMax: 4_000_000,
    /** Values that a load names where nothing tells which of two files is right. */
    undecidedShownMax: 10,
  },
  /** Loads that are not believed unasked. Shares are of 1. */
  doubt: {
    /** Smaller loads that somebody asked for are believed: who asked looks at the counts. */
    rowsMin: 1000,
    rejectedShareMax: 0.01,
    /** Of the symbols of the newest published session. */
    missingShareMax: 0.02,
    /** Of the symbols with a published price. */
    movedShareMax: 0.01,
    /** A price has moved from this on, up or down, as a share of the published one. */
    movedMin: 0.5,
    /** Over more days than this many companies' prices may halve. */
    gapDaysMax: 14,
    /** A file with fewer of so many symbols is a part of a universe, and says nothing of the rest. */
    universeShareMin: 0.5,
    universeMin: 50,
    /** Sessions that may lie between two vintages of a series without a common bar. */
    joinGapMax: 5,
    /** Of the symbols of a load, those whose price moves so over such a joint. */
    steppedShareMax: 0.001,
    /** Doubtful inputs that one message tells of, and symbols of one of them. */
    toldMax: 3,
  },
  quality: {
    /** Bars alike from which on a run is flagged: two weeks. */
    unchangedBarsMin: 10,
    /** Bars before one that its volume is compared with: a quarter; and the fewest. */
    volumeWindowBars: 63,
    volumeWindowBarsMin: 21,
    /** Bars on each side of a jump whose volume is looked at. */
    splitVolumeBars: 10,
    /** How far from its ex-date, in days, a split may explain a jump. */
    splitDaysMax: 30,
    /** A series more sessions behind the newest one of its mode has stopped: a week. */
    sessionsBehindMax: 5,
    /** Holes and flags that one report lists: about 100 bytes each. */
    findingsMax: 1_000_000,
    /** Lines of one kind that `gaps` prints; its totals count all. */
    listedMax: 20,
  },
} as const;
