/** Ranks rows with the same key. */

import type { Dataset } from '../../../base/datasets/datasets.ts';
import { keySql, tableColumns } from './dataset-table.ts';

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
 * Returns SQL of rows with their `place` among those with the same key: 1 wins. The row of the best
 * source wins; within a source the newest as-of; then the greatest values, so that the order of
 * loads does not count.
 *
 * @param rowsSql Gives `old_row` (null for rows that are not stored yet), `segment_seq` and `keyed`.
 */
export function rankedSql(dataset: Dataset, rowsSql: string): string {
  const values = tableColumns(dataset).map(({ column }) => `r.${column} DESC NULLS LAST`);
  return `SELECT r.*, row_number() OVER (PARTITION BY ${keyColumns(dataset).join(', ')}
      ORDER BY p.priority, g.as_of DESC, ${values.join(', ')}, r.old_row NULLS LAST,
      r.segment_seq) AS place
    FROM (${rowsSql}) r
    JOIN segments g ON g.seq = r.segment_seq JOIN source_priority p ON p.source = g.source`;
}
