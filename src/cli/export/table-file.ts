/** Writes a table to a file. */

import { writeFile } from 'node:fs/promises';
import { arrowFromTable } from '../../api/responses/arrow-stream.ts';
import type { Table } from '../../api/responses/table.ts';
import { csvFromTable } from '../../api/responses/table-response.ts';
import type { ExportFormat } from './formats.ts';

/** Writes a table with the content of an API response; Arrow as an IPC file. */
export async function writeTable(path: string, format: ExportFormat, table: Table): Promise<void> {
  if (format === 'csv') return writeFile(path, csvFromTable(table));
  if (format === 'parquet') {
    const { parquetPieces } = await import('../../api/responses/parquet.ts');
    return writeFile(path, parquetPieces([table]));
  }
  const { tableFromIPC, tableToIPC } = await import('apache-arrow');
  await writeFile(path, tableToIPC(tableFromIPC(arrowFromTable(table)), 'file'));
}
