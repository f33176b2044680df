/**
 * All sources of data, one row each, with the facts that settings and the store need. The rest of a
 * vendor is in its folder `src/ingest/vendors/<id>`, which this row finds.
 */

export interface SourceRow {
  /** Name in the store, in `backfill <id>`, and of a vendor's folder. */
  id: string;
  /**
   * Rank in the store: if two sources have the same bar or record, the lower rank wins. Undefined
   * if no record is stored under this name.
   *
   * A new source may take any free rank. Swapping two sources that stores already hold changes
   * winners, which needs a migration that recomputes them.
   */
  rank?: number;
  /** Setting that the vendor requires; undefined for sources that are not vendors. */
  needs?: 'nothing' | 'contact' | 'key';
  /** Gives `TAPEWORKS_<ADDRESS>_URL` its name; default the id. */
  address?: string;
  /**
   * `present` if it lists, under a ticker, the whole past of who has the ticker by now, also where
   * another company had it. Others go by the ticker of the day.
   */
  tickers?: 'present';
  /** True if a schedule uses it only when `TAPEWORKS_SCHEDULE` names it. */
  isNamed?: boolean;
}

/**
 * Ranks, lowest first: directories and filings of exchanges and the SEC, which have no bars;
 * exchange tapes; consolidated vendors; vendors of records; bulk files; feeds; the user's files;
 * synthetic data. The order of the rows is the order of `sources`.
 */
export const SOURCE_ROWS: readonly SourceRow[] = [
  { id: 'stooq', rank: 130 },
  { id: 'files', rank: 160 },
  { id: 'yahoo', rank: 140, needs: 'nothing', tickers: 'present' },
  { id: 'alpaca', rank: 60, needs: 'key', tickers: 'present' },
  { id: 'massive', rank: 50, needs: 'key' },
  { id: 'tiingo', rank: 70, needs: 'key', tickers: 'present' },
  { id: 'eodhd', rank: 80, needs: 'key', tickers: 'present' },
  { id: 'rss', rank: 150, needs: 'nothing' },
  { id: 'nasdaq', rank: 110, needs: 'nothing' },
  { id: 'cboe', rank: 120, needs: 'nothing' },
  { id: 'finnhub', rank: 90, needs: 'key', tickers: 'present' },
  { id: 'fmp', rank: 100, needs: 'key', tickers: 'present' },
  { id: 'symbols', needs: 'contact', address: 'nasdaqtrader' },
  { id: 'nasdaqtrader', rank: 10 },
  { id: 'sec', rank: 20, needs: 'contact', tickers: 'present', isNamed: true },
  { id: 'form4', rank: 30, needs: 'contact', address: 'sec' },
  { id: 'form4-datasets', rank: 40 },
  { id: 'sandbox', rank: 170 },
  // Repairs win for their bars, not by rank: the series keeps the source of its other bars.
  { id: 'repair', rank: 180 },
];

/** Vendors that need a key, in upper case as in `TAPEWORKS_<VENDOR>_KEY`. */
export const KEYED_VENDORS: readonly string[] = SOURCE_ROWS.filter(
  ({ needs }) => needs === 'key',
).map(({ id }) => id.toUpperCase());

/** Names of vendors' addresses, in upper case as in `TAPEWORKS_<VENDOR>_URL`. */
export const VENDOR_ADDRESSES: readonly string[] = [
  ...new Set(
    SOURCE_ROWS.filter(({ needs }) => needs === 'nothing' || needs === 'contact').map(
      ({ id, address = id }) => address.toUpperCase(),
    ),
  ),
  ...KEYED_VENDORS,
];

/** Sources that a schedule uses only if `TAPEWORKS_SCHEDULE` names them. */
export const NAMED_SOURCES: readonly string[] = SOURCE_ROWS.filter(
  ({ needs, isNamed }) => needs === 'nothing' || isNamed,
).map(({ id }) => id);

/** Sources that clients may request symbols from over HTTP, with their datasets; defaults first. */
export const REQUESTED_SOURCES: Readonly<Record<string, readonly string[]>> = {
  any: ['candles'],
  alpaca: ['candles'],
  massive: ['candles'],
  tiingo: ['candles'],
  eodhd: ['candles'],
  yahoo: ['candles', 'analysts', 'expirations'],
  sec: ['statements'],
  form4: ['insider'],
  fmp: ['analysts'],
  finnhub: ['analysts'],
  cboe: ['expirations'],
};

/** Sources whose basis is what a reading of a file found. */
export const FILE_SOURCES: readonly string[] = ['files', 'stooq'];
