/** Records of datasets that are not published as files, as the store has them. */

import type { Table, TableColumn } from '../../api/responses/table.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { ColumnKind, Dataset, DatasetRow, DatasetValue } from '../../base/datasets/dataset.ts';
import { NULL_INT, NULL_MICROS } from '../../store/arrow/format/batch-layout.ts';
import { openMarketForReading } from '../../store/duckdb/connection/open.ts';
import { streamRows } from '../../store/duckdb/rows/read-rows.ts';

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
  const records: DatasetRow[] = [];
  for await (const { rows } of streamRows(market, dataset, symbols)) records.push(...rows);
  return dataset.columns.map(({ name, kind, isRequired }) => {
    const values = records.map((record) => record[name]);
    return isRequired ? known(name, kind, values) : nullable(name, kind, values);
  });
}

const numbersOf = (values: readonly DatasetValue[]) =>
  Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));

const microsOf = (values: readonly DatasetValue[]) =>
  BigInt64Array.from(values, (value) =>
    value === null ? NULL_MICROS : BigInt(Number(value)) * 1000n,
  );

function nullable(name: string, kind: ColumnKind, values: readonly DatasetValue[]): TableColumn {
  if (kind === 'number' || kind === 'integer') {
    return { name, type: kind, values: numbersOf(values) };
  }
  if (kind === 'date') {
    const days = Int32Array.from(values, (value) => (value === null ? NULL_INT : Number(value)));
    return { name, type: 'optionalDate', values: days };
  }
  if (kind === 'moment') return { name, type: 'optionalTimestamp', values: microsOf(values) };
  const texts = values.map((value) => (value === null ? null : textOf(kind, value)));
  return { name, type: 'optionalText', values: texts };
}

function known(name: string, kind: ColumnKind, values: readonly DatasetValue[]): TableColumn {
  if (kind === 'date') return { name, type: 'date', values: Int32Array.from(values, Number) };
  if (kind === 'moment') return { name, type: 'timestamp', values: microsOf(values) };
  if (kind === 'number' || kind === 'integer') return nullable(name, kind, values);
  return { name, type: 'text', values: values.map((value) => textOf(kind, value)) };
}

function textOf(kind: ColumnKind, value: DatasetValue): string {
  if (kind === 'moment') return new Date(Number(value)).toISOString();
  return Array.isArray(value) ? value.join(' ') : String(value);
}
