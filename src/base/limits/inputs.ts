/** Bounds of files that are read, and of HTTP. */

const DAY_MS = 24 * 3_600_000;

export const inputLimits = {
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
    scratchMemory: '256MB',
    /** The same after a statement that could not go on with that. */
    scratchMemoryMax: '512MB',
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
    wholeReadBytesMax: 8 * 1024 * 1024,
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
    /** Bars of a segment of the synthetic market, about: some 100 MB while it is checked. */
    sandboxSegmentRows: 250_000,
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
