/**
 * Finds folders of table formats. They keep the files of removed and replaced rows beside those
 * that count, and only their log says which is which.
 */

import { dirname, join, resolve } from 'node:path';
import { readdir } from '../../base/world/file-promises.ts';

interface TableFormat {
  title: string;
  /** Matches the path of a file of the log; its group is the folder of the table, with a `/`. */
  log: RegExp;
  /** Function of DuckDB that reads the rows that count. */
  scan: string;
}

const FORMATS: readonly TableFormat[] = [
  { title: 'a Delta', log: /^(.*\/)?_delta_log\/[^/]+$/, scan: 'delta_scan' },
  {
    title: 'an Iceberg',
    log: /^(.*\/)?metadata\/(?:v\d+(?:\.gz)?|\d+-[^/]*)\.metadata\.json$/,
    scan: 'iceberg_scan',
  },
];

/**
 * Finds tables among the files of a folder or zip.
 *
 * @param names Paths below the folder, with `/`.
 * @returns the kind of each table and what to do, by its folder, which is empty or ends in `/`.
 */
export function tablesAmong(names: readonly string[]): Map<string, string> {
  const tables = new Map<string, string>();
  for (const name of names) {
    for (const { title, log, scan } of FORMATS) {
      const match = log.exec(name);
      if (match) tables.set(match[1] ?? '', kindOf(title, scan));
    }
  }
  return tables;
}

function kindOf(title: string, scan: string): string {
  return (
    `${title} table, whose folder keeps removed rows too: write the rows that count to one ` +
    `file, such as with DuckDB's COPY (FROM ${scan}('folder')) TO 'bars.parquet', and load that`
  );
}

/** Returns the fault of a path in the folder of a table, whose rows may be removed ones. */
export async function enclosingTable(path: string): Promise<string | undefined> {
  for (let folder = resolve(path); folder !== dirname(folder); ) {
    folder = dirname(folder);
    const names = await Promise.all(['_delta_log', 'metadata'].map((log) => namesIn(folder, log)));
    const kind = tablesAmong(names.flat()).get('');
    if (kind) return `it lies in "${folder}", ${kind}`;
  }
  return undefined;
}

async function namesIn(folder: string, child: string): Promise<string[]> {
  // Most folders have no such child, and one that can't be read decides nothing.
  const names = await readdir(join(folder, child)).catch(() => []);
  return names.map((name) => `${child}/${name}`);
}
