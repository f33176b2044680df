/** Writes Parquet files. DuckDB writes candles while it reads rows from a table function. */

import { rm, writeFile } from 'node:fs/promises';
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  INTEGER,
  TIMESTAMPTZ,
} from '@duckdb/node-api';
import type { Table, TableColumn } from '../../api/responses/table.ts';
import { csvFromTable } from '../../api/responses/table-response.ts';
import type { CandleSeries } from '../../api/routes/candles/series.ts';
import { BASES } from '../../base/bars.ts';
import { limits } from '../../base/limits.ts';
import { sqlName, sqlString } from '../../ingest/segments/sql-text.ts';
import { columnOfChunk } from '../../store/duckdb/connection/chunk-columns.ts';

const CHUNK_ROWS = 2048;

/** Columns of the table function; symbol and adjustment are indexes of lists. */
const COLUMNS = {
  symbol: INTEGER,
  timestamp: TIMESTAMPTZ,
  open: DOUBLE,
  high: DOUBLE,
  low: DOUBLE,
  close: DOUBLE,
  volume: DOUBLE,
  adjustment: INTEGER,
};

/**
 * Writes a Parquet file with the columns of bulk responses. Rows are read on demand, so memory is
 * needed for a row group, not for the file.
 *
 * @param symbols All symbols of `series`.
 * @param hasDates True for bars of whole days, which get a date column.
 * @param indicators Names of the columns of indicators in `series`; NaN becomes null.
 * @throws as reading the series.
 */
export function writeCandlesParquet(
  path: string,
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  hasDates: boolean,
  indicators: readonly string[],
): Promise<void> {
  return withDuckDb((connection) =>
    copyCandles(connection, path, series, symbols, hasDates, indicators),
  );
}

const SQL_TYPES: Record<TableColumn['type'], string> = {
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  optionalDate: 'DATE',
  number: 'DOUBLE',
  count: 'DOUBLE',
  flag: 'BOOLEAN',
  text: 'VARCHAR',
  optionalText: 'VARCHAR',
};

/** Writes a table by way of CSV: an empty field is null, and its numbers are exact. */
export async function writeTableParquet(path: string, table: Table): Promise<void> {
  const csvPath = `${path}.csv`;
  const columns = table.map(({ name, type }) => `${sqlName(name)}: '${SQL_TYPES[type]}'`);
  try {
    await writeFile(csvPath, csvFromTable(table, true));
    await withDuckDb((connection) =>
      connection.run(
        `COPY (SELECT * FROM read_csv(${sqlString(csvPath)}, header = true, delim = ',',
           quote = '"', escape = '"', columns = {${columns.join(', ')}}))
         TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`,
      ),
    );
  } finally {
    await rm(csvPath, { force: true });
  }
}

async function withDuckDb(use: (connection: DuckDBConnection) => Promise<unknown>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: limits.store.duckdbMemory,
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    await use(connection);
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

async function copyCandles(
  connection: DuckDBConnection,
  path: string,
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  hasDates: boolean,
  indicators: readonly string[],
): Promise<void> {
  let failure: unknown;
  const chunks = chunkFiller(series, symbols);
  const served = DuckDBTableFunction.create({
    name: 'served_candles',
    bindFunction(info) {
      for (const [name, type] of Object.entries(COLUMNS)) info.addResultColumn(name, type);
      for (const name of indicators) info.addResultColumn(name, DOUBLE);
    },
    initFunction: (info) => info.setMaxThreads(1),
    mainFunction(info, chunk) {
      try {
        chunks(chunk);
      } catch (error) {
        failure = error;
        info.setError(String(error));
      }
    },
  });
  connection.registerTableFunction(served);
  const list = (values: readonly string[]) => `[${values.map(sqlString).join(', ')}]`;
  await connection.run(`SET VARIABLE symbols = ${list(symbols)}`);
  const date = hasDates ? 'make_timestamp(epoch_us(timestamp))::DATE AS date, ' : '';
  const values = indicators.map((name) => `, nullif(${sqlName(name)}, 'NaN') AS ${sqlName(name)}`);
  const copied = connection.run(
    `COPY (
       SELECT getvariable('symbols')[symbol + 1] AS symbol, timestamp,
         ${date}open, high, low, close, volume,
         ${list(BASES)}[adjustment + 1] AS adjustment${values.join('')}
       FROM served_candles())
     TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`,
  );
  await copied.catch((error) => {
    throw failure ?? error;
  });
}

/** Builds a function that fills one chunk a call; an empty chunk ends the rows. */
function chunkFiller(
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
): (chunk: DuckDBDataChunk) => void {
  const codes = new Map(symbols.map((symbol, code) => [symbol, code]));
  const parts = partsOf(series);
  return (chunk) => {
    const next = parts.next();
    if (next.done) {
      chunk.rowCount = 0;
      return;
    }
    const { one, start, end } = next.value;
    chunk.rowCount = end - start;
    columnOfChunk<Int32Array>(chunk, 0).fill(codes.get(one.symbol)!);
    one.copyRows(start, end, {
      timestampUs: columnOfChunk(chunk, 1),
      open: columnOfChunk(chunk, 2),
      high: columnOfChunk(chunk, 3),
      low: columnOfChunk(chunk, 4),
      close: columnOfChunk(chunk, 5),
      volume: columnOfChunk(chunk, 6),
    });
    columnOfChunk<Int32Array>(chunk, 7).fill(BASES.indexOf(one.adjustment));
    for (const [i, values] of one.indicators.entries()) {
      columnOfChunk<Float64Array>(chunk, 8 + i).set(values.subarray(start, end));
    }
    for (let column = 0; column < chunk.columnCount; column++) {
      chunk.getColumnVector(column).flush();
    }
  };
}

/** Splits each series into row ranges [start, end) of at most a chunk. */
function* partsOf(
  series: Iterable<CandleSeries>,
): Generator<{ one: CandleSeries; start: number; end: number }> {
  for (const one of series) {
    for (let start = 0; start < one.rowCount; start += CHUNK_ROWS) {
      yield { one, start, end: Math.min(start + CHUNK_ROWS, one.rowCount) };
    }
    one.release?.();
  }
}
