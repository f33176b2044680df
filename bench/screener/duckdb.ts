/** DuckDB's prepared statements for the screener's benchmark. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SCREENER_TEXTS } from '../../src/base/fields.ts';
import { type Bounds, NUMBERS, type ScreenerRow, type Shape } from './shapes.ts';

/** A table in memory. An answer has only the symbols of a page, without the total. */
export async function openDuckdb(rows: readonly ScreenerRow[]) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await fillTable(connection, rows);
  return {
    async prepare({ sql, sort, direction, limit }: Shape) {
      const statement = await connection.prepare(`SELECT symbol FROM universe WHERE ${sql}
        ORDER BY "${sort}" ${direction} NULLS LAST, symbol LIMIT ${limit}`);
      return async (bounds: Bounds) => {
        if (statement.parameterCount > 0) statement.bind(bounds);
        const reader = await statement.runAndReadAll();
        return reader.getColumns()[0] as string[];
      };
    },
    [Symbol.dispose]() {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}

async function fillTable(connection: DuckDBConnection, rows: readonly ScreenerRow[]) {
  const numbers = NUMBERS.map((name) => `"${name}" DOUBLE`);
  const texts = SCREENER_TEXTS.map((name) => `${name} VARCHAR`);
  await connection.run(
    `CREATE TABLE universe (symbol VARCHAR, ${[...numbers, ...texts].join(', ')})`,
  );
  const appender = await connection.createAppender('universe');
  for (const row of rows) {
    appender.appendVarchar(row.symbol);
    for (const name of NUMBERS) {
      if (Number.isNaN(row[name])) appender.appendNull();
      else appender.appendDouble(row[name]);
    }
    for (const name of SCREENER_TEXTS) {
      if (row[name] === '') appender.appendNull();
      else appender.appendVarchar(row[name]);
    }
    appender.endRow();
  }
  appender.closeSync();
}
