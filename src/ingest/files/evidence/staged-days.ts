/** Reads the dates of symbols from staged daily rows, of which each symbol's lie together. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { selectColumn } from '../../../store/duckdb/connection/sql-rows.ts';
import { sqlFile } from '../../segments/sql-text.ts';
import { type DaysReader, daysReader, type SymbolDays } from '../../timing/false-days.ts';
import { keyOf } from './closed-symbols.ts';

/** Symbols that are read by the places of their rows. */
const SINGLES_MAX = 50;
const DAY_US = 86_400_000_000;

interface PlacedSymbol {
  file: number;
  key: string;
  /** Place of its first row, from 0 on. */
  firstRow: number;
  rowCount: number;
}

/** @param path Parquet file of (file_index, symbol_text, ts). */
export function stagedDaysReader(
  connection: DuckDBConnection,
  path: string,
  symbols: readonly PlacedSymbol[],
): DaysReader {
  const rows = `SELECT file_index AS file, symbol_text AS key, ts FROM read_parquet(${sqlFile(path)})`;
  const whole = daysReader(connection, rows);
  const places = new Map(symbols.map((symbol) => [keyOf(symbol), symbol]));
  const timesOf = (firstRow: number, rowCount: number) =>
    selectColumn<number>(
      connection,
      `SELECT coalesce(epoch_us(ts)::DOUBLE, 'nan'::DOUBLE)
       FROM read_parquet(${sqlFile(path)}, file_row_number = true)
       WHERE file_row_number BETWEEN ${firstRow} AND ${firstRow + rowCount - 1}`,
    );
  return {
    ofFiles: whole.ofFiles,
    async ofSymbols(wanted) {
      if (wanted.length > SINGLES_MAX) return whole.ofSymbols(wanted);
      const found: SymbolDays[] = [];
      for (const run of runsOf(wanted.map((symbol) => places.get(keyOf(symbol))!))) {
        const rowCount = run.reduce((sum, one) => sum + one.rowCount, 0);
        const times = await timesOf(run[0].firstRow, rowCount);
        for (const symbol of run) {
          const from = symbol.firstRow - run[0].firstRow;
          found.push(daysOf(symbol, times.slice(from, from + symbol.rowCount)));
        }
      }
      return found;
    },
  };
}

/** Runs of symbols whose rows follow one another. */
function runsOf(symbols: readonly PlacedSymbol[]): PlacedSymbol[][] {
  const runs: PlacedSymbol[][] = [];
  let end: number | undefined;
  for (const symbol of symbols.toSorted((a, b) => a.firstRow - b.firstRow)) {
    if (symbol.firstRow === end) runs.at(-1)!.push(symbol);
    else runs.push([symbol]);
    end = symbol.firstRow + symbol.rowCount;
  }
  return runs;
}

/** @param times Microseconds of its rows, which mostly rise; NaN for rows without a date. */
function daysOf({ file, key }: PlacedSymbol, times: readonly number[]): SymbolDays {
  const days: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let isRising = true;
  for (const us of times) {
    if (Number.isNaN(us)) continue;
    const day = us / DAY_US;
    if (day <= last) isRising = false;
    last = day;
    days.push(day);
  }
  return { file, key, days: isRising ? days : [...new Set(days)].sort((a, b) => a - b) };
}
