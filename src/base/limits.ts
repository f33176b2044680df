/**
 * Bounds of work of several folders. Units are in the names.
 *
 * A bound that one folder reads stands in its own `limits.ts`. A table of these in one of the
 * folders could not be read from below it.
 */

const DAY_MS = 24 * 3_600_000;

export const limits = {
  // Responses, and what the API keeps to make them.

  /** Time after which work that yields ends its tick of the event loop. */
  tickBudgetMs: 0.5,
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  /** Bounds of a screen's expressions: its columns and its sort key count with its conditions. */
  screens: {
    /** Characters of one text. */
    charsMax: 4000,
    /** Parentheses, calls, offsets and signs inside one another. */
    nestingMax: 50,
    /** Comparisons, crosses, ranges, lists and tests for null. */
    conditionsMax: 32,
    /** Expressions to return. */
    columnsMax: 32,
    /** Comparisons across symbols: ranks and the like. */
    acrossMax: 8,
    /** Operations after compilation; equal ones over bars count once. */
    operationsMax: 400,
    /** Bars of a window or an offset. */
    windowMax: 5000,
    /** Numbers of state for one symbol: what windows and offsets keep of earlier bars. */
    stateRowsMax: 20_000,
    /** Newest bars, states and values that a thread keeps between screens. */
    memoryBytesMax: 256 * 1024 * 1024,
  },
  /** Bounds of one study. */
  study: {
    horizonsMax: 8,
    /** Sessions of a horizon. */
    horizonMax: 1000,
    combinationsMax: 1000,
    /** Memory of the events that are found, for their medians. */
    eventBytesMax: 320 * 1024 * 1024,
    /** Memory of comparisons across symbols: 40 million days of symbols. */
    acrossBytesMax: 320 * 1024 * 1024,
    /** Memory of both. */
    bytesMax: 400 * 1024 * 1024,
    /** Rows of events in one response, and in JSON. */
    rowsMax: 1_000_000,
    rowsJsonMax: 50_000,
  },
  /** Significant digits of a response; a float64 has 17. */
  digits: { min: 1, max: 17 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: {
    sizeDefault: 20,
    sizeMax: 100,
    screenerSizeMax: 200,
    cursorTtlMs: DAY_MS,
    /** Time for which pages are cached, and bytes of them per thread. */
    keptMs: 1000,
    keptBytesMax: 4 * 1024 * 1024,
    /** Longest wait for the version of a walk that began on a machine that had it first. */
    versionWaitMs: 3000,
  },
  batch: { symbolsMax: 100 },
  /** Largest age of an active symbol's newest bar, counted from the newest bar of all. */
  symbols: { activeDays: 7 },
  bulk: {
    /** Symbols of a list; a star requests the whole universe. */
    symbolsMax: 2000,
    /** Symbols that one refusal names; its count covers all. */
    namedMax: 10,
    /** Bytes that are made and handed to the socket at a time. */
    pieceBytes: 1024 * 1024,
    /** Bytes made before the head of a stream is sent: more than a schema without rows. */
    firstBytes: 16 * 1024,
    /** Bytes made before the head for HTTP/1.0, where only a length shows that a body is whole. */
    lengthBytesMax: 8 * 1024 * 1024,
    /** Stored rows below a day that are resampled for the count of rows in the head. */
    countedRowsMax: 4_000_000,
    /** Rows of an Arrow batch. Shorter series share a batch; longer ones take several. */
    batchRowsMin: 1024,
    batchRowsMax: 16_384,
    /** Values of indicators that are computed side by side; eight symbols mostly need fewer. */
    groupValuesMax: 1_000_000,
    /** Stored rows below a day that are read at a time, plus up to a session. */
    intradayRows: 16_384,
    /** Newest rows of a symbol that a request may ask for by their number. */
    newestRowsMax: 5000,
    /** Rows that are copied for CSV at a time. */
    csvRows: 1024,
    /** Time for which other requests wait for a piece. */
    tickBudgetMs: 2,
    /** Time within which a client must take a piece. */
    stallMs: 60_000,
    /** Streams at once per thread; each takes some 2 MB, with indicators some 8 MB. */
    streamsMax: 32,
  },
  parquet: {
    /** Rows of a row group: some 600 KB of memory, and a third of that in the file. */
    groupRows: 16_384,
    /** Records of a row group: texts of news take some 10 MB. */
    recordRows: 4096,
    pageBytes: 1024 * 1024,
    zstdLevel: 3,
  },
  request: {
    urlBytesMax: 16_384,
    headerBytesMax: 16_384,
    bodyBytesMax: 65_536,
    /** Time for the request line and the headers to arrive; the body's time starts after them. */
    headersMs: 15_000,
    /** Time for a body to arrive. */
    bodyMs: 30_000,
    /**
     * Time for which a connection without requests stays open. Load balancers close theirs after 60
     * seconds; one that is closed here first may lose a request that is under way.
     */
    keptMs: 75_000,
    /** Time for which the rest of a refused upload is read and dropped. */
    drainMs: 30_000,
    /** Delay with which a slow request may end after its time. */
    lateMs: 1000,
  },
  /** Results of tools for agents. Each byte takes some of an agent's memory. */
  mcp: {
    /** Bytes of rows in one result: some 6000 tokens of a language model. */
    resultBytesMax: 16 * 1024,
    textCharsMax: 300,
    symbolsMax: 5,
    rowsDefault: 20,
    rowsMax: 200,
    /** Messages that a client sends at once; they count as one request. */
    batchMax: 16,
    /** Time for the response of the server to `tapeworks mcp`. */
    forwardMs: 60_000,
  },
  /** Queries of `query_sql`, each in a process of its own. */
  sql: {
    /** Processes of a server at once; each API thread may have at least one. */
    processesMax: 2,
    /** Queries of a thread that wait for a process. */
    waitingMax: 8,
    deadlineMs: 10_000,
    charsMax: 20_000,
    errorCharsMax: 1000,
    rowsMax: 200,
    /** Memory of DuckDB's operators, and of the whole process, which is checked while it runs. */
    duckdbMegabytes: 512,
    processBytesMax: 1024 * 1024 * 1024,
    checkMs: 25,
    heapMegabytes: 128,
  },
  /** Serialised responses that all threads together keep for repeated requests. */
  responseCache: { bytesMax: 64 * 1024 * 1024 },
  /** Characters of a foreign text that a message quotes. */
  echo: { charsMax: 200 },
  /** Bounds of the thread that runs screens with expressions. */
  screenThread: {
    /** Processor time of one screen. Five screens over 10,000 symbols take 20 ms. */
    workMs: 10_000,
    /** Time after which a request for a screen fails, waiting included. */
    responseMs: 60_000,
    /** Screens of one account that run at once, and that wait. */
    accountRunningMax: 4,
    accountWaitingMax: 32,
    /** Screens up to which an account may run more than one, and accounts that run one. */
    runningMax: 16,
    accountsRunningMax: 32,
    waitingMax: 256,
    /** Results of screens: some 100 KB each with 10,000 symbols. */
    resultBytesMax: 64 * 1024 * 1024,
    /** Texts of screens whose plans are kept. */
    plansMax: 200,
    /** Past days whose securities are kept for a version, some 3 MB each with 10,000 symbols. */
    pastDaysMax: 4,
    /** Replaced versions that walks stay on. */
    versionsMax: 32,
    /** Interval in which versions are released. */
    releaseMs: 10_000,
    /** Memory of the thread for values of the runtime; columns are outside of it. */
    heapMegabytes: 512,
    youngMegabytes: 24,
  },
  api: {
    threadsMax: 64,
    /** Memory of a thread for short-lived values. */
    threadYoungMegabytes: 24,
  },

  // Keys, plans, usage counts and webhooks.

  rateLimit: { requests: 600, windowS: 60 },
  key: {
    labelCharsMax: 100,
    /** Interval of looks for changes by other processes: a revocation takes a second at most. */
    cacheMs: 250,
    /** Keys of an account in one mode, without revoked keys. */
    perAccountMax: 1000,
    /** Largest validity of keys that a plan may set. */
    daysMax: 36_500,
  },
  plan: { requestsMax: 2_147_483_647, windowMaxS: 86_400, tokensMax: 1_000_000_000_000 },
  usage: {
    /** Interval in which threads post their counts, and in which posted counts are written. */
    flushMs: 250,
    /** Counts of a key, route and day that wait in memory while the disk is full. */
    waitingMax: 100_000,
    /** Rows of one response. A busy account has a tenth of it in a year. */
    rowsMax: 50_000,
    daysDefault: 30,
  },
  idempotency: {
    keyCharsMax: 255,
    keptMs: DAY_MS,
    /** Age at which the claim of a dead process is free; longer than a request may take. */
    claimMs: 60_000,
    eraseMs: 60_000,
  },
  accounts: {
    busyTimeoutMs: 5000,
    /** Free space from which `accounts.sqlite` is given a log and its shared memory. */
    logBytesMin: 1024 * 1024,
  },
  /** Accounts in Postgres. */
  postgres: {
    /** Connections of one thread; each closes after `idleMs`. */
    connectionsMax: 2,
    idleMs: 30_000,
    connectMs: 5000,
    /** Longest wait for one statement, and for a lock of another machine. */
    statementMs: 10_000,
    lockMs: 5000,
    /** Longest step of a migration. */
    migrateMs: 30 * 60_000,
    /** Tries of what a deadlock or a conflict has rolled back, and the longest first wait. */
    triesMax: 10,
    retryMs: 20,
    /** Interval of looks for changed keys: a revocation takes a second at most. */
    pollMs: 500,
    /** Interval in which a machine writes its usage. */
    pushMs: 1000,
    /** Rows of usage in one batch, and of changed keys in one query. */
    batchRows: 5000,
    /** Time after the last contact for which a machine admits the keys that it knows. */
    staleMs: 10 * 60_000,
    /** Smaller differences from the clock of Postgres are errors of their measurement. */
    clockMs: 500,
    clockCheckMs: 60_000,
    /** Time for which the number of a machine's last batch is kept. */
    batchesKeptMs: 90 * DAY_MS,
    /** Past days for which the spent tokens are kept; quotas need those of today. */
    spentDays: 7,
    /** Batches of a machine after which it removes what is older. */
    pruneBatches: 3600,
  },
  webhook: {
    /** Webhooks of an account in one mode. */
    perAccountMax: 100,
    urlCharsMax: 2048,
    descriptionCharsMax: 500,
    symbolsMax: 100,
    screenerCharsMax: 8192,
    /** Time for which a replaced secret signs next to the new one. */
    oldSecretMs: DAY_MS,
    /** Time for which events and their deliveries are kept; longer than all attempts take. */
    keptMs: 7 * DAY_MS,
    /** Old events that one write of new events removes, in addition to the number that it adds. */
    pruneRows: 1000,
    /** Waits before each attempt: the example of the Standard Webhooks specification. */
    waitsS: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** Share of a wait up to which a random time is added to it. */
    jitterShare: 0.1,
    /** Time from opening the connection to the status of the response. */
    responseMs: 20_000,
    connectMs: 10_000,
    /** Bytes read of a response; the rest is cut off. No part of it is kept. */
    responseBytesMax: 16_384,
    /** Age at which a running attempt counts as one of a dead process. */
    leaseMs: 60_000,
    /** Attempts at once: of a webhook, of a failing webhook, of an account, in all. */
    runningMax: 4,
    failingRunningMax: 1,
    accountRunningMax: 64,
    allRunningMax: 512,
    /** Part of `allRunningMax` that only accounts below `accountRunningMax` may use. */
    freeMin: 256,
    /** Delay after which a due delivery without a job is attempted directly. */
    lateMs: 5000,
    /** Time for which a job starts attempts. It ends when these have ended. */
    jobMs: 10_000,
    /** Jobs that one process runs at once. */
    jobsMax: 8,
    /** Deliveries given up that a job names. */
    shownMax: 5,
    /** Interval between two looks for due deliveries. */
    pollMs: 250,
    /** Pause for an overloaded receiver that names no time itself. */
    restMs: 30_000,
    /** Longest pause, whatever time the receiver names. */
    restMaxMs: 3_600_000,
    /** Delay of an attempt whose secret can't be read. */
    keyWaitMs: 60_000,
    /** Time without a success after which a failed delivery disables its webhook. */
    failingMaxMs: 5 * DAY_MS,
    /** Characters of an error that is shown. */
    errorCharsMax: 300,
  },
  stream: {
    /** Open streams of a key over all threads of a server, and of all keys on one thread. */
    perKeyMax: 16,
    perThreadMax: 1000,
    /** Counters of keys, a power of two; beyond this number, two keys share one. */
    keysMax: 2 ** 14,
    /** Saved screens that one stream follows. */
    screensMax: 10,
    /** Interval between two looks for new events, and between two checks of the keys. */
    pollMs: 250,
    keyCheckMs: 1000,
    /** Time without an event after which a stream gets its position, as a sign of life. */
    heartbeatMs: 15_000,
    /** Pause that clients make before they connect again. */
    retryMs: 2000,
    /** Events that are read at a time; each takes up to 20 KB. */
    batchRows: 64,
    /** Characters that are handed to a socket at a time. */
    pieceChars: 16_384,
    /** Time after which a client that reads nothing is cut off. */
    stallMs: 30_000,
    /** Streams opened without the accounts that get their place in one turn. */
    attachedMax: 64,
    /** Time for which a stream's events are kept after its last renewal, and their number. */
    leaseMs: 15 * 60_000,
    renewMs: 60_000,
    rowsMax: 20_000,
  },
  /** Saved screens: their number per account and mode, and the length of a query. */
  savedScreen: { perAccountMax: 200, queryCharsMax: 8192 },
  /** Bounds of backfills that clients request. */
  backfills: {
    /** Symbols of one request. */
    symbolsMax: 100,
    /** Unfinished backfills of an account, and of all accounts. */
    accountOpenMax: 20,
    openMax: 200,
    /** Backfills that run at once: without Redis, with it, and of one account. */
    runningMax: 1,
    queuedRunningMax: 4,
    accountRunningMax: 2,
    /** Interval of looks for new requests, and of notes of the progress. */
    pollMs: 250,
    /**
     * A backfill waits for a processor if, between two checks, its process waits for more than this
     * share of the time, and for this many times as long as it runs.
     */
    processorCheckMs: 1000,
    waitShareMin: 0.5,
    waitPerRunMin: 3,
    /** Time for which ended backfills are listed. */
    keptMs: 30 * DAY_MS,
    /** Entries of each list of a result, and characters of a text. */
    listedMax: 100,
    textCharsMax: 1000,
    /** Size of an uploaded file, and time for it to arrive. */
    fileBytesMax: 64 * 1024 * 1024,
    fileMs: 10 * 60_000,
    /** Pause within an upload, and its least rate on average after some time. */
    fileIdleMs: 15_000,
    fileGraceMs: 30_000,
    fileBytesPerSMin: 16 * 1024,
    nameCharsMax: 100,
    /** Uploads that a thread receives at once. */
    uploadsMax: 4,
    /** Age at which an uploaded file without a backfill is removed. */
    strayFileMs: 3_600_000,
    /** Time for which files of failed backfills are kept for a retry, and their number. */
    failedFileMs: DAY_MS,
    failedFilesMax: 20,
    /** Interval of looks for files to remove. */
    sweepMs: 60_000,
  },
  /** Bounds of events. A body stays below 20 KB, as the Standard Webhooks specification asks. */
  events: {
    /** Symbols that a body names; its count covers all. */
    symbolsMax: 500,
    /** Quotes or screener rows that a body holds. */
    rowsMax: 40,
    textCharsMax: 4000,
    /** Time after the swap by which every reader has the new version. */
    readableMs: 1000,
    /** Characters of a screener's query in a body. */
    queryCharsMax: 2048,
    /** Time for one expression over bars in a publish, and for all of them. */
    screenMs: 5000,
    screensMs: 20_000,
    /** Expressions over daily bars whose matches are kept; each takes a byte a symbol. */
    screensKept: 1000,
    /** Time after which an expression lets other work run. */
    screenTickMs: 10,
    /** Rows of the outbox that are kept after they were relayed; removing rows takes some 30 ms. */
    outboxRowsMax: 256,
  },
  /** A shorter token could be guessed. */
  operator: { tokenCharsMin: 16 },
  /** Longest `TAPEWORKS_CONTACT`, which is sent as a header. */
  contactCharsMax: 200,

  // The market store and the published files.

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

  // Processes, and the jobs that run in them.

  /** Times of a stop of the server, within which requests in flight may end. */
  shutdown: {
    graceMs: 25_000,
    /** Interval in which connections without a request are closed. */
    idleMs: 50,
    /** Times after which a thread, then the process, is killed: all within 30 s. */
    threadMs: 27_000,
    processMs: 29_000,
  },
  redis: {
    connectMs: 5000,
    reconnectMaxMs: 2000,
    /** Silence after which a waiting connection is replaced. Workers wait for 10 s. */
    silentMs: 15_000,
    /** Time for a command where sentinels name the master. One chunk of a run takes 0.1 s. */
    responseMs: 20_000,
    /** Entries of each queue's stream of events. */
    eventsKept: 1000,
    /** Time after which a run is loaded as it is, if its producer died while it added tasks. */
    gateMs: 10 * 60_000,
    /** Time after its publish for which the staged segments of a run are kept. */
    stagedKeptMs: 60_000,
    /** Finished jobs that are kept for inspection. */
    doneKept: 1000,
    failedKept: 10_000,
    keptS: 14 * 24 * 3600,
    /** Interval between two looks at a run of workers, and between two progress lines of a load. */
    pollMs: 300,
    /**
     * Silence after which a worker's job goes to another worker. The search for such jobs runs
     * every `stalledMs`; both together take less than a minute.
     */
    lockMs: 20_000,
    stalledMs: 10_000,
    /** Workers that may die of one job before it has failed. */
    stalledMax: 10,
    /** Age at which the lock of a dead load worker ends, and interval of renewals. */
    storeLockMs: 20_000,
    storeRenewMs: 5000,
    /** Time without a job, while some wait, after which a worker is restarted. */
    idleMs: 15_000,
    /** Interval between two looks for jobs that may overtake others. */
    overtakeMs: 1000,
    /** Time in which a stopping worker gives its running jobs back. */
    stopMs: 10_000,
  },
  jobs: {
    tasksMax: 200_000,
    /** Tasks that are added to a queue in one call; more would block Redis. */
    addedAtOnce: 1000,
    /** Tasks of any runs that one process fetches at a time. */
    fetchConcurrency: 4,
    /** Waits of a failed job: the wait before try n is the first wait doubled n times. */
    backoffFirstMs: 1000,
    backoffMaxMs: 5 * 60_000,
    /** Tries of a job by failure: vendor unavailable, rate limited, another reason. */
    unavailableTriesMax: 5,
    rateLimitedTriesMax: 20,
    otherTriesMax: 2,
    /** Time for which finished runs and failed jobs are known, and staged results are kept. */
    keptMs: 14 * DAY_MS,
    /** Time for which a job waits for object storage that is away: a feed tells news once. */
    storageMs: 10 * 60_000,
    /** Staged tasks that a load reads from object storage at once. */
    stagedAtOnce: 8,
    /**
     * Ticks whose runs a process looks up when it first handles a schedule: a session of the
     * densest schedule, which has 390 minutes. For other schedules this is more than a day, or as
     * long as runs are known.
     */
    ticksLookedBackMax: 400,
    /** Interval between two looks at a run of another process. */
    pollMs: 200,
    /** Interval between two looks for runs without a living owner. */
    keeperMs: 1000,
    reasonCharsMax: 1000,
    listedMax: 1000,
  },
  /** Report for the operator. */
  operatorReport: {
    /** Rows that it lists of each kind; its totals count all. */
    runsShown: 200,
    failedTasksShown: 5,
    /** Held symbols that it lists of a load, and that one request accepts. */
    heldSymbolsShown: 1000,
    reasonsShown: 50,
    gapsShown: 100,
    /** Kinds of holes that a report tells apart, and symbols that it names of each. */
    holesMax: 100_000,
    holeExamples: 4,
    keysShown: 100,
    webhooksShown: 100,
    deliveriesShown: 50,
    /** Failed jobs that one request retries. */
    retriedMax: 1000,
    idCharsMax: 100,
    /** Time for which parts that take long to read are kept: sizes of folders, usage of keys. */
    keptMs: 30_000,
    /** Files that are measured for the sizes of folders. */
    filesMax: 200_000,
    /** Time for a report; the report of gaps of 10,000 symbols takes about 1.5 s. */
    responseMs: 20_000,
    /** Time without requests after which the thread that makes reports ends. */
    idleMs: 120_000,
    heapMegabytes: 512,
  },
  /**
   * Waits before restarts, the time of work after which they begin anew, and the time without work
   * after which a process that runs jobs ends.
   */
  supervisor: { restartFirstMs: 250, restartMaxMs: 60_000, healthyMs: 60_000, idleMs: 30_000 },

  // Maintenance: how long unused data is kept, and how much one run of a task does.

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
    /** Events that one transaction removes, and that one run removes. */
    eventsAtOnce: 1000,
    eventsMax: 1_000_000,
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
    faultsShown: 10,
  },

  // Files that are read, and HTTP.

  ingest: {
    /** Date before which bars are rejected: no exchange data is older. */
    earliestDate: '1900-01-01',
    /** Latest date, as of options. */
    latestDate: '2099-12-31',
    /** Length of a text in a row; a summary of news has a tenth of it. */
    textCharsMax: 20_000,
    /** Time in the future up to which a row is accepted, since clocks differ. */
    futureMs: DAY_MS,
    /** Memory of the scratch database that checks and sorts rows; more goes to disk. */
    scratchMemory: '512MB',
    /** Part of a file, as text, that shows its dialect. */
    sampleCharsMax: 16 * 1024 * 1024,
    /** Columns of a file of JSON lines, which are its keys. */
    columnsMax: 2000,
    /** Columns that the notes of a load name, because they may be misnamed. */
    columnNotesMax: 20,
    /** Size of the pieces in which rows are written to the scratch folder. */
    stageChars: 1024 * 1024,
    /** Candles up to which a user's input is copied to the segments: some 2 MB. */
    copiedRowsMax: 100_000,
    quarantineRowsMax: 1_000_000,
    /** Reasons that the counts of refused rows list. */
    quarantineReasonsMax: 50,
    /** Sizes above which a zip is refused: one member, all members unpacked, their number. */
    zipMemberBytesMax: 2 * 1024 * 1024 * 1024,
    zipBytesMax: 64 * 1024 * 1024 * 1024,
    zipMembersMax: 200_000,
    /** Files up to this size are read and inflated in one call, larger ones streamed. */
    wholeReadBytesMax: 64 * 1024 * 1024,
    /** Response of an API, saved as a file: it is parsed whole, in some ten times its size. */
    responseBytesMax: 64 * 1024 * 1024,
    /** Longest text line; a longer one is rejected unread. */
    lineBytesMax: 65_536,
    /** Start of a file that is kept while others are scanned: it shows the dialect. */
    headBytesMax: 4096,
    scanThreadsMax: 4,
    /** Unpacked bytes of the first segment of many files; each one after it may be larger. */
    firstPartBytes: 128 * 1024 * 1024,
    partGrowth: 3,
    /** Inputs below this are scanned without starting threads. */
    scanThreadBytesMin: 8 * 1024 * 1024,
    /** Bars of a segment of the synthetic market, about. */
    sandboxSegmentRows: 2_000_000,
  },
  /** Bounds of requests to vendors. */
  http: {
    triesMax: 4,
    /** First wait before a retry, doubled with each retry. A random part of it is waited. */
    backoffFirstMs: 500,
    backoffMaxMs: 30_000,
    /** Longest pause that a vendor may request; after a longer one the request fails. */
    retryAfterMaxMs: 120_000,
    /** Longest wait of a run for its own rate limit of a vendor: an hour, and some slack. */
    paceWaitMaxMs: 3_660_000,
    connectMs: 10_000,
    headersMs: 30_000,
    /** Time between two pieces of a body, and of a whole response. */
    bodyIdleMs: 30_000,
    responseMs: 300_000,
    /** Size of an unpacked body. A day of the whole market has 3 to 15 MB. */
    bodyBytesMax: 64 * 1024 * 1024,
    /** Size of a file that is downloaded to disk, and time of one try. */
    downloadBytesMax: 16 * 1024 * 1024 * 1024,
    downloadMs: 3 * 3_600_000,
    redirectsMax: 3,
    /** Part of a vendor's own words that a message quotes. */
    wordsCharsMax: 200,
    wordsBytesMax: 65_536,
  },

  /**
   * Newest stored sessions that a vendor is asked for again: the volume of an evening is
   * provisional. Of the whole market, a session costs a request or three.
   */
  overlapSessions: { ofSymbol: 5, ofMarket: 1, yahoo: 10 },
} as const;
