/** Reads the dates of symbols from staged daily rows, of which each symbol's lie together. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { selectColumn } from '../../../store/duckdb/connection/sql-rows.ts';
import { sqlFile } from '../../segments/sql-text.ts';
import { type DaysReader, daysReader, type SymbolDays } from '../../timing/false-days.ts';
import { keyOf } from './closed-symbols.ts';

/** Rows that are read together, and rows of other symbols that are read with them. */
const RUN_ROWS_MAX = 200_000;
const GAP_ROWS_MAX = 100_000;

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
  const file = `read_parquet(${sqlFile(path)}, file_row_number = true)`;
  const rows = `SELECT file_index AS file, symbol_text AS key, ts FROM ${file}`;
  const places = new Map(symbols.map((symbol) => [keyOf(symbol), symbol]));
  return {
    ofFiles: daysReader(connection, rows).ofFiles,
    async *ofSymbols(wanted) {
      for (const run of runsOf(wanted.map((symbol) => places.get(keyOf(symbol))!))) {
        const { firstRow } = run[0];
        const dates = await selectColumn<number | null>(
          connection,
          `SELECT floor(epoch(ts) / 86400)::INTEGER FROM ${file}
           WHERE file_row_number BETWEEN ${firstRow} AND ${endOf(run.at(-1)!) - 1}`,
        );
        yield run.map((symbol) =>
          daysOf(symbol, dates.slice(symbol.firstRow - firstRow, endOf(symbol) - firstRow)),
        );
      }
    },
  };
}

function endOf({ firstRow, rowCount }: PlacedSymbol): number {
  return firstRow + rowCount;
}

/** Runs of symbols whose rows are near one another. */
function runsOf(symbols: readonly PlacedSymbol[]): PlacedSymbol[][] {
  const runs: PlacedSymbol[][] = [];
  for (const symbol of symbols.toSorted((a, b) => a.firstRow - b.firstRow)) {
    const run = runs.at(-1);
    const isNear =
      run !== undefined &&
      symbol.firstRow - endOf(run.at(-1)!) <= GAP_ROWS_MAX &&
      endOf(symbol) - run[0].firstRow <= RUN_ROWS_MAX;
    if (isNear) run.push(symbol);
    else runs.push([symbol]);
  }
  return runs;
}

/** @param dates Days of its rows, which mostly rise; null for rows without a date. */
function daysOf({ file, key }: PlacedSymbol, dates: readonly (number | null)[]): SymbolDays {
  const days = dates.filter((day) => day !== null);
  const isRising = days.every((day, i) => i === 0 || day > days[i - 1]);
  return { file, key, days: isRising ? days : [...new Set(days)].sort((a, b) => a - b) };
}
