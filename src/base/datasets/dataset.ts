/**
 * The shape of a dataset: its columns under the API's field names, its key and its rules. Parsers
 * check records against it. Tables, templates and documentation are made from it.
 */

/** A value of a record. Dates are days since the epoch, moments are milliseconds. */
export type DatasetValue = string | number | readonly string[] | null;

export type DatasetRow = Record<string, DatasetValue>;

/**
 * Value of each kind of column. In files, a `symbol` is a ticker in any vendor's spelling, and
 * `symbols` are several between blanks, commas or semicolons. A `choice` and a `flag` are in any
 * case. A `date` is `YYYY-MM-DD`, a `moment` a date-time with its offset.
 */
export interface ValueOfKind {
  symbol: string;
  /** Never null: a record without symbols has an empty list. */
  symbols: readonly string[];
  text: string;
  choice: string;
  /** Text in rows, a boolean in SQL. */
  flag: 'true' | 'false';
  date: number;
  moment: number;
  number: number;
  integer: number;
}

export type ColumnKind = keyof ValueOfKind;

/** Bounds of a number. */
export interface ColumnRule {
  /** Bound that the number must exceed. */
  above?: number;
  atLeast?: number;
  atMost?: number;
}

/** Unit of a number. */
export type Unit = 'usd' | 'usdPerShare' | 'fraction' | 'ratio' | 'count';

/** A figure as responses and the page show it. */
export interface ShownFigure {
  /** Name of its line on the page. */
  title: string;
  unit: Unit;
  /** Its text in the API reference. */
  description?: string;
  /** True for totals, which stand out. */
  isTotal?: boolean;
  /** True if the page draws it as bars too. */
  isDrawn?: boolean;
  /** True if `complete` makes it of other columns. */
  isDerived?: boolean;
  /** Figures that it follows from, of its row if it has them. */
  parts?: readonly string[];
}

/** A statement of a company: figures by period, each filing of a period a version. */
export interface Statement {
  /** Its noun, from which schemas, texts and tables for agents have their names. */
  noun: string;
  /** Plural by which operations and widgets name it; default that of the noun. */
  listed?: string;
  /** Its name on the page, whose first word is its name in addresses. */
  title: string;
  /** True if its figures are of a moment: twelve months have those of the newest quarter. */
  isOfMoment?: boolean;
  /** A row in the API reference; default the first row of the template. */
  example?: DatasetRow;
}

export interface DatasetColumn extends ColumnRule {
  name: string;
  kind: ColumnKind;
  /** Allowed values of a `choice` or a `flag`. */
  choices?: readonly string[];
  isRequired: boolean;
  /** True if a file must have the column, though its cells may be empty. */
  isNamed?: boolean;
  /** Meaning, for documentation. */
  meaning: string;
  /** Values in the template's rows, in their order. */
  examples: readonly string[];
  /** Present if a statement shows it. */
  shown?: ShownFigure;
  /** Version of the store's schema that added it; undefined: the dataset's first one. */
  since?: number;
}

/** Order of a published list, and its lists besides those of symbols. */
export interface DatasetList {
  /** By `time`; of a dataset of future days by the day. */
  order: 'newest' | 'oldest';
  /**
   * True if rows of newer layers join those of older ones. False if the newest layer that has a
   * list has all of it.
   */
  isJoined?: boolean;
  /** True if one list has the rows of all symbols, and requests read that one. */
  isOfAll?: boolean;
}

export interface Dataset {
  /** Name on the command line, in paths and in files. */
  name: string;
  /** Contents, as forms and tables name them. */
  title: string;
  /** Name of the table in DuckDB, whose columns are the names of the columns in snake_case. */
  table: string;
  /** Version of the store's schema that added the table; undefined: the first one. */
  since?: number;
  columns: readonly DatasetColumn[];
  /**
   * Columns that identify a record: only one of several records with equal values here wins. Of a
   * list of names, the first one with a value counts.
   */
  key: readonly (string | readonly string[])[];
  /**
   * Column with the moment when a record became known, by which lists are sorted, newest first. A
   * column of the key if there is no such moment.
   */
  time: string;
  /** Column that rows of a list have, of which a file counts as a whole or not at all. */
  whole?: string;
  /** Request that shows rows of a symbol, which is `$`, below `/v1/svc/`. */
  path?: string;
  /** Scope of a key that reads it. */
  scope?: string;
  /** Type of the events about new rows. */
  event?: string;
  /** Present if rows are published as lists. */
  list?: DatasetList;
  /** Present if the API serves it as a statement of companies. */
  statement?: Statement;
  /** True if the published rows are a Parquet file. */
  isFile?: boolean;
  /** Returns true for a row that follows from others: files may have it, and it is not loaded. */
  isComputed?(row: DatasetRow): boolean;
  /** Fills in, in place, empty values that follow from other columns. */
  complete?(row: DatasetRow): void;
  /** Returns the rule that a record breaks although each of its values is good. */
  conflict?(row: DatasetRow): string | undefined;
}

/** A checked row of a dataset, column by column. */
export type RowOf<D extends Dataset> = {
  [C in D['columns'][number] as C['name']]: C extends { kind: 'symbols' }
    ? readonly string[]
    : ChoiceOf<C> | (C['isRequired'] extends true ? never : null);
};

type ChoiceOf<C extends DatasetColumn> = C extends {
  kind: 'choice';
  choices?: readonly (infer T)[];
}
  ? T
  : ValueOfKind[C['kind']];
