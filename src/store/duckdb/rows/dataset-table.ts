/** Columns of a dataset in tables and in Parquet. */

import type { ColumnKind, Dataset } from '../../../base/datasets/datasets.ts';

export interface TableColumn {
  /** Name in the API. */
  field: string;
  /** Name in SQL: in snake_case and quoted, since `date` and `time` are keywords. */
  column: string;
  kind: ColumnKind;
  /** DuckDB's type. */
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

/** Returns the columns in the dataset's order. */
export function tableColumns({ columns }: Dataset): TableColumn[] {
  return columns.map(({ name, kind }) => {
    return { field: name, column: columnOfField(name), kind, type: TYPES[kind] };
  });
}

/** Returns expressions over a dataset's columns that are equal for rows with the same key. */
export function keySql({ key }: Dataset): string[] {
  return key.map((part) =>
    typeof part === 'string'
      ? columnOfField(part)
      : `coalesce(${part.map((field) => `${columnOfField(field)}::VARCHAR`).join(', ')})`,
  );
}
