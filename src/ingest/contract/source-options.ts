import type { Basis } from '../../base/bars.ts';
import type { BaseInterval } from '../../base/time/intervals.ts';

/** `ymd`, `mdy`, `dmy`: parts between `-`, `/` or `.`, years of four or two digits. */
export const DATE_ORDERS = ['ymd', 'mdy', 'dmy'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

export const DECIMAL_MARKS = ['point', 'comma'] as const;

export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** The session of a bar: the date as written, the day after it, or the day before it. */
export const DATE_SHIFTS = ['written', 'next', 'previous'] as const;

export type DateShift = (typeof DATE_SHIFTS)[number];

export interface NamedSecurity {
  symbol: string;
  companyName: string;
}

/** The last day of a fiscal year, and the company's name of that year. */
export interface FiscalYearEnd {
  day: number;
  fiscalYear: number;
}

export interface SourceOptions {
  /** Dataset of the files, for sources that take several; default candles. */
  dataset?: string;
  /** File, folder or zip, for sources that read local files. */
  path?: string;
  /** Files, folders, zips or addresses, for sources that take several. */
  paths?: readonly string[];
  /**
   * Canonical symbol of a file, whatever its name. Of a file with symbols, the one that is read.
   */
  symbol?: string;
  /** Canonical symbols to load; others are left out. */
  symbols?: readonly string[];
  /** First and last day number, inclusive; bars of other days are left out. */
  fromDay?: number;
  toDay?: number;
  /** First day of a symbol without stored bars; default the start of the source's history. */
  firstDay?: number;
  /** Basis that overrides the one of a file's columns. */
  basis?: Basis;
  /** Time of the content in microseconds; default each file's newest bar. */
  asOfUs?: bigint;
  /** Order of dates that could be of several. */
  dateOrder?: DateOrder;
  /** Decimal mark of numbers that could have either. */
  decimal?: DecimalMark;
  /** True if a file of corporate actions of one type states all of the other type, too: none. */
  complete?: boolean;
  /**
   * Symbols whose actions a file states in full, though it may have none; `*` for all with bars of
   * which no action is stored.
   */
  completeFor?: readonly string[];
  /** Interval of bars whose stamps do not show it; files that show another are refused. */
  interval?: BaseInterval;
  /** Session of a daily bar: its date as written, or the day after or before it. */
  dates?: DateShift;
  /** IANA name of the zone of stamps without an offset from UTC. */
  zone?: string;
  /** End of an intraday bar that its stamp marks; default start. */
  stamps?: 'start' | 'end';
  /** Stores a Parquet copy of local candles among the segments, however many there are. */
  keep?: boolean;
  /** Returns the last stored day of a symbol; undefined means the whole history. */
  lastStoredDay?: (symbol: string) => number | undefined;
  /** Newest stored day by source and symbol, for a run that tries several sources. */
  storedDaysBySource?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Last day of the whole market that is stored; undefined for none. */
  wholeMarketDay?: number;
  /** First day of the actions of the whole market, for a partition of a longer run. */
  actionsFromDay?: number;
  /** Number of companies of the sandbox, at its first fill. */
  stocks?: number;
  /** Quarters of the SEC's sets of financial statements: `2024q1`, `2009q2..2024q1`, `2009q2..`. */
  statements?: string;
  /** Loads everything that the source has, instead of single symbols. */
  bulk?: boolean;
  /** Tickers of the store's directory, by the SEC's number of their company. */
  tickersByCik?: ReadonlyMap<number, readonly string[]>;
  /** Symbols of the store's directory, for vendors that take symbols. */
  knownSymbols?: readonly string[];
  /** Common shares of the store's directory with their companies' names. */
  companies?: readonly NamedSecurity[];
  /** A year end of each company with stored statements, by symbol. */
  yearEnds?: ReadonlyMap<string, FiscalYearEnd>;
  /** Filings in the store, for sources that fetch them one by one. */
  storedFilings?: StoredFilings;
}

export interface StoredFilings {
  /** Origins of segments in the ledger: indexes and data sets that were read to their end. */
  origins: ReadonlySet<string>;
  /** Accession numbers of filings that have rows. */
  accessions: ReadonlySet<string>;
}

/** Returns true unless `--symbol` or `--symbols` asks for others only. */
export function isAsked(symbol: string, options: SourceOptions): boolean {
  if (options.symbol !== undefined) return options.symbol === symbol;
  return options.symbols === undefined || options.symbols.includes(symbol);
}
