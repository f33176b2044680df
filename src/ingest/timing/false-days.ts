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
 * @param isDaily Returns true for a file with a symbol of daily bars over all of its dates: the file
 *   has no even steps then that this symbol has not.
 * @returns what `faultsOfDays` gives, without `key` for whole files.
 */
export async function findFalseDays(
  days: DaysReader,
  unproven: readonly SymbolOfFile[],
  faultsOfDays: FaultsOfDays,
  isDaily: (file: number) => boolean = () => false,
): Promise<(DayFault & { file: number; key?: string })[]> {
  const faultsOf = (all: readonly SymbolDays[]) =>
    all.flatMap(({ file, key, days }) =>
      faultsOfDays(file, days, key === undefined).map((fault) => ({ file, key, ...fault })),
    );
  const ofSymbols = async (own: readonly SymbolOfFile[]) => {
    const faults: ReturnType<typeof faultsOf> = [];
    if (own.length === 0) return faults;
    for await (const some of days.ofSymbols(own)) faults.push(...faultsOf(some));
    return faults;
  };
  const [daily, open] = [true, false].map((is) =>
    unproven.filter(({ file }) => isDaily(file) === is),
  );
  const single = await ofSymbols(daily);
  const doubtful = new Set(single.map(({ file }) => file));
  const files = new Set(open.map(({ file }) => file)).union(doubtful);
  const whole = files.size === 0 ? [] : faultsOf(await days.ofFiles([...files]));
  const refused = new Set(whole.map(({ file }) => file));
  const isLeft = ({ file }: { file: number }) => !refused.has(file);
  return [...whole, ...single.filter(isLeft), ...(await ofSymbols(open.filter(isLeft)))];
}

export interface SymbolOfFile {
  file: number;
  key: string;
}

/** Dates of a symbol of a file, or of all its symbols, each once and in rising order. */
export interface SymbolDays {
  file: number;
  key?: string;
  days: number[];
}

export interface DaysReader {
  ofFiles(files: readonly number[]): Promise<SymbolDays[]>;
  /** Yields some symbols at a time, since the dates of all would fill the memory. */
  ofSymbols(symbols: readonly SymbolOfFile[]): AsyncIterable<SymbolDays[]>;
}

/** @param rowsSql SELECT giving (file INTEGER, key VARCHAR, ts TIMESTAMP). */
export function daysReader(connection: DuckDBConnection, rowsSql: string): DaysReader {
  const read = (by: 'file' | 'file, key', wanted: readonly { file: number; key?: string }[]) =>
    readDays(connection, rowsSql, by, wanted);
  return {
    ofFiles: (files) =>
      read(
        'file',
        files.map((file) => ({ file })),
      ),
    async *ofSymbols(symbols) {
      yield await read('file, key', symbols);
    },
  };
}

/** Reads the dates of many in one pass, because each pass takes all rows. */
async function readDays(
  connection: DuckDBConnection,
  rowsSql: string,
  by: 'file' | 'file, key',
  wanted: readonly { file: number; key?: string }[],
): Promise<SymbolDays[]> {
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
