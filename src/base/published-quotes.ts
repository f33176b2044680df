/** The prices of the published version, which loads are compared with. */

export interface PublishedQuotes {
  /** End of the newest bar, in milliseconds. */
  newestMs: number;
  /** The price, and the end of its bar; undefined for a symbol without a quote. */
  quote(symbol: string): { price: number; timestampMs: number } | undefined;
  /** Day of a source's newest session, and how many symbols have a quote of it. */
  newestSession(source: string): { day: number; symbolCount: number } | undefined;
}
