/** Columns of files of rows: their names, and why a file with them is refused. */

import type { Dataset, DatasetColumn } from '../../base/datasets/dataset.ts';
import { adviceOfColumns, areOfOther, wholeOther } from '../../base/datasets/of-columns.ts';
import { MalformedInputError } from '../../base/errors.ts';
import {
  numberTypeFault,
  type ParquetColumn,
  symbolTypeFault,
} from '../segments/parquet-columns.ts';
import { unreadNotes } from './unread-columns.ts';

/** Other names of the columns of a file. */
export interface ColumnSpelling {
  /** Returns the columns that a file with these names has. */
  names(keys: readonly string[]): string[];
  /** Returns true for columns that the records are made of, also those of no column of theirs. */
  isRead(key: string): boolean;
}

/** Columns of a dataset by the spelling that `columnKey` gives. */
export type KnownColumns = ReadonlyMap<string, DatasetColumn>;

export function isSymbolKind(column: DatasetColumn | undefined): boolean {
  return column?.kind === 'symbol' || column?.kind === 'symbols';
}

/**
 * @param written Columns as the file names them.
 * @throws {MalformedInputError} a required column is missing, one is there twice, or all are of
 *   another dataset.
 */
export function refuseColumns(
  dataset: Dataset,
  keys: readonly string[],
  written: readonly string[],
): void {
  const { name, columns } = dataset;
  const known = new Map(columns.map((column) => [columnKey(column.name), column]));
  const twice = firstTwice(keys, known);
  if (twice !== undefined) throw new MalformedInputError(`two columns are named "${twice}"`);
  const advice = adviceOfColumns(written, name);
  // Columns of vendors' spellings are none of the dataset's own.
  const isSpelled =
    keys.some((key) => !written.includes(key)) &&
    columns.every(({ isRequired, name: own }) => !isRequired || keys.includes(columnKey(own)));
  if (!isSpelled && areOfOther(written, dataset)) throw new MalformedInputError(advice);
  const other = wholeOther(written, dataset);
  if (other !== undefined) {
    const own = columns.find((column) => !column.isRequired && column.name !== 'companyName');
    throw new MalformedInputError(
      `its columns are those of ${other}, all of them: load it with backfill files ${other}, or add a column of ${name}, such as "${own?.name}"`,
    );
  }
  const missing = columns.find(
    ({ isRequired, isNamed, name: own }) =>
      (isRequired || isNamed) && !keys.includes(columnKey(own)),
  );
  if (!missing) return;
  const isOfActions = name === 'corporate-actions' && missing.name === 'symbol';
  const ask = isOfActions ? '; of a file of one symbol, --symbol says which' : '';
  const reason = `it has no column "${missing.name}", which ${name} need${ask}`;
  throw new MalformedInputError(
    advice === '' ? `${reason} (see: tapeworks template ${name})` : `${reason}; ${advice}`,
  );
}

export function firstTwice(keys: readonly string[], known: KnownColumns): string | undefined {
  return keys.find((key, at) => known.has(key) && keys.indexOf(key) !== at);
}

/** @throws {MalformedInputError} a column's values are of a type that it cannot have. */
export function refuseTypes(
  { columns }: Dataset,
  found: readonly ParquetColumn[],
  spelling: ColumnSpelling,
): void {
  const known = new Map(columns.map((column) => [columnKey(column.name), column]));
  for (const { name, type } of found) {
    const key = columnKey(name);
    const column = known.get(spelling.names([key])[0]);
    if (!column && !spelling.isRead(key)) continue;
    const fault =
      column && isSymbolKind(column)
        ? symbolTypeFault(name, type, column.kind === 'symbols')
        : numberTypeFault(name, type);
    if (fault !== undefined) throw new MalformedInputError(fault);
  }
}

/** Normalizes a column name: `exDate`, `ex_date` and `Ex Date` are one column. */
export function columnKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Lists the columns of a file that are not read, and look like one that the file lacks.
 *
 * @param keys Columns of the file as `columnKey` gives them.
 */
export function columnNotes({ columns }: Dataset, keys: Iterable<string>): string[] {
  const present = new Set(keys);
  const [known, lacking] = [new Set<string>(), new Map<string, string>()];
  for (const column of columns) {
    const key = columnKey(column.name);
    known.add(key);
    if (!present.has(key)) lacking.set(key, column.name);
  }
  return unreadNotes(present, known, lacking);
}
