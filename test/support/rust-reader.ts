/** Reads Parquet files with the reader of Rust, which refuses files that all others forgive. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from './folders.ts';
import { pythonJson } from './python.ts';
import { rustPython } from './tools.ts';

export interface RustTable {
  rows: number;
  /** Name and type of each, `close: Float64`, with the names of types that Arrow has in Rust. */
  columns: string[];
}

const READ = `
import json, sys
import arro3.io
def table_of(path):
    try:
        table = arro3.io.read_parquet(path).read_all()
    except BaseException as error:
        return str(error)
    columns = [line for line in str(table.schema).split('\\n') if ': ' in line]
    # Of a text column without the type STRING a filter over a Delta table finds no row.
    bytes = [line for line in columns if 'Binary' in line]
    return 'not text: ' + ', '.join(bytes) if bytes else {'rows': table.num_rows, 'columns': columns}
print(json.dumps([table_of(path) for path in sys.argv[1:]]))
`;

/** Returns what each file holds, or the error that reading it gives. */
export async function rustTables(
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Record<string, RustTable | string>> {
  const folder = freshFolder();
  const paths = Object.values(files).map((bytes, i) => {
    const path = join(folder, `${i}.parquet`);
    writeFileSync(path, bytes);
    return path;
  });
  const tables = await pythonJson<(RustTable | string)[]>(rustPython!, READ, paths);
  return Object.fromEntries(Object.keys(files).map((name, i) => [name, tables[i]]));
}
