/** The options of `backfill`, one typed object for all sources; each source reads what it needs. */

import type { Basis } from '../../base/bars.ts';
import type { StoredIntraday } from '../../base/time/intervals.ts';

/** Intervals that files may hold. */
export const BASE_INTERVALS = ['1d', '1m', '5m'] as const satisfies readonly (
  | '1d'
  | StoredIntraday
)[];

export type BaseInterval = (typeof BASE_INTERVALS)[number];

/** `ymd`, `mdy`, `dmy`: parts between `-`, `/` or `.`, years of four or two digits. */
export const DATE_ORDERS = ['ymd', 'mdy', 'dmy'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

export interface NamedSecurity {
  /** Canonical. */
  symbol: string;
  companyName: string;
}

/** The last day of a fiscal year, and the year that the company calls it. */
export interface FiscalYearEnd {
  day: number;
  fiscalYear: number;
}

export interface SourceOptions {
  /** What the files hold, for the source that takes several datasets; default candles. */
  dataset?: string;
  /** File, folder or zip, for sources that read local files. */
  path?: string;
  /** Several of them, for sources that take more than one. */
  paths?: readonly string[];
  /**
   * Canonical; the symbol of a file, whatever its name. Of a file with a symbol column, the one
   * whose rows are wanted.
   */
  symbol?: string;
  /** Canonical; others are left out. */
  symbols?: readonly string[];
  /** Day numbers, inclusive; bars of other days are left out. */
  fromDay?: number;
  toDay?: number;
  /** Overrides what a file's columns tell. */
  basis?: Basis;
  /** When the content was true, in microseconds; else each file's newest bar. */
  asOfUs?: bigint;
  /** Settles dates that could be of several orders. */
  dateOrder?: DateOrder;
  /** Settles what the stamps of a file do not tell; refuses files that tell otherwise. */
  interval?: BaseInterval;
  /** IANA name; of stamps that do not say their offset from UTC. */
  zone?: string;
  /** Which end of a bar of minutes its stamp is; default start. */
  stamps?: 'start' | 'end';
  /** Stores a Parquet copy of local candles among the segments, however many there are. */
  keep?: boolean;
  /**
   * Last stored day of a symbol, for sources that can fetch only what is new; undefined means
   * the whole history is wanted.
   */
  lastStoredDay?: (symbol: string) => number | undefined;
  /** Through which day the whole market is stored; undefined where it never was. */
  wholeMarketDay?: number;
  /**
   * From which day on splits and dividends of the whole market are wanted, for a part of a longer
   * question; default some days before the first session.
   */
  actionsFromDay?: number;
  /** Companies of the sandbox, at its first fill. */
  stocks?: number;
  /** Everything that the source has, instead of single symbols. */
  bulk?: boolean;
  /** Tickers of the store's directory by the SEC's number of their company. */
  tickersByCik?: ReadonlyMap<number, readonly string[]>;
  /** Symbols of the store's directory, for sources that are asked by symbol. */
  knownSymbols?: readonly string[];
  /** Common shares of the store's directory with their companies' names. */
  companies?: readonly NamedSecurity[];
  /** A year end of companies that the store has statements of, by symbol. */
  yearEnds?: ReadonlyMap<string, FiscalYearEnd>;
  /** What the store has of filings, for sources that ask for them one by one. */
  storedFilings?: StoredFilings;
}

export interface StoredFilings {
  /** Origins of segments in the ledger: indexes and data sets that were read to their end. */
  origins: ReadonlySet<string>;
  /** Numbers of filings that have rows. */
  accessions: ReadonlySet<string>;
}

/** True when neither `--symbol` nor `--symbols` asks for others only. */
export function isAsked(symbol: string, options: SourceOptions): boolean {
  if (options.symbol !== undefined) return options.symbol === symbol;
  return options.symbols === undefined || options.symbols.includes(symbol);
}
