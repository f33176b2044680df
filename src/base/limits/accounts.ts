/** Bounds of keys, tiers, usage counts and webhooks. */

export const accountLimits = {
  rateLimit: { requests: 600, windowS: 60 },
  key: {
    labelCharsMax: 100,
    /**
     * Interval in which changes by other processes are looked for. A revocation takes effect within
     * a second.
     */
    cacheMs: 250,
    /** Keys of an account in one mode, without revoked keys. */
    perAccountMax: 1000,
    /** Largest validity of keys that a tier may set. */
    daysMax: 36_500,
  },
  plan: { requestsMax: 2_147_483_647, windowMaxS: 86_400, tokensMax: 1_000_000_000_000 },
  usage: {
    /** Interval in which threads post their counts, and in which posted counts are written. */
    flushMs: 250,
    /** Rows of one response. A busy account has a tenth of it in a year. */
    rowsMax: 50_000,
    daysDefault: 30,
  },
  idempotency: {
    keyCharsMax: 255,
    keptMs: 24 * 3_600_000,
    /** Age at which the claim of a dead process is free; longer than a request may take. */
    claimMs: 60_000,
    eraseMs: 60_000,
  },
  /** Responses with 401 to one address in a minute. */
  failedAuth: { perWindow: 60, windowS: 60 },
  /**
   * Sizes of the counters that threads share; powers of two. Keys and accounts are counted by row
   * number, addresses by hash. Beyond these sizes, two of them share a counter.
   */
  counts: {
    keysMax: 2 ** 22,
    accountsMax: 2 ** 20,
    addressesMax: 2 ** 20,
  },
  accounts: { busyTimeoutMs: 5000 },
  webhook: {
    /** Webhooks of an account in one mode. */
    perAccountMax: 100,
    urlCharsMax: 2048,
    descriptionCharsMax: 500,
    symbolsMax: 100,
    screenerCharsMax: 2048,
    /** Time for which a replaced secret signs next to the new one. */
    oldSecretMs: 24 * 3_600_000,
    /** Time for which events and their deliveries are kept; longer than all attempts take. */
    keptMs: 7 * 24 * 3_600_000,
    /** Old events that one write of new events removes, in addition to the number that it adds. */
    pruneRows: 1000,
    /** Waits before each attempt: the example of the Standard Webhooks specification. */
    waitsS: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** Share of a wait up to which a random time is added to it. */
    jitterShare: 0.1,
    /** Time from opening the connection to the status of the response. */
    answerMs: 20_000,
    connectMs: 10_000,
    /** Bytes read of a response; the rest is cut off. No part of it is kept. */
    answerBytesMax: 16_384,
    /** Age at which a running attempt counts as one of a dead process. */
    leaseMs: 60_000,
    /**
     * Attempts at once: of a webhook, of a webhook whose last attempt failed, of an account, in
     * all.
     */
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
    toldMax: 5,
    /** Interval between two looks for due deliveries. */
    pollMs: 250,
    /** Pause for an overloaded receiver that names no time itself. */
    restMs: 30_000,
    /** Longest pause, whatever time the receiver names. */
    restMaxMs: 3_600_000,
    /** Delay of an attempt whose secret can't be read. */
    keyWaitMs: 60_000,
    /** Time without a success after which a failed delivery disables its webhook. */
    failingMaxMs: 5 * 24 * 3_600_000,
    /** Characters of an error that is shown. */
    errorCharsMax: 300,
  },
  /** Bounds of events. A body stays below 20 KB, as the Standard Webhooks specification asks. */
  events: {
    /** Symbols that a body names; its count covers all. */
    symbolsMax: 500,
    /** Quotes or screener rows that a body holds. */
    rowsMax: 40,
    textCharsMax: 4000,
    /**
     * Time after the swap by which every reader has the new version; readers look ten times a
     * second.
     */
    readableMs: 1000,
    /** Rows of the outbox that are kept after they were relayed; removing rows takes some 30 ms. */
    outboxRowsMax: 256,
  },
  /** A shorter token could be guessed. */
  operator: { tokenCharsMin: 16 },
  /** Longest `TAPEWORKS_CONTACT`, which is sent as a header. */
  contactCharsMax: 200,
} as const;
