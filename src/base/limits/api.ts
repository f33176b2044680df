/** Bounds: what the API answers, and what it keeps for that. */

export const apiLimits = {
  /** How long work that gives way goes on in one turn of the event loop. */
  turnMs: 0.5,
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: {
    sizeDefault: 20,
    sizeMax: 100,
    screenerSizeMax: 200,
    cursorTtlMs: 24 * 3_600_000,
    /** How long pages are cached, and how many bytes of them per thread. */
    keptMs: 1000,
    keptBytesMax: 4 * 1024 * 1024,
  },
  batch: { symbolsMax: 100 },
  /** Days of the earnings calendar that one question may span. */
  earnings: { spanDaysDefault: 14, spanDaysMax: 92 },
  /** A symbol is active while its newest bar is at most this much older than the newest of all. */
  symbols: { activeDays: 7 },
  bulk: {
    /** Symbols of a list; the whole universe is asked for with a star. */
    symbolsMax: 2000,
    /** Symbols that one refusal names; its count covers all. */
    namedMax: 10,
    /** Bytes made, and handed to the socket, at a time. */
    pieceBytes: 1024 * 1024,
    /** Of an answer in pieces, made before its head is sent: more than a schema without rows. */
    firstBytes: 16 * 1024,
    /** Series below the first share Arrow batches, series above the second take several. */
    batchRowsMin: 1024,
    batchRowsMax: 16_384,
    /** Stored rows below a day that are read at a time, and up to a session more. */
    intradayRows: 16_384,
    /** Rows that are copied for CSV at a time. */
    csvRows: 1024,
    /** How long other requests wait for a piece. */
    turnMs: 2,
    /** A client that takes nothing for this long is cut off. */
    stallMs: 60_000,
    /** Answers on their way at once, per process: some 2 MB each. */
    streamsMax: 32,
  },
  request: {
    urlBytesMax: 16_384,
    headerBytesMax: 16_384,
    bodyBytesMax: 65_536,
    /** For the request line and the headers to arrive; a body has its own time after them. */
    headersMs: 15_000,
    /** For a body to arrive. */
    bodyMs: 30_000,
    /** How much later than that a slow request may end. */
    lateMs: 1000,
  },
  /** Serialised answers kept for repeated requests, by all threads together. */
  answerCache: { bytesMax: 64 * 1024 * 1024 },
  /** Of a text of others, in a message. */
  echo: { charsMax: 200 },
  coding: {
    /** Shorter bodies stay plain: with their headers they fill a packet or two anyway. */
    bytesMin: 1024,
    /** Levels as measured in docs/decisions/0055-content-codings.md. */
    efforts: {
      lasting: { br: 9, gzip: 9 },
      quick: { br: 2, gzip: 1 },
    },
    /** Texts of `Accept-Encoding` whose meaning is remembered. */
    remembered: { entriesMax: 100, charsMax: 200 },
  },
  /** Query strings whose meaning is remembered, per route and process. */
  parsedQueries: { entriesMax: 1000, charsMax: 512 },
  /** Schemas of Arrow answers whose encoding is kept: a few kilobytes each. */
  arrowSchemas: { entriesMax: 200 },
  /** Refused origins are logged once in this time, and so many of them. */
  originLog: { everyMs: 60_000, originsMax: 20 },
  log: { flushMs: 100, bytesMax: 32_768 },
  api: {
    threadsMax: 64,
    /** Of a thread's memory, the part for what is soon garbage. */
    threadYoungMegabytes: 24,
  },
} as const;
