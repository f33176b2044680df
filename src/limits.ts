/** Every bound of the program, in one place. Units are in the names. */

export const limits = {
  indicator: { periodMin: 1, periodMax: 1000, periodDefault: 14, perRequestMax: 20 },
  technical: { rowsDefault: 500, rowsJsonMax: 50_000 },
  page: { sizeDefault: 20, sizeMax: 100, screenerSizeMax: 200, cursorTtlMs: 24 * 3_600_000 },
  batch: { symbolsMax: 100 },
  request: { urlBytesMax: 16_384, headerBytesMax: 16_384, bodyBytesMax: 65_536 },
  rateLimit: { requests: 600, windowS: 60 },
  key: { labelCharsMax: 100 },
  /** Serialised answers kept for repeated requests, per process. */
  answerCache: { bytesMax: 64 * 1024 * 1024 },
  serving: { slicesMax: 16, patchShareMax: 0.05, pollMs: 100 },
  store: {
    duckdbMemory: '4GB',
    readerWaitMs: 30_000,
    writerPollMs: 200,
  },
  ingest: {
    /** Older bars are refused: no exchange data of ours is older. */
    earliestDate: '1900-01-01',
    quarantineRowsMax: 1_000_000,
    zipMemberBytesMax: 2 * 1024 * 1024 * 1024,
  },
} as const;
