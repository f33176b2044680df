/** Records of datasets that are not published as files, as the store has them. */

import { z } from 'zod';
import { tableFromRows } from '../../api/responses/record-pages.ts';
import type { Table } from '../../api/responses/table.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { Dataset } from '../../base/datasets/dataset.ts';
import { jsonValue } from '../../base/datasets/json-values.ts';
import { openMarketForReading } from '../../store/duckdb/connection/open.ts';
import { streamRows } from '../../store/duckdb/rows/read-rows.ts';
import { fieldOf } from '../files/record-lists.ts';

/**
 * Reads all records by symbol, oldest first, under the names of the dataset's file.
 *
 * @param symbols Only these; default: all.
 */
export async function storedTable(
  paths: ModePaths,
  dataset: Dataset,
  symbols: readonly string[] | undefined,
): Promise<Table> {
  using market = await openMarketForReading(paths);
  const { columns } = dataset;
  const records: object[] = [];
  for await (const { rows } of streamRows(market, dataset, symbols)) {
    for (const row of rows) {
      const values = columns.map(({ name, kind }) => [name, jsonValue(kind, row[name])]);
      records.push(Object.fromEntries(values));
    }
  }
  const fields = columns.map((column) => fieldOf(column, !column.isRequired));
  return tableFromRows(records, z.strictObject(Object.fromEntries(fields)), 'date');
}
