/** `sql`: read-only SQL over a mode's `market.duckdb`. */

import type { Command } from 'commander';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';

async function runSql(query: string, options: ModeOptions): Promise<void> {
  const { output, paths, settings } = openVerb(options);
  const [{ queryMarket }, { addServedTables }] = await Promise.all([
    import('../../store/duckdb/connection/query.ts'),
    import('./served-tables.ts'),
  ]);
  const { columns, rows } = await queryMarket(paths, query, output.onWaiting, (connection) =>
    addServedTables(connection, query, settings.dataDir, options.mode),
  );
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
