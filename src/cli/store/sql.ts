/** `sql`: read-only SQL over a mode's `market.duckdb`. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Command } from 'commander';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';

/** Tables of what the API serves, which a query gets by naming them. */
const SERVED_TABLES = ['quotes', 'latest_indicators', 'screener'] as const;

async function runSql(query: string, options: ModeOptions): Promise<void> {
  const { output, paths, settings } = openVerb(options);
  const { queryMarket } = await import('../../store/duckdb/connection/query.ts');
  const named = SERVED_TABLES.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(query));
  const prepare = async (connection: DuckDBConnection) => {
    if (named.length === 0) return;
    const { addServedTables } = await import('./served-tables.ts');
    await addServedTables(connection, named, settings.dataDir, options.mode);
  };
  const { columns, rows } = await queryMarket(paths, query, output.onWaiting, prepare);
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  output.result(rows, tableLines([columns, ...cells]));
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function registerSql(program: Command): void {
  program
    .command('sql')
    .description('run a read-only SQL query on the store (works while the server runs)')
    .argument('<query>', 'one SELECT statement')
    .addOption(modeOption())
    .option('--json', 'print an array of row objects')
    .action(runSql);
}
