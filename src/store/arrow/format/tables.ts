/** Columns of every kind of serving file. `docs/serving-files.md` explains them to users. */

import { FIGURE_NAMES } from '../../../base/companies/figures.ts';
import { QUOTE_FIELD_NAMES, quoteField, type StoredNumber } from '../../../base/fields.ts';
import type { ColumnSpec, StoredType } from './batch-layout.ts';

interface TableColumn<T extends StoredType = StoredType, Nullable extends boolean = boolean> {
  type: T;
  nullable: Nullable;
}

/** Columns by name, in the file's order. */
export type TableSpec = Record<string, TableColumn>;

export function columnsOfTable(table: TableSpec): ColumnSpec<StoredType>[] {
  return Object.entries(table).map(([name, column]) => ({ name, ...column }));
}

function required<T extends StoredType>(type: T): TableColumn<T, false> {
  return { type, nullable: false };
}

function optional<T extends StoredType>(type: T): TableColumn<T, true> {
  return { type, nullable: true };
}

const candles = {
  ts: required('timestamp'),
  open: required('float64'),
  high: required('float64'),
  low: required('float64'),
  close: required('float64'),
  volume: required('float64'),
};

function columnsOfIndicators(names: readonly string[]): ColumnSpec[] {
  return names.map((name) => ({ name, ...optional('float64') }));
}

export const CANDLE_COLUMNS: readonly ColumnSpec[] = columnsOfTable(candles);

/** Column of files of months, whose rows are bytes of packed bars. */
export const PACKED_COLUMNS: readonly ColumnSpec[] = columnsOfTable({ packed: required('uint8') });

/** Returns the columns of indicator files: the candles' timestamps, then the published columns. */
export function indicatorFileColumns(names: readonly string[]): ColumnSpec[] {
  return [CANDLE_COLUMNS[0], ...columnsOfIndicators(names)];
}

/**
 * Returns the columns of slices and patches, which hold candles and indicators: one small file, one
 * fsync.
 */
export function combinedFileColumns(names: readonly string[]): ColumnSpec[] {
  return [...CANDLE_COLUMNS, ...columnsOfIndicators(names)];
}

/**
 * One row per symbol; its row number is the symbol's number in the index. A removed symbol has an
 * empty name until the next full compaction. Raw series have no vintage.
 */
export const SYMBOL_TABLE = {
  symbol: required('utf8'),
  source: required('utf8'),
  basis: required('utf8'),
  as_of: optional('timestamp'),
  actions_from: optional('date'),
  actions_to: optional('date'),
  // Days of known dividends, if they are not those of splits. First after last means no day.
  // Files of older versions lack them.
  dividends_from: optional('date'),
  dividends_to: optional('date'),
};

/**
 * One row per symbol and intraday interval; its row number is the symbol's number in the index of
 * intraday layers. Numbers are not reused: a removed series has an empty symbol. Raw series have no
 * vintage.
 */
export const INTRADAY_SERIES_TABLE = {
  symbol: required('utf8'),
  interval: required('utf8'),
  source: required('utf8'),
  basis: required('utf8'),
  as_of: optional('timestamp'),
};

/**
 * Sorted by (symbol, ex_date). A split has a ratio, a dividend an amount. `currency` is that of an
 * amount in another one than the prices; files of older versions lack it.
 */
export const ACTION_TABLE = {
  symbol: required('utf8'),
  type: required('utf8'),
  ex_date: required('date'),
  numerator: optional('float64'),
  denominator: optional('float64'),
  amount: optional('float64'),
  factor: optional('float64'),
  currency: optional('utf8'),
};

/**
 * Quotes: one row per row of the symbols file, in its order; price is null where there is no quote.
 * Every publish of bars rewrites the file, so it leaves out the symbol and the derived fields.
 */
export const QUOTE_TABLE = Object.fromEntries(
  QUOTE_FIELD_NAMES.filter((name) => !quoteField(name).isDerived).map((name) => [
    name,
    quoteField(name).kind === 'timestamp' ? required('timestamp') : optional('float64'),
  ]),
) as Record<StoredNumber, TableColumn<'float64'>> & { timestamp: TableColumn<'timestamp'> };

/**
 * Figures from filings by company, ascending by symbol. They are on the split basis of the days
 * given with them, not on today's.
 */
export const COMPANY_TABLE = {
  symbol: required('utf8'),
  shares: optional('float64'),
  sharesDay: optional('date'),
  epsDiluted: optional('float64'),
  epsDay: optional('date'),
  dividends: optional('float64'),
  dividendsDay: optional('date'),
};

/**
 * Figures of companies from a moment on, ascending by moment within a symbol. Days are days since
 * the epoch, as float64 like all others.
 */
export const FIGURE_COLUMNS: readonly ColumnSpec[] = [
  { name: 'known', ...required('timestamp') },
  ...FIGURE_NAMES.map((name) => ({ name, ...optional('float64') })),
];

/**
 * Ascending by symbol. Rows [row, row + rows) of the batch are those of the symbol; one without rows
 * is gone from older layers.
 */
