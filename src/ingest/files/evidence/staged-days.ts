/** Reads the dates of symbols from staged daily rows, of which each symbol's lie together. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { selectColumn } from '../../../store/duckdb/connection/sql-rows.ts';
import { sqlFile } from '../../segments/sql-text.ts';
import { type DaysReader, daysReader, type SymbolDays } from '../../timing/false-days.ts';
import { keyOf } from './closed-symbols.ts';

/** Symbols that are read one by one, of which each statement reads the rows of its own. */
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
  const daysOf = async ({ file, key, firstRow, rowCount }: PlacedSymbol): Promise<SymbolDays> => {
    const times = await selectColumn<number>(
      connection,
      `SELECT epoch_us(ts)::DOUBLE FROM read_parquet(${sqlFile(path)}, file_row_number = true)
       WHERE file_row_number BETWEEN ${firstRow} AND ${firstRow + rowCount - 1} AND ts IS NOT NULL`,
    );
    const days = new Set(
      Float64Array.from(times)
        .sort()
        .map((us) => us / DAY_US),
    );
    return { file, key, days: [...days] };
  };
  return {
    ofFiles: whole.ofFiles,
    async ofSymbols(wanted) {
      if (wanted.length > SINGLES_MAX) return whole.ofSymbols(wanted);
      const found: SymbolDays[] = [];
      for (const symbol of wanted) found.push(await daysOf(places.get(keyOf(symbol))!));
      return found;
    },
  };
}
