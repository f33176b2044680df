/** Bounds: keys, plans, what is counted, and webhooks. */

export const accountLimits = {
  rateLimit: { requests: 600, windowS: 60 },
  key: {
    labelCharsMax: 100,
    /** How often other processes' changes are looked for; revocation takes effect in a second. */
    cacheMs: 250,
    /** Of an account in one mode, revoked ones apart. */
    perAccountMax: 1000,
    /** A plan's bound on how long keys are valid. */
    daysMax: 36_500,
  },
  plan: { requestsMax: 2_147_483_647, windowMaxS: 86_400, tokensMax: 1_000_000_000_000 },
  usage: {
    /** Interval in which threads post their counts, and in which posted counts are written. */
    flushMs: 250,
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
  /** 401s of an address in a minute. */
  failedAuth: { perWindow: 60, windowS: 60 },
  /**
   * Counters that threads share: beyond so many keys and accounts (by the numbers of their rows)
   * and addresses (by hash), two of them share a counter. Powers of two.
   */
  counts: {
    keysMax: 2 ** 22,
    accountsMax: 2 ** 20,
    addressesMax: 2 ** 20,
  },
  accounts: { busyTimeoutMs: 5000 },
  webhook: {
    /** Of an account in one mode. */
    perAccountMax: 100,
    urlCharsMax: 2048,
    descriptionCharsMax: 500,
    symbolsMax: 100,
    screenerCharsMax: 2048,
    /** A replaced secret signs beside the new one for so long. */
    oldSecretMs: 24 * 3_600_000,
    /** Events are known, and their deliveries shown, for so long; longer than all attempts take. */
    keptMs: 7 * 24 * 3_600_000,
    /** Events that one write of new ones removes beside as many as it adds. */
    pruneRows: 1000,
    /** Waits before the attempts: the example of the Standard Webhooks specification. */
    waitsS: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** Each wait is longer by a random part of this share of it. */
    jitterShare: 0.1,
    /** From opening the connection to the status of the answer. */
    answerMs: 20_000,
    connectMs: 10_000,
    /** Of an answer; the rest is cut off, and all of it thrown away. */
    answerBytesMax: 16_384,
    /** An attempt that has not ended after this belongs to a process that is gone. */
    leaseMs: 60_000,
    /** Attempts at once: of a webhook, of one whose last attempt failed, of an account, in all. */
    runningMax: 4,
    failingRunningMax: 1,
    accountRunningMax: 64,
    allRunningMax: 512,
    /** Places of these that accounts can't take beyond their bound. */
    freeMin: 256,
    /** Due for so long, a delivery whose job is missing is attempted without one. */
    lateMs: 5000,
    /** A job begins attempts for so long, and ends when they have. */
    jobMs: 10_000,
    /** Jobs that one process runs at once. */
    jobsMax: 8,
    /** Given up deliveries that a job names. */
    toldMax: 5,
    /** How often one looks for what is due. */
    pollMs: 250,
    /** A receiver that is overloaded and names no time is left alone for so long. */
    restMs: 30_000,
    /** … and at most for so long, whatever it names. */
    restMaxMs: 3_600_000,
    /** Where no secret can be read, the attempt is put off. */
    keyWaitMs: 60_000,
    /** A delivery that fails for good disables a webhook that has got nothing for so long. */
    failingMaxMs: 5 * 24 * 3_600_000,
    /** Of an error that is shown. */
    errorCharsMax: 300,
  },
  /** What webhooks are told. A body stays below 20 KB, as their specification asks. */
  events: {
    /** Symbols that one body names; its count covers all. */
    symbolsMax: 500,
    /** Quotes or rows of the screener that it holds. */
    rowsMax: 40,
    textCharsMax: 4000,
    /** After the swap every reader has the version by then: it looks ten times a second. */
    readableMs: 1000,
    /** Rows of the outbox that are kept after they were handed over: dropping costs some 30 ms. */
    outboxRowsMax: 256,
  },
  /** A shorter token could be guessed. */
  operator: { tokenCharsMin: 16 },
  /** Longest `TAPEWORKS_CONTACT`, which is sent as a header. */
  contactCharsMax: 200,
} as const;
