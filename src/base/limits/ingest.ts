/** Bounds: files that are read, and HTTP. */

export const ingestLimits = {
  ingest: {
    /** Older bars are refused: no exchange data of ours is older. */
    earliestDate: '1900-01-01',
    /** Dates to come, of options for instance, end here. */
    latestDate: '2099-12-31',
    /** Of one text of a row: a summary of news is a tenth of it. */
    textCharsMax: 20_000,
    /** A row that became known later than this from now on is refused: clocks differ. */
    futureMs: 24 * 3_600_000,
    /** Of the scratch database that rows are checked and sorted in; more goes to disk. */
    scratchMemory: '512MB',
    /** Of a file, as text, that tells how it writes its rows. */
    sampleCharsMax: 16 * 1024 * 1024,
    /** Of a file of JSON lines, whose keys are its columns. */
    columnsMax: 2000,
    /** Rows are written to the scratch folder in pieces of about so many characters. */
    stageChars: 1024 * 1024,
    /** A person's input of no more candles is copied among the segments: some 2 MB. */
    copiedRowsMax: 100_000,
    /** Refused rows that are held in memory before they go to the scratch database. */
    refusedRowsHeld: 1000,
    quarantineRowsMax: 1_000_000,
    /** A zip is refused above these: one member, all members unpacked, their number. */
    zipMemberBytesMax: 2 * 1024 * 1024 * 1024,
    zipBytesMax: 64 * 1024 * 1024 * 1024,
    zipMembersMax: 200_000,
    /** Files up to this size are read and inflated in one call, larger ones streamed. */
    wholeReadBytesMax: 64 * 1024 * 1024,
    /** A text line above this is refused unread. */
    lineBytesMax: 65_536,
    /** The start of a file, kept while others are scanned: it tells the dialect. */
    headBytesMax: 4096,
    scanThreadsMax: 4,
    /** Unpacked bytes of the first segment of many files; each one after it may be larger. */
    firstPartBytes: 128 * 1024 * 1024,
    partGrowth: 3,
    /** Inputs below this are scanned without starting threads. */
    scanThreadBytesMin: 8 * 1024 * 1024,
    /** The generator lands a segment of about this many bars at a time. */
    sandboxSegmentRows: 2_000_000,
  },
  /** Every request to a vendor. */
  http: {
    triesMax: 4,
    /** The wait before try n is a random part of the first wait doubled n times. */
    backoffFirstMs: 500,
    backoffMaxMs: 30_000,
    /** A vendor that asks for a longer pause than this is given up for now. */
    retryAfterMaxMs: 120_000,
    /** A run that would wait longer for its own limit of a vendor ends: an hour, and its slack. */
    turnWaitMaxMs: 3_660_000,
    connectMs: 10_000,
    headersMs: 30_000,
    /** Between two pieces of a body, and for the whole answer. */
    bodyIdleMs: 30_000,
    answerMs: 300_000,
    /** Of an answer, unpacked. A day of the whole market is 3 to 15 MB. */
    bodyBytesMax: 64 * 1024 * 1024,
    /** Of a file that is downloaded to disk, and how long one try of it may take. */
    downloadBytesMax: 16 * 1024 * 1024 * 1024,
    downloadMs: 3 * 3_600_000,
    redirectsMax: 3,
    /** What a message quotes of a vendor's own words. */
    wordsCharsMax: 200,
    wordsBytesMax: 65_536,
  },
} as const;
