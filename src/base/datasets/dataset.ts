/**
 * The shape of a dataset: its columns under the API's field names, its key and its rules. Parsers
 * check records against it. Tables, templates and documentation are made from it.
 */

/** Dates are days since the epoch, moments milliseconds. */
export type DatasetValue = string | number | readonly string[] | null;

export type DatasetRow = Record<string, DatasetValue>;

/**
 * Texts of files: a `symbol` is a ticker in any vendor's spelling, `symbols` are such between
 * blanks, commas or semicolons, a `choice` and a `flag` are in any case, a `date` is `YYYY-MM-DD`, a `moment` a
 * date-time with its offset.
 */
export interface ValueOfKind {
  symbol: string;
  /** Never null: no symbols are an empty list. */
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
  /** It must exceed this. */
  above?: number;
  atLeast?: number;
  atMost?: number;
}

export interface DatasetColumn extends ColumnRule {
  name: string;
  kind: ColumnKind;
  /** Of a `choice` or a `flag`. */
  choices?: readonly string[];
  isRequired: boolean;
  /** What it means, for documentation. */
  meaning: string;
  /** In the template's rows, in turn. */
  examples: readonly string[];
}

export interface Dataset {
  /** As on the command line. */
  name: string;
  /** In DuckDB; its columns are those names in snake_case. */
  table: string;
  columns: readonly DatasetColumn[];
  /**
   * Columns that tell one row from another: of two rows with the same values of these only the
   * better one is believed. Of a list, the first one counts that is not null.
   */
  key: readonly (string | readonly string[])[];
  /**
   * The column that says when a row became known; lists go by it, newest first. Where none does, a
   * column of the key.
   */
  time: string;
  /** Fills in, in place, what follows from other columns and was left out. */
  complete?(row: DatasetRow): void;
  /** The rule that a row of good values breaks all the same. */
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
