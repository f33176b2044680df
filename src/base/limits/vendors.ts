/** Bounds: single vendors, and kinds of rows that several give. */

export const vendorLimits = {
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
