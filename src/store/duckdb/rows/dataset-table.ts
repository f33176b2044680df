import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { rowDatasets } from '../../../base/datasets/datasets.ts';
import { columnOfField, tableColumns } from '../connection/dataset-columns.ts';
import { selectColumn } from '../connection/sql-rows.ts';

/** Returns expressions over a dataset's columns that are equal for rows with the same key. */
export function keySql({ key }: Dataset): string[] {
  return key.map((part) =>
    typeof part === 'string'
      ? columnOfField(part)
      : `coalesce(${part.map((field) => `${columnOfField(field)}::VARCHAR`).join(', ')})`,
  );
}

/** Names of the columns that `keyed` adds, equal for rows of the same key. */
export function keyColumns({ key }: Dataset): string[] {
  return key.map((_, i) => `key${i}`);
}

/** Returns SQL of a dataset's columns, followed by those of the key. */
export function keyed(dataset: Dataset): string {
  return `*, ${keySql(dataset)
    .map((sql, i) => `${sql} AS key${i}`)
    .join(', ')}`;
}

/**
 * Returns SQL of rows with their `place` among those with the same key: 1 wins. Of rows of one
 * source, newer rules for filings go before newer content. The greatest values decide last, so that the order of loads does not count.
 *
 * @param rowsSql Gives `old_row` (null for rows that are not stored yet), `segment_seq` and
 *   `keyed`.
 */
export function rankedSql(dataset: Dataset, rowsSql: string): string {
  const values = tableColumns(dataset).map(({ column }) => `r.${column} DESC NULLS LAST`);
  return `SELECT r.*, row_number() OVER (PARTITION BY ${keyColumns(dataset).join(', ')}
      ORDER BY p.priority, coalesce(g.rules, 0) DESC, g.as_of DESC, ${values.join(', ')}, r.old_row NULLS LAST,
      r.segment_seq) AS place
    FROM (${rowsSql}) r
    JOIN segments g ON g.seq = r.segment_seq JOIN source_priority p ON p.source = g.source`;
}

/** Returns the datasets with rows, in one statement: one for each dataset costs milliseconds. */
export async function storedDatasets(connection: DuckDBConnection): Promise<Dataset[]> {
  const looks = rowDatasets.map(
    ({ table }) => `(SELECT '${table}' AS "table" FROM ${table} LIMIT 1)`,
  );
  const found = await selectColumn<string>(connection, looks.join(' UNION ALL '));
  const stored = new Set(found);
  return rowDatasets.filter(({ table }) => stored.has(table));
}
