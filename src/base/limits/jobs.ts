/** Bounds: processes and what runs in them. */

export const jobLimits = {
  /** What requests in flight get when the server stops. */
  shutdown: {
    graceMs: 25_000,
    /** How often connections whose requests are answered are closed. */
    idleMs: 50,
    /** A thread, or a process, that has not ended then is ended: all within 30 s. */
    threadMs: 27_000,
    processMs: 29_000,
  },
  /** Each thread measures its event loop in steps and says so once a sample. */
  metrics: { routesMax: 128, sampleMs: 5000, lagResolutionMs: 20 },
  pipeline: { clockCheckMs: 30_000 },
  redis: {
    connectMs: 5000,
    reconnectMaxMs: 2000,
    /** A connection that is asked and silent for so long is made anew; workers ask for 10 s. */
    silentMs: 15_000,
    /** Of a command where sentinels are asked for the master; one chunk of a plan takes 0.1 s. */
    answerMs: 20_000,
    /** Of each queue's stream of events. */
    eventsKept: 1000,
    /** A plan whose producer died while it added children is loaded as far as it got. */
    gateMs: 10 * 60_000,
    /** What a plan landed is kept so long after its publish, for a Redis that forgets it. */
    landingsKeptMs: 60_000,
    /** Finished jobs that are kept, for people to see. */
    doneKept: 1000,
    deadKept: 10_000,
    keptS: 14 * 24 * 3600,
    /** Between two looks at a plan that workers run, and two words on how a load goes. */
    pollMs: 300,
    /**
     * A job whose worker is silent for so long is given to another, which is looked for every
     * stalledMs: together less than a minute.
     */
    lockMs: 20_000,
    stalledMs: 10_000,
    /** Workers that may die of one job before it is dead. */
    stalledMax: 10,
    /** How long a load worker that died keeps others out, and how often the living say so. */
    storeLockMs: 20_000,
    storeRenewMs: 5000,
    /** A worker that gets no job for so long while some wait is started anew. */
    idleMs: 15_000,
    /** Between two looks for jobs that may overtake others. */
    overtakeMs: 1000,
    /** What runs gets so long to be given back when a worker stops. */
    stopMs: 10_000,
  },
  jobs: {
    childrenMax: 200_000,
    /** Children that are added to a queue in one call: more would hold up Redis. */
    addedAtOnce: 1000,
    /** Children of any plans that one process fetches at a time. */
    fetchConcurrency: 4,
    /** The wait before try n of a failed job is the first wait doubled n times. */
    backoffFirstMs: 1000,
    backoffMaxMs: 5 * 60_000,
    /** Tries of a job whose vendor is away, or wants a pause, or that fails for another reason. */
    unavailableTriesMax: 5,
    rateLimitedTriesMax: 20,
    otherTriesMax: 2,
    /** Finished plans and dead jobs are known for so long. */
    keptMs: 14 * 24 * 3_600_000,
    /**
     * When a process first deals with a schedule it asks for so many ticks, one by one, whether
     * their plans have ended: for a session of the densest, which has 390 minutes. Of others that
     * is as far back as plans are known, or more than a day.
     */
    ticksLookedBackMax: 400,
    /** Between two looks at a plan that another process runs. */
    pollMs: 200,
    reasonCharsMax: 1000,
    listedMax: 1000,
  },
  supervisor: { restartFirstMs: 250, restartMaxMs: 60_000 },
  doctor: {
    /** Files may be this much newer than the clock: other machines write to shared folders. */
    clockAheadMs: 10 * 60_000,
    pythonMs: 20_000,
  },
} as const;
