/** How a dataset's rows lie in tables and in Parquet. */

import type { ColumnKind, Dataset } from '../../../base/datasets/datasets.ts';

export interface TableColumn {
  /** As in the API. */
  field: string;
  /** In SQL: the same in snake_case, quoted, since `date` and `time` are words of SQL. */
  column: string;
  kind: ColumnKind;
  /** DuckDB's. */
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

/** In the dataset's order. */
export function tableColumns({ columns }: Dataset): TableColumn[] {
  return columns.map(({ name, kind }) => {
    return { field: name, column: columnOfField(name), kind, type: TYPES[kind] };
  });
}

/** Expressions over a dataset's columns that are equal for rows of the same key. */
export function keySql({ key }: Dataset): string[] {
  return key.map((part) =>
    typeof part === 'string'
      ? columnOfField(part)
      : `coalesce(${part.map((field) => `${columnOfField(field)}::VARCHAR`).join(', ')})`,
  );
}
