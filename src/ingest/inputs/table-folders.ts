/**
 * Finds folders of table formats. They keep the files of removed and replaced rows beside those
 * that count, and only their log says which is which.
 */

import { basename, dirname, join, resolve } from 'node:path';
import { readdir } from '../../base/world/file-promises.ts';

interface TableFormat {
  title: string;
  /** Matches the path of a file of the log; its group is the folder of the table, with a `/`. */
  log: RegExp;
  /** Reads the rows that count. */
  with: string;
}

const copyOf = (scan: string) => `DuckDB's COPY (FROM ${scan}('folder')) TO 'bars.parquet'`;

const FORMATS: readonly TableFormat[] = [
  { title: 'a Delta', log: /^(.*\/)?_delta_log\/[^/]+$/, with: copyOf('delta_scan') },
  {
    title: 'an Iceberg',
    log: /^(.*\/)?metadata\/(?:v\d+(?:\.gz)?|\d+-[^/]*)\.metadata\.json$/,
    with: copyOf('iceberg_scan'),
  },
  { title: 'a Hudi', log: /^(.*\/)?\.hoodie\/[^/]+$/, with: 'Spark' },
  {
    title: 'a DuckLake',
    // Its log is a database elsewhere.
    log: /^(.*\/)?ducklake-[0-9a-f-]{36}(?:-delete)?\.parquet$/,
    with: `DuckDB's ATTACH 'ducklake:…'`,
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
    for (const { title, log, with: tool } of FORMATS) {
      const match = log.exec(name);
      if (match) tables.set(match[1] ?? '', kindOf(title, tool));
    }
  }
  return tables;
}

function kindOf(title: string, tool: string): string {
  return (
    `${title} table, whose folder keeps removed rows too: write the rows that count to one ` +
    `file, such as with ${tool}, and load that`
  );
}

/** Returns the fault of a path in the folder of a table, whose rows may be removed ones. */
export async function enclosingTable(path: string): Promise<string | undefined> {
  const own = tablesAmong([basename(path)]).get('');
  if (own) return `it is of ${own}`;
  for (let folder = resolve(path); folder !== dirname(folder); ) {
    folder = dirname(folder);
    const names = await Promise.all(
      ['_delta_log', 'metadata', '.hoodie'].map((log) => namesIn(folder, log)),
    );
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
