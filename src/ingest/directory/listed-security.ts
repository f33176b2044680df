/** What the symbol directories say of one security, in one shape for all of them. */

import type { SecurityType } from './security-name.ts';

/** By the names of the `exchange` filter; Arca counts as AMEX, which it took over. */
export type Exchange = 'NYSE' | 'NASDAQ' | 'AMEX';

/** Markets on which a security may be listed, and where the `exchange` filter finds them. */
export const VENUES = {
  Nasdaq: 'NASDAQ',
  NYSE: 'NYSE',
  'NYSE American': 'AMEX',
  'NYSE Arca': 'AMEX',
  'Cboe BZX': null,
  IEX: null,
  OTC: null,
} as const satisfies Record<string, Exchange | null>;

export type Venue = keyof typeof VENUES;

export interface ListedSecurity {
  /** Canonical spelling. */
  symbol: string;
  companyName: string;
  /** Null: a market that the filter has no name for, or an unknown one. */
  exchange: Exchange | null;
  venue: Venue | null;
  type: SecurityType | null;
  /** The SEC's number of the registrant. */
  cik: number | null;
  source: 'nasdaqtrader' | 'sec';
}

/** A line or record of a directory that gave no security. */
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
  /** When the file was made, by its own words; undefined where it has none. */
  createdMs: number | undefined;
}
