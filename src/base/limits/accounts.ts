/** Bounds of keys, plans, usage counts and webhooks. */

const DAY_MS = 24 * 3_600_000;

export const accountLimits = {
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
} as const;
