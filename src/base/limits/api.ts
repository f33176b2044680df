/** Bounds of responses, and of what the API keeps to make them. */

export const apiLimits = {
  /** Time after which work that yields ends its tick of the event loop. */
  turnMs: 0.5,
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: {
    sizeDefault: 20,
    sizeMax: 100,
    screenerSizeMax: 200,
    cursorTtlMs: 24 * 3_600_000,
    /** Time for which pages are cached, and bytes of them per thread. */
    keptMs: 1000,
    keptBytesMax: 4 * 1024 * 1024,
  },
  batch: { symbolsMax: 100 },
  /** Days of the earnings calendar that one request may span. */
  earnings: { spanDaysDefault: 14, spanDaysMax: 92 },
  /** Largest age of an active symbol's newest bar, counted from the newest bar of all. */
  symbols: { activeDays: 7 },
  bulk: {
    /** Symbols of a list; a star requests the whole universe. */
    symbolsMax: 2000,
    /** Symbols that one refusal names; its count covers all. */
    namedMax: 10,
    /** Bytes that are made and handed to the socket at a time. */
    pieceBytes: 1024 * 1024,
    /**
     * Bytes of a streamed response that are made before its head is sent: more than a schema
     * without rows.
     */
    firstBytes: 16 * 1024,
    /** Rows of an Arrow batch. Shorter series share a batch; longer ones take several. */
    batchRowsMin: 1024,
    batchRowsMax: 16_384,
    /** Stored rows below a day that are read at a time, plus up to a session. */
    intradayRows: 16_384,
    /** Rows that are copied for CSV at a time. */
    csvRows: 1024,
    /** Time for which other requests wait for a piece. */
    turnMs: 2,
    /** Time after which a client that reads nothing is cut off. */
    stallMs: 60_000,
    /** Streams at once per process; each takes some 2 MB. */
    streamsMax: 32,
  },
  request: {
    urlBytesMax: 16_384,
    headerBytesMax: 16_384,
    bodyBytesMax: 65_536,
    /** Time for the request line and the headers to arrive; the body's time starts after them. */
    headersMs: 15_000,
    /** Time for a body to arrive. */
    bodyMs: 30_000,
    /** Delay with which a slow request may end after its time. */
    lateMs: 1000,
  },
  /** Serialised responses that all threads together keep for repeated requests. */
  answerCache: { bytesMax: 64 * 1024 * 1024 },
  /** Characters of a foreign text that a message quotes. */
  echo: { charsMax: 200 },
  coding: {
    /**
     * Bytes from which a body is compressed; with its headers, a shorter one fills a packet or two
     * anyway.
     */
    bytesMin: 1024,
    /** Compression levels, measured in docs/decisions/0055-content-codings.md. */
    levels: { br: 2, gzip: 1 },
    /** Texts of `Accept-Encoding` whose meaning is cached. */
    remembered: { entriesMax: 100, charsMax: 200 },
  },
  /** Query strings whose meaning is cached, per route and process. */
  parsedQueries: { entriesMax: 1000, charsMax: 512 },
  /** Schemas of Arrow responses whose encoding is cached; each takes a few kilobytes. */
  arrowSchemas: { entriesMax: 200 },
  /** Refused origins are logged once in this time, up to this number of them. */
  originLog: { everyMs: 60_000, originsMax: 20 },
  log: { flushMs: 100, bytesMax: 32_768 },
  api: {
    threadsMax: 64,
    /** Memory of a thread for short-lived values. */
    threadYoungMegabytes: 24,
  },
} as const;
