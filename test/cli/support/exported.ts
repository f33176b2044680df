/** A small sandbox to export from, and what DuckDB reads in a file. */

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll } from 'vitest';
import { contractFolder } from '../../contract/contract-market.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

export interface ExportFolder {
  folder: CliFolder;
  outDir: string;
  /** Path of a file to export to. */
  out(name: string): string;
  /** Symbols with candles, ascending. */
  symbols(): readonly string[];
  /** Exports from the sandbox and gives the report. */
  exported(
    dataset: string,
    format: string,
    name: string,
    ...options: string[]
  ): Promise<ParsedJson>;
}

/** A folder whose sandbox is filled before the tests and removed after them. */
export function useExportFolder(): ExportFolder {
  const folder = createCliFolder();
  const outDir = join(folder.dataDir, 'out');
  const out = (name: string) => join(outDir, name);
  let symbols: readonly string[] = [];
  beforeAll(async () => {
    mkdirSync(outDir);
    cpSync(await contractFolder(), folder.dataDir, { recursive: true });
    const sql = 'SELECT DISTINCT symbol FROM candles ORDER BY 1';
    const rows: { symbol: string }[] = await folder.json('sql', sql, '--mode', 'sandbox');
    symbols = rows.map(({ symbol }) => symbol);
  });
  afterAll(() => folder.remove());
  return {
    folder,
    outDir,
    out,
    symbols: () => symbols,
    exported: (dataset, format, name, ...options) =>
      folder.json(
        ...['export', dataset, '--mode', 'sandbox', '--format', format, '--out', out(name)],
        ...options,
      ),
  };
}

/** Runs `sql` in DuckDB; `$1` is the path of a file. */
export async function duckdbRows(sql: string, path: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql, [path]);
  const rows = reader.getRowObjectsJS();
  connection.disconnectSync();
  instance.closeSync();
  return rows;
}
