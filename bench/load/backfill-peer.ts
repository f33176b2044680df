/**
 * Child process: DuckDB's own load of the candle files of a folder into a database file, on two
 * threads. Columns are named and typed, which is its fastest way. Prints `PeerResult` as JSON.
 */

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface PeerResult {
  rowCount: number;
  /** Time of the statement and of closing the database file. */
  loadMs: number;
}

const [folder, databasePath] = process.argv.slice(2);
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile() && statSync(path).size > 0);
const columns = headerOf(paths[0]).map((name) => {
  const type = name === 'Date' ? 'DATE' : 'DOUBLE';
  return `'${name}': '${type}'`;
});
const files = paths.map((path) => `'${path.replaceAll("'", "''")}'`);

const startMs = performance.now();
const instance = await DuckDBInstance.create(databasePath, { threads: '2' });
const connection = await instance.connect();
await connection.run(`CREATE TABLE candles AS SELECT * FROM read_csv([${files.join(', ')}],
  columns = {${columns.join(', ')}}, header = true, auto_detect = false, delim = ',')`);
const counted = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM candles');
connection.disconnectSync();
instance.closeSync();
const result: PeerResult = {
  rowCount: Number(counted.getRowsJS()[0][0]),
  loadMs: performance.now() - startMs,
};
console.log(JSON.stringify(result));

function headerOf(path: string): string[] {
  const start = Buffer.alloc(1024);
  const file = openSync(path, 'r');
  readSync(file, start);
  closeSync(file);
  return start.toString('latin1').split('\n', 1)[0].trim().split(',');
}
