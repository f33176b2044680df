/** Bounds of processes and of the jobs that run in them. */

export const jobLimits = {
  /** Times of a stop of the server, within which requests in flight may end. */
  shutdown: {
    graceMs: 25_000,
    /** Interval in which connections without a request are closed. */
    idleMs: 50,
    /** Times after which a thread, then the process, is killed: all within 30 s. */
    threadMs: 27_000,
    processMs: 29_000,
  },
  /** Samples of the event loop: each thread measures its lag and reports it once a sample. */
  metrics: { routesMax: 128, sampleMs: 5000, lagResolutionMs: 20 },
  pipeline: { clockCheckMs: 30_000 },
  redis: {
    connectMs: 5000,
    reconnectMaxMs: 2000,
    /**
     * Silence after which a connection that awaits a response is replaced. Workers wait for 10 s.
     */
    silentMs: 15_000,
    /** Time for a command where sentinels name the master. One chunk of a run takes 0.1 s. */
    answerMs: 20_000,
    /** Entries of each queue's stream of events. */
    eventsKept: 1000,
    /** Time after which a run is loaded as it is, if its producer died while it added tasks. */
    gateMs: 10 * 60_000,
    /**
     * Time after its publish for which staged segments of a run are kept, in case Redis loses the
     * run.
     */
    landingsKeptMs: 60_000,
    /** Finished jobs that are kept for inspection. */
    doneKept: 1000,
    deadKept: 10_000,
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
    /**
     * Age at which the lock of a dead load worker ends, and interval in which a live one renews it.
     */
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
    childrenMax: 200_000,
    /** Tasks that are added to a queue in one call; more would block Redis. */
    addedAtOnce: 1000,
    /** Tasks of any runs that one process fetches at a time. */
    fetchConcurrency: 4,
    /** Waits of a failed job: the wait before try n is the first wait doubled n times. */
    backoffFirstMs: 1000,
    backoffMaxMs: 5 * 60_000,
    /**
     * Tries of a job whose vendor is unavailable, limits the rate, or that fails for another
     * reason.
     */
    unavailableTriesMax: 5,
    rateLimitedTriesMax: 20,
    otherTriesMax: 2,
    /** Time for which finished runs and failed jobs are known. */
    keptMs: 14 * 24 * 3_600_000,
    /**
     * Ticks whose runs a process looks up when it first handles a schedule: a session of the
     * densest schedule, which has 390 minutes. For other schedules this is more than a day, or as
     * long as runs are known.
     */
    ticksLookedBackMax: 400,
    /** Interval between two looks at a run of another process. */
    pollMs: 200,
    reasonCharsMax: 1000,
    listedMax: 1000,
  },
  supervisor: { restartFirstMs: 250, restartMaxMs: 60_000 },
  doctor: {
    /** Time by which files may be newer than the clock: other machines write to shared folders. */
    clockAheadMs: 10 * 60_000,
    pythonMs: 20_000,
  },
} as const;
