/** Bars of a load next to the stored ones of the same symbols, for checks of files of daily bars. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { jsonTable, selectColumn, selectRows } from '../connection/sql-rows.ts';
import { type NewRows, REPLACED_SQL } from './replaced-bars.ts';

/** Symbols that are read first, so that a file of all symbols costs no scan of their bars. */
const SAMPLE_SIZE = 32;

/**
 * Returns common tables `newer` and `older`: bars of the load, and the stored ones, also those that
 * it replaces, of the symbols of a `jsonTable` parameter.
 * @param columns Of bars `b`.
 */
export function besideSql({ interval, firstFileId, isMerged }: NewRows, columns: string): string {
  const { bars } = barTable(interval);
  const asked = jsonTable({ symbol: 'VARCHAR' });
  const served = `(FROM winners WHERE interval = '${interval}')`;
  const barsOf = (pieces: string, rowsSql: string, isOfSide: string) => `
    SELECT p.symbol, ${columns} FROM ${pieces} p SEMI JOIN ${asked} USING (symbol)
    JOIN ${rowsSql} b ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts
    WHERE b.file_id ${isOfSide} ${firstFileId}`;
  const replaced = isMerged ? `UNION ALL ${barsOf(served, `(${REPLACED_SQL})`, '<')}` : '';
  return `newer AS (${barsOf(served, bars, '>=')}),
    older AS (${barsOf(isMerged ? served : 'previous_winners', bars, '<')} ${replaced})`;
}

/**
 * Returns `FROM` served bars `b` of symbols, a `jsonTable` parameter, with their `winners` as `w`. The
 * optimizer counts no rows of its own transaction, and would hold all bars of a first load in memory
 * to join them: the numbers of series leave few.
 */
export async function fromServedSql(
  connection: DuckDBConnection,
  interval: StoredInterval,
  symbols: readonly string[],
): Promise<string> {
  const winners = `(FROM winners SEMI JOIN ${jsonTable({ symbol: 'VARCHAR' })} USING (symbol)
    WHERE interval = '${interval}')`;
  const ids = await selectColumn(connection, `SELECT DISTINCT series_id FROM ${winners}`, [
    symbolList(symbols),
  ]);
  const rows = `(FROM ${barTable(interval).bars} WHERE series_id IN (${[...ids, 'NULL']}))`;
  return `FROM ${winners} w JOIN ${rows} b
    ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts`;
}

/** Returns the symbols, each once, that may have bars before the load: few of a first load. */
export async function storedSymbols(
  connection: DuckDBConnection,
  { isMerged }: NewRows,
  symbols: readonly string[],
): Promise<readonly string[]> {
  const once = [...new Set(symbols)];
  if (isMerged) return once;
  return selectColumn<string>(
    connection,
    `SELECT DISTINCT symbol FROM previous_winners
     SEMI JOIN ${jsonTable({ symbol: 'VARCHAR' })} USING (symbol) ORDER BY symbol`,
    [symbolList(once)],
  );
}

/**
 * Reads rows of all symbols, if those of a sample make it likely that they are needed.
 * @param sql With `besideSql`, whose parameter it gets.
 */
export async function readSampled<T extends object>(
  connection: DuckDBConnection,
  sql: string,
  symbols: readonly string[],
  isFound: (rows: readonly T[]) => boolean,
): Promise<T[]> {
  if (symbols.length === 0) return [];
  const read = (asked: readonly string[]) => selectRows<T>(connection, sql, [symbolList(asked)]);
  const step = Math.ceil(symbols.length / SAMPLE_SIZE);
  if (step > 1 && !isFound(await read(symbols.filter((_, at) => at % step === 0)))) return [];
  return read(symbols);
}

export function symbolList(symbols: readonly string[]): string {
  return JSON.stringify(symbols.map((symbol) => ({ symbol })));
}
