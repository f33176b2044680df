/**
 * The view of a reader: one consistent version of every series. The API, the screener and bulk
 * reads use nothing else; no request opens DuckDB.
 */

import type { BarColumns, Basis, Dividend, Split } from '../../../base/bars.ts';
import type { ListName } from '../../../base/datasets/datasets.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import type {
  NullableField,
  QuoteFieldName,
  ScreenerNumber,
  ScreenerText,
} from '../../../base/fields.ts';
import type { ActionCoverage } from '../../../base/prices/action-coverage.ts';
import type {
  DailyInterval,
  IntradaySeriesInterval,
  ServedInterval,
} from '../../../base/time/intervals.ts';
import type { CompanyFiguresReader } from '../figures/company-figures.ts';
import type { TableData } from '../format/table-file.ts';
import type { DIRECTORY_TABLE } from '../format/tables.ts';
import type { RowSelection } from '../lists/row-selection.ts';
import type { ServedList } from '../lists/served-list.ts';
import type { ListRow, RowFilter } from '../lists/specs.ts';

/** Rows [start, end) of a logical series, oldest first. */
export interface RowRange {
  start: number;
  end: number;
}

export interface SymbolInfo {
  symbol: string;
  /** Winning source, as in the source priority table. */
  source: string;
  /** Basis of the stored daily candles. */
  basis: Basis;
  /** Vintage of the winning series; undefined for raw ones, whose prices never change. */
  asOfUs: bigint | undefined;
  splits: Split[];
  dividends: Dividend[];
  /** Days for which splits and dividends are known; undefined if no source knows the splits. */
  actionCoverage: ActionCoverage | undefined;
  firstBarUs: bigint;
  lastBarUs: bigint;
}

/** Columns of a stored series: those of bars, and published indicators by name. */
export type StoredColumn = 'open' | 'high' | 'low' | 'close' | 'volume' | `stored ${string}`;

/** Stored rows of one interval of a symbol, for readers of few columns. */
export interface StoredSeries {
  readonly rowCount: number;
  /** Returns the first row at or after a timestamp; the row count if there is none. */
  rowAt(timestampUs: bigint): number;
  /** Reads the timestamps of rows [start, end) into the first of a column's bytes. */
  copyTimestamps(range: RowRange, out: BigInt64Array): void;
  /**
   * Reads rows of columns, each into an output of the range's length.
   *
   * @throws {ParameterError} A column is not published.
   */
  copy(columns: readonly StoredColumn[], range: RowRange, out: readonly Float64Array[]): void;
  /**
   * Returns a number that names rows [0, end) of bars: in any version, rows with the same number are
   * stored in the same place, so they are the same. Other places of the same rows, as after a
   * compaction, have another number.
   */
  placeOf(end: number): number;
}

type QuoteValues = Record<Exclude<QuoteFieldName, NullableField | 'timestamp'>, number> &
  Record<NullableField, number | null>;

/** The newest bar's session so far, compared with the session before; null is unknown. */
export interface Quote extends QuoteValues {
  symbol: string;
  /** End of the newest bar: the session's close for a daily one. */
  timestampMs: number;
}

/** All known symbols as columns, ascending; an unknown text is empty, an unknown number NaN. */
export type Listings = TableData<typeof DIRECTORY_TABLE>;

/** One row per symbol that has a quote, ascending by symbol. */
export interface ScreenerTable {
  id: string;
  symbols: readonly string[];
  companyNames: readonly (string | null)[];
  /** Texts of each column by code; code 0 is null. */
  texts: Record<ScreenerText, readonly (string | null)[]>;
  columns: ScreenerColumns;
  /** Newest day of the market; undefined without rows. */
  marketDay: number | undefined;
}

/**
 * Columns of equal length, one row per symbol, ascending by symbol. In numbers, NaN is null. Texts
 * are dictionary codes, of which 0 is the code of null.
 */
export type ScreenerColumns = Record<ScreenerNumber, Float64Array> &
  Record<ScreenerText, Uint16Array> & {
    /** Date of the symbol's newest bar, in days since the epoch. */
    lastBarDay: Float64Array;
  };

/**
 * One published version. It stays readable and unchanged while it is referenced, however many
 * versions follow. Take every part of a response from one snapshot. Reads throw a CorruptDataError
 * if the stored bytes do not match their checksum.
 */
