/**
 * Child process: DuckDB's own load of a file, or of the files of a folder, into a database file, on
 * two threads. Columns of CSV files in our own layout are named and typed, which is its fastest
 * way; it finds out those of other files. Prints `DuckdbLoad` as JSON.
 */

import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { monotonicMs } from '../../../src/base/world/clock.ts';
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from '../../../src/base/world/files.ts';
import { process } from '../../../src/base/world/process.ts';

export interface DuckdbLoad {
  rowCount: number;
  /** Time of the statement and of closing the database file. */
  loadMs: number;
}

const TYPES: Readonly<Record<string, string>> = {
  Date: 'DATE',
  ...{ Open: 'DOUBLE', High: 'DOUBLE', Low: 'DOUBLE', Close: 'DOUBLE' },
  ...{ Volume: 'DOUBLE', OpenInt: 'DOUBLE' },
  Symbol: 'VARCHAR',
};

const [input, databasePath] = process.argv.slice(2);
const names = statSync(input).isFile()
  ? [input]
  : readdirSync(input, { recursive: true, encoding: 'utf8' }).map((name) => join(input, name));
const paths = names.filter((path) => statSync(path).isFile() && statSync(path).size > 0);
const files = `[${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')}]`;

/** Returns the call of the function that reads the files. */
function readCall(): string {
  if (paths[0].endsWith('.parquet')) return `read_parquet(${files})`;
  const header = headerOf(paths[0]);
  if (!header.every((name) => Object.hasOwn(TYPES, name))) {
    return `read_csv(${files}, union_by_name = true)`;
  }
  const columns = header.map((name) => `'${name}': '${TYPES[name]}'`);
  return `read_csv(${files}, columns = {${columns.join(', ')}}, header = true,
    auto_detect = false, delim = ',')`;
}

const startMs = monotonicMs();
const instance = await DuckDBInstance.create(databasePath, { threads: '2' });
const connection = await instance.connect();
await connection.run(`CREATE TABLE candles AS SELECT * FROM ${readCall()}`);
const counted = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM candles');
connection.disconnectSync();
instance.closeSync();
const result: DuckdbLoad = {
  rowCount: Number(counted.getRowsJS()[0][0]),
  loadMs: monotonicMs() - startMs,
};
console.log(JSON.stringify(result));

function headerOf(path: string): string[] {
  const start = Buffer.alloc(1024);
  const file = openSync(path, 'r');
  readSync(file, start);
  closeSync(file);
  return start.toString('latin1').split('\n', 1)[0].trim().split(',');
}
