/** Writes small published tables to files. */

import { rm, writeFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { arrowFromTable } from '../../api/responses/arrow-stream.ts';
import { csvFromTable } from '../../api/responses/csv.ts';
import type { Table, TableColumn } from '../../api/responses/table.ts';
import { sqlName, sqlString } from '../../ingest/segments/sql-text.ts';
import type { ExportFormat } from './formats.ts';

const SQL_TYPES: Record<TableColumn['type'], string> = {
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  optionalDate: 'DATE',
  number: 'DOUBLE',
  count: 'DOUBLE',
  text: 'VARCHAR',
  optionalText: 'VARCHAR',
};

/** Writes a table with the content of an API response; Arrow as an IPC file. */
export async function writeTableFile(
  path: string,
  format: ExportFormat,
  table: Table,
): Promise<void> {
  if (format === 'csv') return writeFile(path, csvFromTable(table));
  if (format === 'arrow') {
    return writeFile(path, tableToIPC(tableFromIPC(arrowFromTable(table)), 'file'));
  }
  const csvPath = `${path}.csv`;
  try {
    await writeFile(csvPath, csvFromTable(table));
    await copyToParquet(csvPath, path, table);
  } finally {
    await rm(csvPath, { force: true });
  }
}

/**
 * Converts CSV to Parquet. An empty field is null, as no text is empty; numbers in CSV are exact.
 */
async function copyToParquet(csvPath: string, path: string, table: Table): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const columns = table.map(({ name, type }) => `${sqlName(name)}: '${SQL_TYPES[type]}'`);
  try {
    await connection.run(
      `COPY (SELECT * FROM read_csv(${sqlString(csvPath)}, header = true, delim = ',', quote = '"',
         escape = '"', columns = {${columns.join(', ')}}))
       TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}