export interface Snapshot extends BarsSnapshot {
  /** Changes when rows of datasets or names of symbols may differ. */
  readonly listsId: string;
  /** Returns the first and last day with a bar, daily or of minutes; undefined without bars. */
  barDays(symbol: string): readonly [firstDay: number, lastDay: number] | undefined;
  /** Finds the rows of a series; undefined for an unknown one. */
  series(symbol: string, interval: DailyInterval): StoredSeries | undefined;
  /** Returns rows of a dataset in response order, under a symbol or `EVERYTHING`. */
  list(name: ListName, key: string): ServedList;
  /** Returns the articles of some kinds under symbols or `EVERYTHING`. */
  news(keys: readonly string[], filter: RowFilter): RowSelection;
  article(id: string): ListRow | undefined;
  /** Figures of companies from their filings, present and past. */
  readonly figures: CompanyFiguresReader;
  /** Returns the screener's table, computed at its first use: some 15 ms for 10,000 symbols. */
  screener(): ScreenerTable;
}

/** Part of a version that can also be read as of a past moment: bars, quotes and names. */
export interface BarsSnapshot {
  /** Changes with every publish; fit for an ETag. */
  readonly id: string;
  /**
   * Changes when daily bars, their indicators, splits, dividends or names of symbols may differ;
   * not with a publish of minutes.
   */
  readonly dailyId: string;
  readonly createdMs: number;
  /** Canonical symbols with at least one daily bar, ascending. */
  readonly symbols: readonly string[];
  /**
   * Returns the present symbol of a listed or published symbol, or of a former ticker; undefined
   * for an unknown name.
   */
  resolve(canonical: string): string | undefined;
  symbol(canonical: string): SymbolInfo | undefined;
  /**
   * Returns for an intraday series what `symbol` returns for daily bars; undefined
   * without such bars. Five-minute bars are served only if a source gives them, and include those
   * made from minutes.
   */
  intraday(canonical: string, interval: IntradaySeriesInterval): SymbolInfo | undefined;
  /** Returns 0 for an unknown symbol. */
  rowCount(symbol: string, interval: ServedInterval): number;
  /** Returns the first row at or after a timestamp; the row count if there is none. */
  rowAt(symbol: string, interval: ServedInterval, timestampUs: bigint): number;
  /**
   * Reads candles: 1d, 1m and 5m in the stored basis, 1w and 1M on the default adjustment.
   *
   * @param range Default: the whole series. Must lie within it.
   * @returns Columns that the caller owns; empty for an unknown symbol.
   */
  bars(symbol: string, interval: ServedInterval, range?: RowRange): BarColumns;
  /**
   * Reads the same candles into the caller's columns, of the range's length, at multiples of 8
   * bytes.
   */
  copyBars(symbol: string, interval: ServedInterval, range: RowRange, out: BarColumns): void;
  /**
   * Reads published indicator columns on the default adjustment, NaN where undefined.
   *
   * @throws {ParameterError} A column is not published.
   */
  indicators(
    symbol: string,
    interval: DailyInterval,
    columns: readonly string[],
    range?: RowRange,
  ): Float64Array[];
  /** Names of the published indicator columns. */
  readonly indicatorColumns: readonly string[];
  quote(symbol: string): Quote | undefined;
  readonly listings: Listings;
}

/** Returns false for a past version, which has bars, quotes and names alone. */
export function isWhole(snapshot: BarsSnapshot): snapshot is Snapshot {
  return 'listsId' in snapshot;
}

export interface ServingReader {
  readonly folder: string;
  /** Returns the newest version seen; an empty snapshot while nothing is published. */
  current(): Snapshot;
  /** Returns the newest version, or a held one that it has replaced; else undefined. */
  version(id: string): Snapshot | undefined;
  /** `damaged`: the published version can't be opened, and `current` throws. */
  state(): 'ready' | 'empty' | 'damaged';
  /**
   * Opens a newer version at once if that of the id is newer: another thread, or another machine,
   * may have opened it first and put its id into a cursor. Returns false if it is not here yet.
   */
  reaches(id: string): boolean;
  /** Opens a newer version at once, if there is one. */
  catchUp(): void;
  /** Returns the damage that opening the version, or the last reads by this reader, found. */
  damage(): CorruptDataError | undefined;
  /**
   * Returns the screener's table of the newest version, or of one that was replaced up to 15
   * minutes or three publishes ago; else undefined.
   */
  screenerOf(id: string): ScreenerTable | undefined;
  listingsOf(id: string): Listings | undefined;
  /** Stops polling and closes every file; snapshots of this reader can't be read any more. */
  close(): void;
}

export interface ServingOptions {
  pollMs?: number;
  /** Keeps versions open that were replaced lately, for `version`. Default: false. */
  holdsReplaced?: boolean;
  /**
   * Calls `look` when there may be a newer version, instead of polling. Returns a function to stop.
   */
  watch?: (look: () => void) => () => void;
  /**
   * Prepares a newer version before `current` returns it. The first version is prepared meanwhile.
   */
  prepare?: (version: Snapshot) => Promise<void>;
  /** Told when a newer version can't be read; the reader goes on with the one it has. */
  onError?: (error: Error) => void;
}
