/** Every bound of the program, in one place. Units are in the names. */

export const limits = {
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: { sizeDefault: 20, sizeMax: 100, screenerSizeMax: 200, cursorTtlMs: 24 * 3_600_000 },
  batch: { symbolsMax: 100 },
  /** A symbol is active while its newest bar is at most this much older than the newest of all. */
  symbols: { activeDays: 7 },
  bulk: {
    /** Symbols of a list; the whole universe is asked for with a star. */
    symbolsMax: 2000,
    /** Symbols that one refusal names; its count covers all. */
    namedMax: 10,
    /** Bytes made, and handed to the socket, at a time. */
    pieceBytes: 1024 * 1024,
    /** Series below the first share Arrow batches, series above the second take several. */
    batchRowsMin: 1024,
    batchRowsMax: 16_384,
    /** Rows that are copied for CSV at a time. */
    csvRows: 1024,
    /** How long other requests wait for a piece. */
    turnMs: 2,
    /** A client that takes nothing for this long is cut off. */
    stallMs: 60_000,
  },
  request: { urlBytesMax: 16_384, headerBytesMax: 16_384, bodyBytesMax: 65_536 },
  rateLimit: { requests: 600, windowS: 60 },
  key: { labelCharsMax: 100, cacheMs: 500, lastUsedFlushMs: 1000 },
  accounts: { busyTimeoutMs: 5000 },
  /** Serialised answers kept for repeated requests, per process. */
  answerCache: { bytesMax: 64 * 1024 * 1024 },
  /** Query strings whose meaning is remembered, per route and process. */
  parsedQueries: { entriesMax: 1000, charsMax: 512 },
  /** What requests in flight get when the server stops. */
  shutdown: { graceMs: 5000 },
  log: { flushMs: 100, bytesMax: 32_768 },
  /** Below this much free space `/readyz` says that the disk is full. */
  disk: { freeBytesMin: 64 * 1024 * 1024 },
  /** More new bars of a series than `sliceRowsMax` in one publish make a patch. */
  serving: {
    slicesMax: 16,
    sliceRowsMax: 64,
    patchShareMax: 0.05,
    pollMs: 100,
    /** A replaced version's screener stays this long, and for so many publishes at least. */
    recentMs: 15 * 60_000,
    recentVersionsMin: 3,
  },
  store: {
    duckdbMemory: '4GB',
    readerWaitMs: 30_000,
    writerPollMs: 200,
    /** Rows that one `sql` answer may hold. */
    sqlRowsMax: 1_000_000,
    /** Symbols that one `candles.updated` event names; its count covers all. */
    eventSymbolsMax: 100,
    /** Closes held at once while winners are worked out: 16 bytes each. */
    winnerClosesMax: 4_000_000,
  },
  pipeline: { clockCheckMs: 30_000 },
  supervisor: { restartFirstMs: 1000, restartMaxMs: 60_000 },
  ingest: {
    /** Older bars are refused: no exchange data of ours is older. */
    earliestDate: '1900-01-01',
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
    /** Inputs below this are scanned without starting threads. */
    scanThreadBytesMin: 8 * 1024 * 1024,
    /** The generator lands a segment of about this many bars at a time. */
    sandboxSegmentRows: 2_000_000,
  },
  quality: {
    /** Bars alike from which on a run is flagged: two weeks. */
    unchangedBarsMin: 10,
    /** Bars before one that its volume is compared with: a quarter; and the fewest. */
    volumeWindowBars: 63,
    volumeWindowBarsMin: 21,
    /** Bars on each side of a jump whose volume is looked at. */
    splitVolumeBars: 10,
    /** How far from its ex-date, in days, a split may explain a jump. */
    splitDaysMax: 30,
    /** A series more sessions behind the newest one of its mode has stopped: a week. */
    sessionsBehindMax: 5,
    /** Holes and flags that one report lists: about 100 bytes each. */
    findingsMax: 1_000_000,
    /** Lines of one kind that `gaps` prints; its totals count all. */
    listedMax: 20,
  },
  /** Yahoo answers tens of symbols, one at a time, at a person's pace. */
  yahoo: {
    requestGapMs: 500,
    timeoutMs: 30_000,
    bodyBytesMax: 32 * 1024 * 1024,
    overlapSessions: 10,
  },
  symbolDirectory: { timeoutMs: 30_000 },
} as const;
