/** Tables for `sql` of what the API serves: quotes, newest indicators, rows of the screener. */

import {
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBTableFunction,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  TIMESTAMP,
  VARCHAR,
} from '@duckdb/node-api';
import { snakeCase } from '../../api/mcp/tools/tables.ts';
import type { Table, TableColumn } from '../../api/responses/table.ts';
import { tableFromQuotes } from '../../api/routes/quotes/route.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { NULL_INT, NULL_MICROS } from '../../store/arrow/format/batch-layout.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { openForReading } from '../export/file.ts';
import { requestFromOptions, screenVersion } from '../screen/run.ts';

/** Rows of a chunk, which DuckDB fixes. */
const CHUNK_ROWS = 2048;

const TABLES: Record<string, (version: PublishedVersion) => Table> = {
  quotes: (version) =>
    tableFromQuotes(version.symbols.flatMap((symbol) => version.quote(symbol) ?? [])),
  latest_indicators: newestIndicators,
  screener: (version) =>
    screenVersion(
      version,
      requestFromOptions({ where: undefined }),
      Number.MAX_SAFE_INTEGER,
    ).table(),
};

/**
 * Adds temporary tables of one published version. The store stays as it is.
 *
 * @param names Keys of `TABLES`.
 *
 * @throws {StoreMissingError} nothing is published in the mode.
 */
export async function addServedTables(
  connection: DuckDBConnection,
  names: readonly string[],
  dataDir: string,
  mode: Mode,
): Promise<void> {
  using version = openForReading(dataDir, mode);
  for (const name of names) {
    connection.registerTableFunction(tableFunction(`served_${name}`, TABLES[name](version)));
    await connection.run(`CREATE TEMP TABLE ${name} AS SELECT * FROM served_${name}()`);
  }
}

/** Returns the published columns of each symbol's newest daily bar. */
function newestIndicators(version: PublishedVersion): Table {
  const { symbols, indicatorColumns } = version;
  const rows = symbols.flatMap((symbol) => {
    const end = version.rowCount(symbol, '1d');
    if (end === 0) return [];
    const range = { start: end - 1, end };
    const { timestampUs } = version.bars(symbol, '1d', range);
    const values = version.indicators(symbol, '1d', indicatorColumns, range);
    return [{ symbol, day: Number(timestampUs[0] / 86_400_000_000n), values }];
  });
  return [
    { name: 'symbol', type: 'text', values: rows.map(({ symbol }) => symbol) },
    { name: 'date', type: 'date', values: Int32Array.from(rows, ({ day }) => day) },
    ...indicatorColumns.map((name, i): TableColumn => {
      return {
        name,
        type: 'number',
        values: Float64Array.from(rows, ({ values }) => values[i][0]),
      };
    }),
  ];
}

function tableFunction(name: string, table: Table): DuckDBTableFunction {
  const columns = table.map((column) => ({
    name: snakeCase(column.name),
    ...duckdbColumn(column),
  }));
  const rowCount = columns[0].values.length;
  let row = 0;
  return DuckDBTableFunction.create({
    name,
    bindFunction(info) {
      for (const { name: column, type } of columns) info.addResultColumn(column, type);
    },
    initFunction: (info) => info.setMaxThreads(1),
    mainFunction(_info, chunk) {
      const end = Math.min(row + CHUNK_ROWS, rowCount);
      chunk.rowCount = end - row;
      if (end > row) chunk.setColumns(columns.map(({ values }) => values.slice(row, end)));
      row = end;
    },
  });
}

function duckdbColumn(column: TableColumn): { type: DuckDBType; values: DuckDBValue[] } {
  switch (column.type) {
    case 'timestamp':
    case 'optionalTimestamp': {
      const moment = (us: bigint) => (us === NULL_MICROS ? null : new DuckDBTimestampValue(us));
      return { type: TIMESTAMP, values: Array.from(column.values, moment) };
    }
    case 'date':
    case 'optionalDate': {
      const date = (day: number) => (day === NULL_INT ? null : new DuckDBDateValue(day));
      return { type: DATE, values: Array.from(column.values, date) };
    }
    case 'text':
    case 'optionalText':
      return { type: VARCHAR, values: [...column.values] };
    default:
      return {
        type: DOUBLE,
        values: Array.from(column.values, (v) => (Number.isNaN(v) ? null : v)),
      };
  }
}
