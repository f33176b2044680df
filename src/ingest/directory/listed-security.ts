import type { SecurityType } from './security-name.ts';

/** Exchanges by the names of the `exchange` filter; Arca counts as AMEX, which it took over. */
export type Exchange = 'NYSE' | 'NASDAQ' | 'AMEX';

/** Venues of securities, with their name in the `exchange` filter. */
export const VENUES = {
  Nasdaq: 'NASDAQ',
  NYSE: 'NYSE',
  'NYSE American': 'AMEX',
  'NYSE Arca': 'AMEX',
  'NYSE Texas': null,
  'Cboe BZX': null,
  IEX: null,
  'Texas Stock Exchange': null,
  OTC: null,
} as const satisfies Record<string, Exchange | null>;

export type Venue = keyof typeof VENUES;

export interface ListedSecurity {
  symbol: string;
  companyName: string;
  /** Name in the filter; null for a venue without one. */
  exchange: Exchange | null;
  venue: Venue | null;
  type: SecurityType | null;
  /** The SEC's number of the registrant. */
  cik: number | null;
  source: 'nasdaqtrader' | 'sec';
  /**
   * Ordinary shares for which a receipt stands, where its name says so; null for a name that does not
   * say of which class it is, and that of a foreign company may be a receipt.
   */
  adsRatio?: number | null;
}

/** A line or record of a directory without a security. */
export interface RefusedListing {
  /** Line of the file from 1; for JSON the record from 1. */
  line: number;
  reason: string;
  text: string;
}

/** One directory file. Lines read = securities + test issues + refused. */
export interface ParsedListing {
  securities: ListedSecurity[];
  testIssues: number;
  refused: RefusedListing[];
  /** Time of the file as it states it; undefined where it states none. */
  createdMs: number | undefined;
}
