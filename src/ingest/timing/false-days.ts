/** Finds dates of files that daily bars cannot have, by all rows of their symbols. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { DayFault } from './settle-days.ts';

/**
 * Returns why days of a symbol in a file, in rising order, are none of daily bars.
 * @param isOfFile True for the days of all symbols together, which few dates judge.
 */
export type FaultsOfDays = (
  index: number,
  days: readonly number[],
  isOfFile: boolean,
) => readonly DayFault[];

/**
 * Judges the dates of files with unproven symbols: of the whole file first, since symbols with a few
 * dates show nothing and are written as the others of their file, then of the symbols themselves.
 * @param rowsSql SELECT giving (file INTEGER, key VARCHAR, ts TIMESTAMP).
 * @returns what `faultsOfDays` gives, without `key` for whole files.
 */
export async function findFalseDays(
  connection: DuckDBConnection,
  rowsSql: string,
  unproven: readonly { file: number; key: string }[],
  faultsOfDays: FaultsOfDays,
): Promise<(DayFault & { file: number; key?: string })[]> {
  const faultsOf = (all: readonly SymbolDays[]) =>
    all.flatMap(({ file, key, days }) =>
      faultsOfDays(file, days, key === undefined).map((fault) => ({ file, key, ...fault })),
    );
  const files = [...new Set(unproven.map(({ file }) => file))].map((file) => ({ file }));
  const whole = faultsOf(await readDays(connection, rowsSql, 'file', files));
  const refused = new Set(whole.map(({ file }) => file));
  const others = unproven.filter(({ file }) => !refused.has(file));
  return [...whole, ...faultsOf(await readDays(connection, rowsSql, 'file, key', others))];
}

/** Dates of a symbol of a file, or of all its symbols, in rising order. */
interface SymbolDays {
  file: number;
  key?: string;
  days: number[];
}

/** Reads the dates of many in one pass, because each pass takes all rows. */
async function readDays(
  connection: DuckDBConnection,
  rowsSql: string,
  by: 'file' | 'file, key',
  wanted: readonly { file: number; key?: string }[],
): Promise<SymbolDays[]> {
  if (wanted.length === 0) return [];
  return selectRows<SymbolDays>(
    connection,
    `SELECT ${by}, list(day ORDER BY day) AS days
     FROM (SELECT DISTINCT ${by}, (epoch(ts) / 86400)::INTEGER AS day
       FROM (FROM (${rowsSql}) WHERE ts IS NOT NULL)
       SEMI JOIN ${jsonTable({ file: 'INTEGER', key: 'VARCHAR' })} USING (${by}))
     GROUP BY ${by}`,
    [JSON.stringify(wanted.map(({ file, key = '' }) => ({ file, key })))],
  );
}
