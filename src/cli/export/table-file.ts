/** Writes tables to a file. */

import { arrowFromTable } from '../../api/responses/arrow-stream.ts';
import type { Table } from '../../api/responses/table.ts';
import { csvFromTable } from '../../api/responses/table-response.ts';
import { writeFile } from '../../base/world/file-promises.ts';
import type { WrittenRows } from './file.ts';
import type { ExportFormat } from './formats.ts';

/**
 * Writes tables of the same columns, one after another, with the content of an API response; Arrow
 * as an IPC file.
 */
export async function writeTables(
  path: string,
  format: ExportFormat,
  tables: Iterable<Table>,
): Promise<WrittenRows> {
  const symbols = new Set<string>();
  let rows = 0;
  function* counted(): Generator<Table> {
    for (const table of tables) {
      rows += table[0].values.length;
      const named = table.find(({ name }) => name === 'symbol' || name === 'symbols');
      for (const text of named?.values ?? []) {
        // An article may name several, or none.
        for (const symbol of String(text ?? '').split(' ')) if (symbol) symbols.add(symbol);
      }
      yield table;
    }
  }
  await writeFile(path, await PIECES[format](counted()));
  return { symbols: symbols.size, rows };
}

type Pieces = Iterable<Uint8Array> | Uint8Array;

const PIECES: Record<ExportFormat, (tables: Iterable<Table>) => Promise<Pieces>> = {
  csv: async (tables) => Iterator.from(tables).map((table, i) => csvFromTable(table, i === 0)),
  async parquet(tables) {
    const { parquetPieces } = await import('../../api/responses/parquet.ts');
    return parquetPieces(tables);
  },
  async arrow(tables) {
    const arrow = await import('apache-arrow');
    const [first, ...others] = Array.from(tables, (table) =>
      arrow.tableFromIPC(arrowFromTable(table)),
    );
    return arrow.tableToIPC(first.concat(...others), 'file');
  },
};
