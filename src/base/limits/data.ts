/** Bounds of the market store and the published files. */

export const dataLimits = {
  disk: {
    /** Free space below which `/readyz` reports a full disk. */
    freeBytesMin: 64 * 1024 * 1024,
    /** Bytes written and removed before a command starts, to try the disk. */
    trialBytes: 4096,
    /** Interval in which a server on a full disk looks for room. */
    lookMs: 2000,
  },
  /**
   * Bounds of serving files. A series with more than `deltaRowsMax` new bars in one publish gets an
   * override.
   */
  serving: {
    deltasMax: 16,
    deltaRowsMax: 64,
    overrideShareMax: 0.05,
    /**
     * Segments of minutes that compaction merges into one of the next level. With all symbols of
     * the market they hold about 16 minutes, a session and seven weeks.
     */
    intradayL0Max: 16,
    intradayL1Max: 26,
    intradayL2Max: 32,
    /** New minutes that a publish may read at once: some 400 MB. */
    newRowsReadMax: 8_000_000,
    /** Rows above which a series has its own batch in a segment of minutes. */
    intradayBatchRowsMax: 1024,
    /** Ratio of a month's rows to added rows up to which its file is rewritten. */
    monthKeptRatio: 4,
    /** Superseded share of its rows above which it is rewritten as well. */
    monthSupersededShareMax: 0.25,
    pollMs: 100,
    /** Time after which a version that could not be opened is tried again. */
    retryMs: 5000,
    /** Filters whose counts a segment of news keeps. */
    selectionCountsMax: 1000,
    /** Characters of a batch of list rows, about. A batch is read and checked at once. */
    listBatchChars: 16_384,
    /** Batches whose row positions are kept in memory; each takes some 2 KB. */
    listHeadsMax: 8192,
    /** Rows of a batch of company figures, about: 720 KB that are read and checked at once. */
    figureBatchRows: 4096,
    /** Share of changed rows from which compaction merges a list segment. */
    listMergeShare: 0.25,
    /** Changed rows above which a list is rewritten, since memory must hold the changes. */
    listRowsMax: 100_000,
    /** Time, and least number of publishes, for which an old screener is kept. */
    recentMs: 15 * 60_000,
    recentVersionsMin: 3,
    /**
     * Replaced versions that stay open for walks: 14 MB each on a thread with 10,000 symbols of which
     * all have changed.
     */
    heldVersions: { recentMs: 2 * 60_000, recentVersionsMin: 0, versionsMax: 3 },
    /** Screeners of replaced versions in memory, some 5 MB each with 10,000 symbols. */
    recentScreenersMax: 4,
  },
  /** Versions that were replaced. */
  past: {
    /** Open ones, each of some 5 MB with 10,000 symbols, and series of each that are found. */
    versionsMax: 4,
    seriesMax: 128,
    /** Days for which all versions are kept; of days before, the last one of each. */
    wholeDays: 7,
  },
  /** Object storage. */
  objects: {
    /** Time in which nothing is sent or received. */
    idleMs: 15_000,
    /** Time of a request without its bytes, and the slowest transfer that is waited for. */
    requestMs: 30_000,
    slowestBytesPerMs: 64,
    triesMax: 3,
    /** Downloads of a file that breaks off or does not match its hash. */
    downloadTriesMax: 3,
    /** First wait before a retry, doubled with each retry. */
    backoffFirstMs: 200,
    /** Longest wait of work that goes on when the storage is back. */
    backoffMaxMs: 10_000,
    connectionsMax: 16,
    /** Size of an object that is written by one request; S3 takes 5 GiB. */
    singleBytesMax: 1024 ** 3,
    /** Size of a part of a larger one, and of an object in the 10,000 parts that S3 takes. */
    partBytes: 128 * 1024 ** 2,
    objectBytesMax: 10_000 * 128 * 1024 ** 2,
    /** Size of objects that are read whole, and of a page of a list. */
    wholeBytesMax: 64 * 1024 * 1024,
    errorBytesMax: 65_536,
    pieceBytes: 1024 * 1024,
    /** Longest wait for the lock of a shared folder, and the interval of tries. */
    lockWaitMs: 10_000,
    lockPollMs: 20,
    /** Age at which an unfinished file of a shared folder, or a begun upload, is removed. */
    strayMs: 24 * 3_600_000,
    /** Simultaneous writers of a trial, and its rounds: some stores admit two in half of them. */
    raceWriters: 8,
    raceRounds: 10,
  },
  /** Published files that are uploaded, and replicas that follow them. */
  replicas: {
    /** Interval of looks for a new version: of live data, and of the sandbox. */
    pollMs: 400,
    sandboxPollMs: 5000,
    /** Interval in which an uploader looks at the published version. */
    lookMs: 100,
    /** Wait after a failure, doubled with each one in a row. */
    retryFirstMs: 500,
    retryMaxMs: 10_000,
    /** Files that are transferred at once. */
    atOnce: 4,
    /** Time for which replaced objects are kept, for replicas that still download them. */
    keptMs: 15 * 60_000,
    /** Interval in which objects that no version names are looked for. */
    sweepMs: 3_600_000,
    /** Age at which such an object is removed: an upload may take long, and clocks differ. */
    strayMs: 6 * 3_600_000,
    /** Swaps that are tried while another publisher changes the manifest. */
    swapsMax: 5,
    /** Longest wait of a command for the upload of its version. */
    commandMs: 10 * 60_000,
    /** Longest waits of events for the upload of their version: for the storage to respond, and
     * for another process to upload it. */
    acceptLookMs: 5000,
    acceptWaitMs: 60_000,
    /** Size of a shared manifest; with one publish a minute it has some 200 KB. */
    manifestBytesMax: 16 * 1024 * 1024,
    /** Interval of looks for Parquet files, and of tries to upload them. */
    setsPollMs: 10_000,
    /** Time after its download after which a replica lists a set: others download it meanwhile. */
    listAfterMs: 30_000,
    /** Interval in which a replica reads its files for damage. */
    verifyMs: 3_600_000,
    /** Shortest time between two such reads where a request has met damage. */
    repairRestMs: 60_000,
    /** Interval in which threads look whether a request has met damage. */
    damageLookMs: 1000,
    /** Interval in which the state of a replica is written. */
    noteMs: 500,
  },
  /** Parquet files that are made after a publish. */
  files: {
    /** Sets of older versions that are kept: at least an hour of them, as `restMs` passes. */
    olderSetsMax: 4,
    /** Shortest time between two sets, which bounds what they take of the processor and the disk. */
    restMs: 15 * 60_000,
    /** Longest wait for loads that people wait for. */
    waitMaxMs: 10 * 60_000,
    /** Interval of looks for a new version. */
    pollMs: 2000,
    tickMs: 50,
    /** Bytes that are read of a file and handed to the socket at a time. */
    pieceBytes: 256 * 1024,
    /** Bytes of a response for which a token is charged. */
    tokenBytes: 8 * 1024 * 1024,
    /** Requests for files, as a multiple of the rate limit of other requests. */
    requestsFactor: 20,
    /** Responses of files at once, per thread; each takes a piece of memory. */
    streamsMax: 256,
    /** Share of its rows that a file of an export must keep when it is replaced. */
    keptShareMin: 0.5,
  },
  store: {
    /** Memory of DuckDB on a machine with twice as much; it sorts on disk beyond that. */
    duckdbMegabytesMax: 4096,
    /** Memory of DuckDB while many rows only pass: it keeps the blocks of the store that it has room for. */
    passingMegabytesMax: 112,
    /** Rows from which they are many. */
    passingRows: 1_000_000,
    /** Rows up to which a load uses one thread. */
    fewRows: 5_000,
    /** Rows of all loads up to which a publish of all of them keeps the store open: about a second. */
    publishedOpenRows: 200_000,
    /**
     * Disk that a daily bar takes: 25 bytes in its segment, 40 in the store, 48 as served and 72
     * with its indicators, plus a quarter of the last two for weeks and months. A minute bar takes
     * half.
     */
    diskBytesPerBar: 215,
    /** Disk that a record of another dataset takes: segment, table, and served text. */
    diskBytesPerRow: 600,
    readerWaitMs: 30_000,
    /** Times for which a writer keeps the store: after each load, and in all. */
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
    /** Newest rows of a load that events name: days, and number. */
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
  sanity: {
    /** Rows below which a requested load is not held: its caller sees the counts. */
    rowsMin: 1000,
    rejectedShareMax: 0.01,
    /** Missing share of the symbols of the newest published session. */
    missingShareMax: 0.02,
    /** Moved share of the symbols with a published price. */
    movedShareMax: 0.01,
    /** Change, up or down, from which a price has moved, as a share of the published price. */
    movedMin: 0.5,
    /**
     * Days by which an adjusted history begins before the published price, so that its common days
     * explain a moved one: a file that reaches back over a missed split has a week or two.
     */
    ownPastDaysMin: 7,
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
    /**
     * Held symbols of a load, above both of which the whole load is held: a number, and a share of
     * its symbols.
     */
    heldSymbolsMax: 10,
    heldShareMax: 0.1,
    /** New prices beside the ones that they replace. Factors and steps are ratios of prices. */
    agreement: {
      /** Difference of a ratio from that of the bar before: vendors round adjusted prices again. */
      noise: 0.001,
      /** The same between two sources, whose closes are not those of one venue. */
      otherNoise: 0.02,
      /** Difference of traded prices that is another level. */
      sameNoise: 0.01,
      /** Distance of a step from a power of ten, in logarithms. */
      unitNoise: 0.02,
      /** Step of single bars that is a jump; and of two spans of at least so many bars. */
      stepMin: 1.5,
      lastingStepMin: 1.2,
      lastingBarsMin: 3,
      /** Bars with all prices of the stored bar beside each. */
      shiftedBarsMin: 2,
      /** Share of bars that may be corrected by more than a step. */
      correctedShareMax: 0.01,
      /** Bars from which changed ones are not a file of corrections. */
      manyBars: 20,
    },
    /** Held inputs that one message names, and symbols of each. */
    shownMax: 3,
  },
  quality: {
    /** Equal bars from which they are flagged: two weeks. */
    unchangedBarsMin: 10,
    /** Bars before a bar that it may repeat. */
    repeatedBarsBack: 5,
    /** Shares from which an equal volume is no chance. Prices of cheap shares repeat often. */
    repeatedSharesMin: 1000,
    /** Dollars between low and high from which four equal prices are no chance, whatever the volume. */
    repeatedRangeMin: 0.2,
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
