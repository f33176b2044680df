/**
 * What a reader of published data sees: one consistent version of every series. The API, the
 * screener and bulk reads use nothing else; DuckDB is never opened to answer a request.
 */

import type { BarColumns, Basis, Dividend, Split } from '../../../base/bars.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import type { NullableField, QuoteFieldName, ScreenerText } from '../../../base/quote-fields.ts';
import type {
  DailyInterval,
  ServedInterval,
  StoredIntraday,
} from '../../../base/time/intervals.ts';
import type { ScreenerColumns } from '../../../compute/screener/columns.ts';
import type { TableData } from '../format/table-file.ts';
import type { DIRECTORY_TABLE } from '../format/tables.ts';
import type { RowSelection } from '../lists/row-selection.ts';
import type { ServedList } from '../lists/served-list.ts';
import type { ListName, ListRow, RowFilter } from '../lists/specs.ts';

/** Rows [start, end) of a logical series, oldest first. */
export interface RowRange {
  start: number;
  end: number;
}

export interface SymbolInfo {
  symbol: string;
  /** The winning source, as in the source priority table. */
  source: string;
  /** Basis in which the daily candles are stored. */
  basis: Basis;
  /** Vintage of the winning series; undefined for raw ones, whose prices never change. */
  asOfUs: bigint | undefined;
  splits: Split[];
  dividends: Dividend[];
  /** Days for which the stored actions are all there are; undefined = nobody has said so. */
  actionCoverage: { fromDay: number; toDay: number } | undefined;
  firstBarUs: bigint;
  lastBarUs: bigint;
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
  /** That of the version it belongs to. */
  id: string;
  symbols: readonly string[];
  companyNames: readonly (string | null)[];
  /** By code of the column; null has code 0. */
  texts: Record<ScreenerText, readonly (string | null)[]>;
  columns: ScreenerColumns;
}

/**
 * One published version. It stays readable and unchanged while it is referenced, however many
 * versions follow: hold the object for as long as an answer needs it and take every part of the
 * answer from it.
 */
export interface Snapshot {
  /** Changes with every publish; fit for an ETag. */
  readonly id: string;
  /**
   * Changes where daily bars, their indicators, splits, dividends or names of symbols may differ: not
   * with a minute's publish.
   */
  readonly dailyId: string;
  /** Changes where rows of datasets or names of symbols may differ. */
  readonly listsId: string;
  readonly createdMs: number;
  /** Canonical symbols with at least one daily bar, ascending. */
  readonly symbols: readonly string[];
  /**
   * The current symbol of a security: a listed or published symbol is its own, with bars or
   * without; a former ticker gives the symbol that its security has now.
   *
   * @returns undefined for a name that nobody has or had.
   */
  resolve(canonical: string): string | undefined;
  symbol(canonical: string): SymbolInfo | undefined;
  /**
   * What `symbol` says of the daily bars, of the bars of one or five minutes in regular hours.
   * Five-minute bars are served only where a source gives them; they hold those made from minutes
   * too, so that they are the ones to make longer intervals from.
   *
   * @returns undefined without such bars.
   * @throws {CorruptDataError} the index of intraday bars is damaged; so do the methods below for
   *   these intervals.
   */
  intraday(canonical: string, interval: StoredIntraday): SymbolInfo | undefined;
  /** 0 for an unknown symbol. */
  rowCount(symbol: string, interval: ServedInterval): number;
  /** First row whose timestamp is at or after `timestampUs`; the row count when there is none. */
  rowAt(symbol: string, interval: ServedInterval, timestampUs: bigint): number;
  /**
   * Candles: 1d, 1m and 5m in the stored basis, 1w and 1M on the default adjustment.
   *
   * @param range Default: the whole series. Must lie within it.
   * @returns Columns that the caller owns; empty for an unknown symbol.
   * @throws {CorruptDataError} the stored bytes do not match their checksum.
   */
  bars(symbol: string, interval: ServedInterval, range?: RowRange): BarColumns;
  /**
   * The same candles into columns that the caller has, for answers too long to allocate for.
   *
   * @param out Columns of the range's length, at multiples of 8 bytes.
   * @throws {CorruptDataError} the stored bytes do not match their checksum.
   */
  copyBars(symbol: string, interval: ServedInterval, range: RowRange, out: BarColumns): void;
  /**
   * Published indicator columns on the default adjustment, NaN where undefined.
   *
   * @param columns Names out of the catalogue's default columns; one result column each.
   * @throws {ParameterError} a column is not published.
   * @throws {CorruptDataError} the stored bytes do not match their checksum.
   */
  indicators(
    symbol: string,
    interval: DailyInterval,
    columns: readonly string[],
    range?: RowRange,
  ): Float64Array[];
  quote(symbol: string): Quote | undefined;
  /**
   * Rows of a dataset in the order in which they are answered, under a symbol or `EVERYTHING`;
   * empty where there are none.
   */
  list(name: ListName, key: string): ServedList;
  /** Articles of some kinds that one of the lists has, under symbols or `EVERYTHING`. */
  news(keys: readonly string[], filter: RowFilter): RowSelection;
  /**
   * @param id As `isNewsId` has it.
   * @throws {CorruptDataError} the stored bytes do not match their checksum.
   */
  article(id: string): ListRow | undefined;
  readonly listings: Listings;
  /** Always the same object, made when first asked for: some 30 ms for 10,000 symbols. */
  screener(): ScreenerTable;
}

export interface ServingReader {
  /** The newest version seen; an empty snapshot while nothing is published. */
  current(): Snapshot;
  /** `damaged`: what is published can't be opened, and `current` throws. */
  state(): 'ready' | 'empty' | 'damaged';
  /**
   * What can't be read of what is published: of files that are opened, what their last reads by
   * this reader have shown. Undefined where all is well, as far as anybody looked.
   */
  damage(): CorruptDataError | undefined;
  /**
   * The screener's table of the newest version or of a recent one: a version stays for 15 minutes
   * and at least three publishes after it was replaced.
   *
   * @param id A `Snapshot.id`.
   * @returns undefined for a version that is no longer kept.
   */
  screenerOf(id: string): ScreenerTable | undefined;
  /** The directory of the newest version or of a recent one; kept and missing alike. */
  listingsOf(id: string): Listings | undefined;
  /** Stops polling and closes every file; snapshots taken from here can't be read any more. */
  close(): void;
}

export interface ServingOptions {
  /** How often the manifest is looked at; default `limits.serving.pollMs`. */
  pollMs?: number;
  /** Calls `look` when there may be a newer version, instead of polling. Returns what ends that. */
  watch?: (look: () => void) => () => void;
  /**
   * Work on a newer version before `current` gives it, so that no request waits for that. The
   * first version is given at once and prepared meanwhile.
   */
  prepare?: (version: Snapshot) => Promise<void>;
  /** Told when a newer version can't be read; the reader goes on with the one it has. */
  onError?: (error: Error) => void;
}
