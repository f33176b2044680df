/** Row of the directory, which the store reads and a publish writes. */

/** Facts about a listed security; null is unknown. */
export interface ListedFacts {
  /** Canonical spelling. */
  symbol: string;
  companyName: string | null;
  /** NYSE, NASDAQ or AMEX; null for another market. */
  exchange: string | null;
  /** Market in the words of the source. */
  venue: string | null;
  type: string | null;
  /** The SEC's number of the registrant. */
  cik: number | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  sector: string | null;
  industry: string | null;
}

/** A symbol of the directory. */
export interface DirectoryRow extends ListedFacts {
  /** Source of the facts; null while only bars are known. */
  source: string | null;
  securityId: number;
  /** Tickers that the security had before, with the last day of each: `FB 2022-06-08,…`. */
  formerTickers: string;
  /** Names and markets before, as a JSON list of name, exchange, market and last day; or empty. */
  formerNames: string;
  /** The last trading day of a delisted security. */
  delistedDay: number | null;
  /** Reason of its delisting, in words; empty if nothing says so. */
  delistedReason: string;
  /** Symbol of the security that took it over; empty if nothing says so. */
  successor: string;
  /** Symbol of the security that it was a part of before; empty if nothing says so. */
  parent: string;
}
