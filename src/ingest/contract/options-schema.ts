/** Options of a source, and the schema that checks them. All of them are JSON. */

import { z } from 'zod';
import { DATE_ORDERS, DATE_SHIFTS, DECIMAL_MARKS } from './choices.ts';

const day = z.int();
const text = z.string();
const texts = z.array(text).readonly();
const daysBySymbol = z.record(text, day).readonly();

const namedSecurity = z.strictObject({ symbol: text, companyName: text });

export type NamedSecurity = z.infer<typeof namedSecurity>;

/** The last day of a fiscal year, and the company's name of that year. */
const fiscalYearEnd = z.strictObject({ day, fiscalYear: z.int() });

export type FiscalYearEnd = z.infer<typeof fiscalYearEnd>;

const storedFilings = z.strictObject({
  /** Origins of segments in the ledger: indexes and data sets that were read to their end. */
  origins: texts,
  /** Accession numbers of filings that have rows. */
  accessions: texts,
});

export const optionsSchema = z.strictObject({
  /** Dataset of the files, for sources that take several; default candles. */
  dataset: text.optional(),
  /** File, folder or zip, for sources that read local files. */
  path: text.optional(),
  /** Files, folders, zips or addresses, for sources that take several. */
  paths: texts.optional(),
  /**
   * Canonical symbol of a file, whatever its name. Of a file with symbols, the one that is read.
   */
  symbol: text.optional(),
  /** Canonical symbols to load; others are left out. */
  symbols: texts.optional(),
  /** First and last day number, inclusive; bars of other days are left out. */
  fromDay: day.optional(),
  toDay: day.optional(),
  /** First day of a symbol without stored bars; default the start of the source's history. */
  firstDay: day.optional(),
  /** Basis that overrides the one of a file's columns. */
  basis: z.enum(['raw', 'split', 'all']).optional(),
  /**
   * Time of the content in microseconds; default each file's newest bar. In decimal digits, as a
   * JSON number cannot hold them all.
   */
  asOfUs: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  /** Order of dates that could be of several. */
  dateOrder: z.enum(DATE_ORDERS).optional(),
  /** Decimal mark of numbers that could have either. */
  decimal: z.enum(DECIMAL_MARKS).optional(),
  /** True if a file of corporate actions of one type states all of the other type, too: none. */
  complete: z.boolean().optional(),
  /**
   * Symbols whose actions a file states in full, though it may have none; `*` for all with bars of
   * which no action is stored.
   */
  completeFor: texts.optional(),
  /** Own column that a file of `values` without names fills. */
  column: text.optional(),
  /** Interval of bars whose stamps do not show it; files that show another are refused. */
  interval: z.enum(['1d', '1m', '5m']).optional(),
  /** Session of a daily bar: its date as written, or the day after or before it. */
  dates: z.enum(DATE_SHIFTS).optional(),
  /** IANA name of the zone of stamps without an offset from UTC. */
  zone: text.optional(),
  /** End of an intraday bar that its stamp marks; default start. */
  stamps: z.enum(['start', 'end']).optional(),
  /** Stores a Parquet copy of local candles among the segments, however many there are. */
  keep: z.boolean().optional(),
  /** Last stored day by symbol; a symbol without one needs its whole history. */
  lastStoredDays: daysBySymbol.optional(),
  /** Newest stored day by source and symbol, for a run that tries several sources. */
  storedDaysBySource: z.record(text, daysBySymbol).readonly().optional(),
  /** Last day of the whole market that is stored; undefined for none. */
  wholeMarketDay: day.optional(),
  /** First day of the actions of the whole market, for a partition of a longer run. */
  actionsFromDay: day.optional(),
  /** Number of companies of the sandbox, at its first fill. */
  stocks: z.int().optional(),
  /** Quarters of the SEC's sets of financial statements: `2024q1`, `2009q2..2024q1`, `2009q2..`. */
  statements: text.optional(),
  /** Loads everything that the source has, instead of single symbols. */
  bulk: z.boolean().optional(),
  /** Tickers of the store's directory, by the SEC's number of their company. */
  tickersByCik: z
    .array(z.tuple([z.int(), texts]).readonly())
    .readonly()
    .optional(),
  /** Symbols of the store's directory, for vendors that take symbols. */
  knownSymbols: texts.optional(),
  /** Common shares of the store's directory with their companies' names. */
  companies: z.array(namedSecurity).readonly().optional(),
  /** A year end of each company with stored statements, by symbol. */
  yearEnds: z
    .array(z.tuple([text, fiscalYearEnd]).readonly())
    .readonly()
    .optional(),
  /** Filings in the store, for sources that fetch them one by one. */
  storedFilings: storedFilings.optional(),
});

export type SourceOptions = z.infer<typeof optionsSchema>;
