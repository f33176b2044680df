export const codingLimits = {
  /** Bytes from which a body is compressed; a shorter one fills a packet or two anyway. */
  bytesMin: 1024,
  /** Compression levels, measured in docs/decisions/archive/0055-content-codings.md. */
  levels: { br: 2, gzip: 1 },
  /** Texts of `Accept-Encoding` whose meaning is cached. */
  remembered: { entriesMax: 100, charsMax: 200 },
};

/** Query strings whose meaning is cached, per route and process. */
export const parsedQueryLimits = { entriesMax: 1000, charsMax: 512 };

/** Refused origins are logged once in this time, up to this number of them. */
export const originLogLimits = { everyMs: 60_000, originsMax: 20 };

/** `awayMs`: interval of lines about an engine that is away. */
export const logLimits = { flushMs: 100, bytesMax: 32_768, awayMs: 60_000 };
