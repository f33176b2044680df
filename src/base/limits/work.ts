/**
 * Bounds of processes, and of the jobs that run in them; how long unused data is kept, and how much
 * one run of a task of maintenance does.
 */

const DAY_MS = 24 * 3_600_000;

export const workLimits = {
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
    /** Tries to write or remove staged files while another process removes or writes them. */
    placeTriesMax: 3,
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
   * Waits before restarts, the time of work after which they begin anew, the time without work after
   * which a process that runs jobs ends, the memory of a process for short-lived values, and by how
   * much that for others grows between two collections where nothing answers requests.
   */
  supervisor: {
    restartFirstMs: 250,
    restartMaxMs: 60_000,
    healthyMs: 60_000,
    idleMs: 30_000,
    youngMegabytes: 24,
    heapGrowthPercent: 50,
  },
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
    /** First removal on a machine without a store, after the start of its worker, and the next. */
    cleanFirstMs: 3_600_000,
    cleanEveryMs: DAY_MS,
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
} as const;
