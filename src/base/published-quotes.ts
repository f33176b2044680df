/** Prices of the published version, to which loads are compared. */
export interface PublishedQuotes {
  /** End of the newest bar, in milliseconds. */
  newestMs: number;
  /** Returns the price and the end of its bar; undefined for a symbol without a quote. */
  quote(symbol: string): { price: number; timestampMs: number } | undefined;
  /** Returns the day of a source's newest session, and how many symbols have a quote of it. */
  newestSession(source: string): { day: number; symbolCount: number } | undefined;
}
