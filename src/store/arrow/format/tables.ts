/** The columns of every kind of serving file. `docs/serving-files.md` explains them to users. */

import { QUOTE_FIELD_NAMES, quoteField, type StoredNumber } from '../../../base/quote-fields.ts';
import type { ColumnSpec, ColumnType } from './batch-layout.ts';

interface TableColumn<T extends ColumnType = ColumnType> {
  type: T;
  nullable: boolean;
}

/** Columns by name, in the file's order. */
export type TableSpec = Record<string, TableColumn>;

export function columnsOfTable(table: TableSpec): ColumnSpec[] {
  return Object.entries(table).map(([name, column]) => ({ name, ...column }));
}

function required<T extends ColumnType>(type: T): TableColumn<T> {
  return { type, nullable: false };
}

function optional<T extends ColumnType>(type: T): TableColumn<T> {
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

/** Indicator files: the candles' timestamps, then the published columns. */
export function indicatorFileColumns(names: readonly string[]): ColumnSpec[] {
  return [CANDLE_COLUMNS[0], ...columnsOfIndicators(names)];
}

/** Slices and patches hold candles and indicators side by side: one small file, one fsync. */
export function combinedFileColumns(names: readonly string[]): ColumnSpec[] {
  return [...CANDLE_COLUMNS, ...columnsOfIndicators(names)];
}

/**
 * One row per symbol; its row number is the symbol's number in the index. The row of a symbol that
 * was removed has an empty name until the next full fold. Raw series have no vintage.
 */
export const SYMBOL_TABLE = {
  symbol: required('utf8'),
  source: required('utf8'),
  basis: required('utf8'),
  as_of: optional('timestamp'),
  actions_from: optional('date'),
  actions_to: optional('date'),
};

/**
 * One row per symbol and intraday interval; its row number is the symbol's number in the index of
 * intraday layers, which stays taken: the row of a series that was removed has an empty symbol. Raw
 * series have no vintage.
 */
export const INTRADAY_SERIES_TABLE = {
  symbol: required('utf8'),
  interval: required('utf8'),
  source: required('utf8'),
  basis: required('utf8'),
  as_of: optional('timestamp'),
};

/** Sorted by (symbol, ex_date). A split has a ratio, a dividend an amount. */
export const ACTION_TABLE = {
  symbol: required('utf8'),
  type: required('utf8'),
  ex_date: required('date'),
  numerator: optional('float64'),
  denominator: optional('float64'),
  amount: optional('float64'),
  factor: optional('float64'),
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
 * What filings say of companies, by symbol ascending: not on today's split basis, but on that of a
 * day, `sharesDay` and `epsDay`.
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

/** All symbols that are known, with bars or without, ascending. An unknown text is empty. */
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
  /** Tickers that the security has no more, each with its last day: `FB 2022-06-08,…`. */
  formerTickers: required('utf8'),
  /** The last trading day of a delisted security. */
  delistedOn: optional('date'),
  /** Stays when the symbol changes: fit for the question of a cursor. */
  securityId: required('uint32'),
};

/**
 * Where the rows of a series are, sorted by (interval, symbol), parts of a series in order.
 *
 * `interval` is a place in `SERVED_INTERVALS`, `volume` one in the layer's volumes, `batch` one in
 * the volume's files. Rows [row, row + rows) of the batch are the rows from `row_start` on of the
 * series. A part supersedes whatever earlier parts, of this layer or the ones before, have at or
 * after its `row_start`; one of no rows only ends the series there.
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

/** Every record batch of a layer's volumes, sorted by (volume, batch). Offsets are of bodies. */
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
};

/**
 * A layer of a dataset's lists: the rows of a list together, in its order, lists ascending by key.
 *
 * `adds` is what a row adds to the length of its list: 1; 0 where it stands for an older layer's
 * row of the same `ts` and `id`; −1, with an empty `json`, where it takes such a row away.
 */
export const LIST_TABLE = {
  ts: required('timestamp'),
  id: required('utf8'),
  known: optional('timestamp'),
  kind: required('utf8'),
  adds: required('int32'),
  json: required('utf8'),
};

/** Ascending by list. Rows [row, row + rows) of the layer are the list's; they add `adds`. */
export const LIST_INDEX_TABLE = {
  list: required('utf8'),
  row: required('uint32'),
  rows: required('uint32'),
  adds: required('int32'),
};

/**
 * Every record batch of a layer's file: its first row, what all rows before it add, and where its
 * body is. The lengths of the texts say where a column lies.
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

/** Rows of the list of everything by the CRC-32 of their ids, ascending by that. */
export const LIST_ID_TABLE = {
  hash: required('uint32'),
  row: required('uint32'),
};

/**
 * Every row of a layer of news, in its order: the number of its article in the layer, and what it
 * is: 2 a row, 1 one that stands for an older layer's, 0 one that takes such a row away.
 */
export const LIST_SELECTION_TABLE = {
  article: required('uint32'),
  change: required('uint8'),
};

/**
 * Every article of a layer of news: the number of its kind, and of that which it has in older
 * layers; 0 where it has none. Moved to another moment it is one article with several rows.
 */
export const LIST_ARTICLE_TABLE = {
  kind: required('uint32'),
  replaced: required('uint32'),
};

/** Kinds of articles by number; the first, which is empty, stands for none. */
export const LIST_KIND_TABLE = { kind: required('utf8') };