export const FIGURE_INDEX_TABLE = {
  symbol: required('utf8'),
  batch: required('uint32'),
  row: required('uint32'),
  rows: required('uint32'),
};

/** All record batches of a layer of figures: their rows, and the place of the body. */
export const FIGURE_BATCH_TABLE = {
  rows: required('uint32'),
  offset: required('int64'),
  crc32: required('uint32'),
};

/** All known symbols, with bars or without, ascending. An unknown text is empty. */
export const DIRECTORY_TABLE = {
  symbol: required('utf8'),
  companyName: required('utf8'),
  exchange: required('utf8'),
  venue: required('utf8'),
  type: required('utf8'),
  cik: optional('float64'),
  country: required('utf8'),
  sector: required('utf8'),
  industry: required('utf8'),
  source: required('utf8'),
  /** Tickers that the security had before, each with its last day: `FB 2022-06-08,…`. */
  formerTickers: required('utf8'),
  /** Last trading day of a delisted security. */
  delistedOn: optional('date'),
  /** Unchanged when the symbol changes, so cursors can use it. */
  securityId: required('uint32'),
  /**
   * Names and markets that the security had before, each with its last day, as JSON:
   * `[["Facebook","NASDAQ","Nasdaq","2021-12-07"]]`. Files of older versions lack it.
   */
  formerNames: optional('utf8'),
  /** Reason of a delisting, in words, successor and parent. Files of older versions lack them. */
  delistedReason: optional('utf8'),
  successor: optional('utf8'),
  parent: optional('utf8'),
};

/**
 * Places of the rows of each series, sorted by (interval, symbol), parts of a series in order.
 *
 * `interval` is an index into `SERVED_INTERVALS`, `volume` one into the layer's volumes, `batch`
 * one into the volume's batches. Rows [row, row + rows) of the batch are the rows of the series
 * from `row_start` on. A part supersedes all rows at or after its `row_start` in earlier parts, of
 * this layer or older ones. A part without rows ends the series there.
 */
export const INDEX_TABLE = {
  interval: required('uint8'),
  symbol: required('uint32'),
  volume: required('uint16'),
  batch: required('uint32'),
  row: required('uint32'),
  rows: required('uint32'),
  row_start: required('uint32'),
};

/**
 * All record batches of a layer's volumes, sorted by (volume, batch). Offsets are those of bodies.
 * A batch of packed bars has `packed_bytes`; others have 0, those of format 4 nothing.
 */
export const BATCH_TABLE = {
  volume: required('uint16'),
  batch: required('uint32'),
  rows: required('uint32'),
  first_ts: required('timestamp'),
  last_ts: required('timestamp'),
  candles_offset: required('int64'),
  candles_crc32: required('uint32'),
  indicators_offset: required('int64'),
  indicators_crc32: required('uint32'),
  packed_bytes: required('uint32'),
};

/**
 * A layer of a dataset's lists: rows of a list lie together, in its order; lists ascend by key.
 *
 * `adds` is what a row adds to the length of its list: 1 for a new row, 0 if it replaces an older
 * layer's row of the same `ts` and `id`, −1 (with an empty `json`) if it removes such a row.
 */
export const LIST_TABLE = {
  ts: required('timestamp'),
  id: required('utf8'),
  known: optional('timestamp'),
  kind: required('utf8'),
  adds: required('int32'),
  json: required('utf8'),
};

/** Ascending by list. Rows [row, row + rows) of the layer belong to the list; they add `adds`. */
export const LIST_INDEX_TABLE = {
  list: required('utf8'),
  row: required('uint32'),
  rows: required('uint32'),
  adds: required('int32'),
};

/**
 * All record batches of a layer's file: first row, sum of `adds` of all rows before, and place of
 * the body. The column offsets follow from the lengths of the texts.
 */
export const LIST_BATCH_TABLE = {
  row: required('uint32'),
  rows: required('uint32'),
  first_ts: required('timestamp'),
  adds: required('int32'),
  offset: required('int64'),
  id_bytes: required('uint32'),
  kind_bytes: required('uint32'),
  json_bytes: required('uint32'),
  crc32: required('uint32'),
};

/** Rows of `EVERYTHING` by the CRC-32 of their ids, ascending. */
export const LIST_ID_TABLE = {
  hash: required('uint32'),
  row: required('uint32'),
};

/**
 * All rows of a layer of news, in its order: number of the article in the layer, and kind of
 * change: 2 adds a row, 1 replaces an older layer's row, 0 removes one.
 */
export const LIST_SELECTION_TABLE = {
  article: required('uint32'),
  change: required('uint8'),
};

/**
 * All articles of a layer of news: number of the kind, and of the kind in older layers; 0 without
 * one. An article that moved to another moment has several rows.
 */
export const LIST_ARTICLE_TABLE = {
  kind: required('uint32'),
  replaced: required('uint32'),
};

/** Kinds of articles by number; the first is empty and stands for none. */
export const LIST_KIND_TABLE = { kind: required('utf8') };
