/** Every bound of the program, in one place. Units are in the names. */

export const limits = {
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: {
    sizeDefault: 20,
    sizeMax: 100,
    screenerSizeMax: 200,
    cursorTtlMs: 24 * 3_600_000,
    /** Pages of the screener are kept this long for who asks the same again. */
    keptMs: 1000,
    keptBytesMax: 4 * 1024 * 1024,
  },
  batch: { symbolsMax: 100 },
  /** Days of the earnings calendar that one question may span. */
  earnings: { spanDaysDefault: 14, spanDaysMax: 92 },
  /** A symbol is active while its newest bar is at most this much older than the newest of all. */
  symbols: { activeDays: 7 },
  bulk: {
    /** Symbols of a list; the whole universe is asked for with a star. */
    symbolsMax: 2000,
    /** Symbols that one refusal names; its count covers all. */
    namedMax: 10,
    /** Bytes made, and handed to the socket, at a time. */
    pieceBytes: 1024 * 1024,
    /** Series below the first share Arrow batches, series above the second take several. */
    batchRowsMin: 1024,
    batchRowsMax: 16_384,
    /** Stored rows below a day that are read at a time, and up to a session more. */
    intradayRows: 16_384,
    /** Rows that are copied for CSV at a time. */
    csvRows: 1024,
    /** How long other requests wait for a piece. */
    turnMs: 2,
    /** A client that takes nothing for this long is cut off. */
    stallMs: 60_000,
  },
  request: {
    urlBytesMax: 16_384,
    headerBytesMax: 16_384,
    bodyBytesMax: 65_536,
    /** For a body to arrive. */
    bodyMs: 30_000,
  },
  rateLimit: { requests: 600, windowS: 60 },
  key: {
    labelCharsMax: 100,
    cacheMs: 500,
    /** Of an account in one mode, revoked ones apart. */
    perAccountMax: 1000,
    /** A plan's bound on how long keys are valid. */
    daysMax: 36_500,
  },
  plan: { requestsMax: 2_147_483_647, windowMaxS: 86_400, tokensMax: 1_000_000_000_000 },
  usage: {
    /** Counts are written this long after the first of them. */
    flushMs: 500,
    /** How old the tokens that other processes have used up may be known. */
    staleMs: 500,
    /** Rows of one answer: a year of a busy account is a tenth of it. */
    rowsMax: 50_000,
    daysDefault: 30,
  },
  idempotency: {
    keyCharsMax: 255,
    keptMs: 24 * 3_600_000,
    /** A claim whose process died is free after this; longer than a request may take. */
    claimMs: 60_000,
    eraseMs: 60_000,
  },
  /** 401s of an address in a minute; addresses beyond the second are counted as one. */
  failedAuth: { perWindow: 60, windowS: 60, addressesMax: 100_000 },
  accounts: { busyTimeoutMs: 5000 },
  /** Serialised answers kept for repeated requests, per process. */
  answerCache: { bytesMax: 64 * 1024 * 1024 },
  /** Query strings whose meaning is remembered, per route and process. */
  parsedQueries: { entriesMax: 1000, charsMax: 512 },
  /** Schemas of Arrow answers whose encoding is kept: a few kilobytes each. */
  arrowSchemas: { entriesMax: 200 },
  /** What requests in flight get when the server stops. */
  shutdown: { graceMs: 5000 },
  log: { flushMs: 100, bytesMax: 32_768 },
  /** Below this much free space `/readyz` says that the disk is full. */
  disk: { freeBytesMin: 64 * 1024 * 1024 },
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
  },
  store: {
    duckdbMemory: '4GB',
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
    writerPollMs: 200,
    /** Rows that one `sql` answer may hold. */
    sqlRowsMax: 1_000_000,
    /** Symbols that one `candles.updated` event names; its count covers all. */
    eventSymbolsMax: 100,
    /** Rows of a load that events tell of: those that became known in so many days, and so many. */
    eventDays: 7,
    eventRowsMax: 10_000,
    /** Rows of series that lie scattered, read and sorted at once: 56 bytes each. */
    sortRowsMax: 4_000_000,
    /** Newest rows of `changes` that are kept one by one: 100 loads of a minute of 10,000 symbols. */
    changesMax: 1_000_000,
    /** Closes held at once while winners are worked out: 16 bytes each. */
    winnerClosesMax: 4_000_000,
  },
  pipeline: { clockCheckMs: 30_000 },
  supervisor: { restartFirstMs: 1000, restartMaxMs: 60_000 },
  ingest: {
    /** Older bars are refused: no exchange data of ours is older. */
    earliestDate: '1900-01-01',
    /** Dates to come, of options for instance, end here. */
    latestDate: '2099-12-31',
    /** Of one text of a row: a summary of news is a tenth of it. */
    textCharsMax: 20_000,
    /** A row that became known later than this from now on is refused: clocks differ. */
    futureMs: 24 * 3_600_000,
    /** Of the scratch database that rows of a dataset are sorted in; more goes to disk. */
    rowsMemory: '256MB',
    /** Rows are written to the scratch folder in pieces of about so many characters. */
    stageChars: 1024 * 1024,
    quarantineRowsMax: 1_000_000,
    /** A zip is refused above these: one member, all members unpacked, their number. */
    zipMemberBytesMax: 2 * 1024 * 1024 * 1024,
    zipBytesMax: 64 * 1024 * 1024 * 1024,
    zipMembersMax: 200_000,
    /** Files up to this size are read and inflated in one call, larger ones streamed. */
    wholeReadBytesMax: 64 * 1024 * 1024,
    /** A text line above this is refused unread. */
    lineBytesMax: 65_536,
    /** The start of a file, kept while others are scanned: it tells the dialect. */
    headBytesMax: 4096,
    scanThreadsMax: 4,
    /** Unpacked bytes of the first segment of many files; each one after it may be larger. */
    firstPartBytes: 128 * 1024 * 1024,
    partGrowth: 3,
    /** Inputs below this are scanned without starting threads. */
    scanThreadBytesMin: 8 * 1024 * 1024,
    /** The generator lands a segment of about this many bars at a time. */
    sandboxSegmentRows: 2_000_000,
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
  doctor: {
    /** Files may be this much newer than the clock: other machines write to shared folders. */
    clockAheadMs: 10 * 60_000,
    pythonMs: 20_000,
  },
  /** Every request to a vendor. */
  http: {
    triesMax: 4,
    /** The wait before try n is a random part of the first wait doubled n times. */
    backoffFirstMs: 500,
    backoffMaxMs: 30_000,
    /** A vendor that asks for a longer pause than this is given up for now. */
    retryAfterMaxMs: 120_000,
    connectMs: 10_000,
    headersMs: 30_000,
    /** Between two pieces of a body, and for the whole answer. */
    bodyIdleMs: 30_000,
    answerMs: 300_000,
    /** Of an answer, unpacked. A day of the whole market is 3 to 15 MB. */
    bodyBytesMax: 64 * 1024 * 1024,
    /** Of a file that is downloaded to disk, and how long one try of it may take. */
    downloadBytesMax: 16 * 1024 * 1024 * 1024,
    downloadMs: 3 * 3_600_000,
    redirectsMax: 3,
    /** What a message quotes of a vendor's own words. */
    wordsCharsMax: 200,
    wordsBytesMax: 65_536,
  },
  sec: {
    /** A company's file above this is refused unread; the largest have a fraction of it. */
    companyBytesMax: 64 * 1024 * 1024,
    /** Of each reading thread's memory, the part for what is soon garbage: nearly all that JSON makes. */
    threadYoungMegabytes: 24,
    /** Unpacked bytes of the companies whose rows are landed together. */
    batchBytes: 128 * 1024 * 1024,
    batchCompanies: 500,
    /** Refused facts of one reason and company that the quarantine lists. */
    faultsListedMax: 100,
    /** Companies of a batch without a ticker that are named one by one. */
    lostListedMax: 20,
    /** Companies that are asked for over the network before their rows are landed. */
    askedPerBatch: 50,
  },
  yahoo: { overlapSessions: 10 },
  /** Sources of rows by day or by symbol. */
  calendar: {
    /** Asked from today on where no days are named. */
    daysDefault: 30,
    daysMax: 400,
    /** Of one question for many companies: Finnhub ends its answer at some 1,500 rows. */
    daysPerRequest: 7,
    /** Symbols whose rows make one segment. */
    symbolsPerSegment: 50,
    /** Quarters from the year end that is known for which a company's own year is still believed. */
    quartersMax: 12,
  },
  news: {
    /** Of one feed. */
    feedBytesMax: 16 * 1024 * 1024,
    entriesMax: 5000,
    titleCharsMax: 500,
    /** Longer summaries are cut: some feeds put whole articles there. */
    summaryCharsMax: 1000,
    /** Of an entry that is refused, for people to see. */
    quarantineCharsMax: 1000,
    /** How long a story is known after a feed told it last, so that a copy is not a new one. */
    storyKeptMs: 7 * 24 * 3_600_000,
  },
  alpaca: {
    symbolsPerRequest: 500,
    barsPerPage: 10_000,
    actionsPerPage: 1000,
    /** The free plan gives the tape of all exchanges up to so long ago. */
    delayMs: 16 * 60_000,
    earliestDate: '2016-01-01',
    /** Symbols that lack fewer days are asked from their own first missing one. */
    ownStartDays: 14,
    /** Actions are found by the day they are processed, which is up to so long after the ex-date. */
    processDays: 120,
  },
  massive: {
    barsPerPage: 50_000,
    actionsPerPage: 5000,
    symbolsPerActions: 100,
    /** The free plan's history: two years. */
    historyDays: 730,
    /** A list of actions that was asked so lately holds all that is paid or split until today. */
    announcedDays: 7,
    /** Earlier ex-dates that are asked again: late announcements and corrections. */
    lookbackDays: 14,
  },
  /** Filings of insiders. */
  form4: {
    /** EDGAR takes 30 rows a table; the largest documents have 200 KB. */
    documentBytesMax: 4 * 1024 * 1024,
    /** Of a submission this much is read: its first document is the one wanted. */
    submissionBytesMax: 16 * 1024 * 1024,
    /** Of a quarter's data set, which has some 60,000 filings and 150,000 transactions. */
    filingsMax: 200_000,
    linesPerFilingMax: 1000,
    transactionsMax: 4_000_000,
    /** Filings of a day that land together: an interruption loses no more of them. */
    filingsPerSegment: 250,
    requestsAtOnce: 4,
    feedEntriesPerPage: 100,
    /** A busy day has 6000 entries. */
    feedPagesMax: 100,
    /** Filings that were loaded longer ago are in data sets by now, and not looked for singly. */
    askedSinglyDays: 250,
    /** Without --from: what the sums of 90 days need. */
    historyDays: 92,
  },
} as const;
