/** `sql`: read-only SQL over a mode's `market.duckdb`. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput, tableLines } from '../output.ts';

interface SqlOptions {
  mode: string;
  json?: boolean;
}

async function runSql(query: string, options: SqlOptions): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const { queryMarket } = await import('../../store/duckdb/connection/query.ts');
  const output = createOutput(options.json === true);
  const paths = modePaths(settings.dataDir, modeFromOption(options.mode));
  const { columns, rows } = await queryMarket(paths, query, (holder) =>
    output.note(`waiting for ${holder}`),
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
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--json', 'print an array of row objects')
    .action(runSql);
}
