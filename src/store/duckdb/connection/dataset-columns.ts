/** Datasets as tables: their columns, and the statements that create and extend them. */

import type { ColumnKind, Dataset, DatasetColumn } from '../../../base/datasets/dataset.ts';

export interface TableColumn {
  field: string;
  /** Name in SQL: in snake_case and quoted, since `date` and `time` are keywords. */
  column: string;
  kind: ColumnKind;
  type: string;
}

const TYPES: Record<ColumnKind, string> = {
  symbol: 'VARCHAR',
  symbols: 'VARCHAR[]',
  text: 'VARCHAR',
  choice: 'VARCHAR',
  flag: 'BOOLEAN',
  date: 'DATE',
  moment: 'TIMESTAMP',
  number: 'DOUBLE',
  integer: 'BIGINT',
};

/** `sharesOwnedAfter` → `"shares_owned_after"`. */
export function columnOfField(field: string): string {
  return `"${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

export function tableColumns({ columns }: Pick<Dataset, 'columns'>): TableColumn[] {
  return columns.map(({ name, kind }) => {
    return { field: name, column: columnOfField(name), kind, type: TYPES[kind] };
  });
}

/** Columns that say where a row comes from. The first one has the tickers as the input states them. */
function originColumns({ columns }: Dataset): string {
  const isList = columns.some(({ kind }) => kind === 'symbols');
  return `${isList ? 'tickers VARCHAR[]' : 'ticker VARCHAR'}, segment_seq INTEGER`;
}

/** Version of the schema that made the first tables; in it flags were texts. */
export const FIRST_VERSION = 8;

/** Returns the version that adds a column; a new table has the older ones of its kind at once. */
function sinceOf(column: DatasetColumn, tableSince: number): number {
  return Math.max(column.since ?? tableSince, tableSince);
}

/** Returns the statements by which a version of the schema creates or extends datasets' tables. */
export function datasetStatements(datasets: readonly Dataset[], version: number): string[] {
  return datasets.flatMap((dataset) => {
    const { table, since = FIRST_VERSION, columns } = dataset;
    const added = columns.filter((column) => sinceOf(column, since) === version);
    const types = tableColumns({ columns: added }).map(({ column, kind, type }) => {
      const isText = kind === 'flag' && version === FIRST_VERSION;
      return `${column} ${isText ? 'VARCHAR' : type}`;
    });
    return since === version
      ? [`CREATE TABLE ${table} (${types.join(', ')}, ${originColumns(dataset)})`]
      : types.map((text) => `ALTER TABLE ${table} ADD COLUMN ${text}`);
  });
}

/** Returns the versions in which tables of datasets were created or extended, ascending. */
export function datasetVersions(datasets: readonly Dataset[]): number[] {
  const versions = datasets.flatMap(({ since = FIRST_VERSION, columns }) => [
    since,
    ...columns.map((column) => sinceOf(column, since)),
  ]);
  return [...new Set(versions)].sort((a, b) => a - b);
}
