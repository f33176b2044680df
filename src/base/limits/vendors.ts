/** Bounds of single vendors, and of datasets that several vendors have. */

export const vendorLimits = {
  sec: {
    /** A company's file above this is refused unread; the largest have a fraction of it. */
    companyBytesMax: 64 * 1024 * 1024,
    /** Memory of each reading thread for short-lived values: nearly all that JSON makes. */
    threadYoungMegabytes: 24,
    /** Unpacked bytes of the companies whose rows are staged together. */
    batchBytes: 128 * 1024 * 1024,
    batchCompanies: 500,
    /** Rejected facts of one reason and company that the quarantine lists. */
    faultsListedMax: 100,
    /** Companies of a batch without a ticker that are named one by one. */
    lostListedMax: 20,
    /** Companies that are fetched before their rows are staged. */
    askedPerBatch: 50,
  },
  yahoo: { overlapSessions: 10 },
  /** Vendors of rows by day or by symbol. */
  calendar: {
    /** Default range, from today on. */
    daysDefault: 30,
    daysMax: 400,
    /** Days of one request for all companies: Finnhub ends its response at some 1,500 rows. */
    daysPerRequest: 7,
    /** Symbols whose rows make one segment. */
    symbolsPerSegment: 50,
    /** Quarters from a known year end for which a company's fiscal year is still derived. */
    quartersMax: 12,
  },
  news: {
    /** Size and entries of one feed. */
    feedBytesMax: 16 * 1024 * 1024,
    entriesMax: 5000,
    titleCharsMax: 500,
    /** Longer summaries are cut: some feeds put whole articles there. */
    summaryCharsMax: 1000,
    /** Text of a rejected entry in the quarantine. */
    quarantineCharsMax: 1000,
    /** Time for which a story is kept after a feed last had it, so that a copy is not a new one. */
    storyKeptMs: 7 * 24 * 3_600_000,
  },
  alpaca: {
    symbolsPerRequest: 500,
    barsPerPage: 10_000,
    actionsPerPage: 1000,
    /** Delay of the tape of all exchanges on the free subscription. */
    delayMs: 16 * 60_000,
    earliestDate: '2016-01-01',
    /** Missing days below which a request starts at a symbol's own first missing day. */
    ownStartDays: 14,
    /** Longest time between the ex-date of an action and its processing, by which it is found. */
    processDays: 120,
  },
  massive: {
    barsPerPage: 50_000,
    actionsPerPage: 5000,
    symbolsPerActions: 100,
    /** History of the free subscription: two years. */
    historyDays: 730,
    /** Age up to which a list of actions holds all ex-dates until today. */
    announcedDays: 7,
    /** Earlier ex-dates that are requested again, for late announcements and corrections. */
    lookbackDays: 14,
  },
  /** Filings of insiders. */
  form4: {
    /** EDGAR takes 30 rows a table; the largest documents have 200 KB. */
    documentBytesMax: 4 * 1024 * 1024,
    /** Part of a submission that is read: its first document is the filing. */
    submissionBytesMax: 16 * 1024 * 1024,
    /** Bounds of a quarter's data set, which has some 60,000 filings and 150,000 transactions. */
    filingsMax: 200_000,
    linesPerFilingMax: 1000,
    transactionsMax: 4_000_000,
    /** Filings of a day that are staged together: an interruption loses no more of them. */
    filingsPerSegment: 250,
    requestsAtOnce: 4,
    feedEntriesPerPage: 100,
    /** A busy day has 6000 entries. */
    feedPagesMax: 100,
    /** Age of filings that are in data sets by now, and no longer looked up singly. */
    askedSinglyDays: 250,
    /** Default history: the days that sums over 90 days need. */
    historyDays: 92,
  },
} as const;
