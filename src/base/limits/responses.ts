/** Bounds of responses, and of what the API keeps to make them. */

const DAY_MS = 24 * 3_600_000;

export const responseLimits = {
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
    /** Memory of columns that a thread keeps between studies, at most an eighth of the machine's. */
    columnBytesMax: 512 * 1024 * 1024,
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
} as const;
