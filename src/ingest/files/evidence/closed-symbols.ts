/** Finds symbols of staged daily rows with days without a session that show no other market. */

import { CLOSED_ROWS_MAX, closedRowsSql } from '../../../store/duckdb/connection/closed-rows.ts';
import { type DayCounts, isHolidaySql } from '../../../store/duckdb/connection/day-counts.ts';
import { rowBatches } from '../../../store/duckdb/connection/row-batches.ts';
import { jsonTable, selectRows } from '../../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from '../../segments/scratch.ts';
import { sqlFile } from '../../segments/sql-text.ts';
import { closedDayCounts, isOtherMarket } from '../../timing/closed-days.ts';

/** A symbol of a file, with the place of its first row among the staged ones. */
export interface StagedSymbol extends Pick<DayCounts, 'weekends'> {
  file: number;
  key: string;
  rowCount: number;
  isGood: boolean;
  /** Microseconds of its first and last row; null if none has a date. */
  firstUs: number | null;
  lastUs: number | null;
}

const DAY_US = 86_400_000_000;

/** Key of a symbol in a file. */
export const keyOf = ({ file, key }: Pick<StagedSymbol, 'file' | 'key'>) => `${file} ${key}`;

/** @param path Parquet file of (file_index, symbol_text, ts, open … volume). */
export async function closedSymbols(
  scratch: Scratch,
  path: string,
  symbols: readonly StagedSymbol[],
): Promise<Set<string>> {
  const ofHolidays = await symbolsOfHolidays(scratch, path, symbols);
  const closed = symbols.filter((symbol) => symbol.weekends > 0 || ofHolidays.has(keyOf(symbol)));
  const found = new Set(closed.map(keyOf));
  // Rows that are not good are judged one by one, whatever their market.
  for (const key of await otherMarkets(
    scratch,
    path,
    closed.filter(({ isGood }) => isGood),
  )) {
    found.delete(key);
  }
  return found;
}

async function symbolsOfHolidays(
  scratch: Scratch,
  path: string,
  symbols: readonly StagedSymbol[],
): Promise<Set<string>> {
  const dated = symbols.filter(({ firstUs }) => firstUs !== null);
  const range = {
    fromDay: dated.reduce(
      (day, { firstUs }) => Math.min(day, Number(firstUs) / DAY_US - 1),
      Infinity,
    ),
    toDay: dated.reduce((day, { lastUs }) => Math.max(day, Number(lastUs) / DAY_US), -Infinity),
  };
  const found = await selectRows<{ file: number; key: string }>(
    await scratch.connect(),
    `SELECT DISTINCT file_index AS file, symbol_text AS key FROM read_parquet(${sqlFile(path)})
     WHERE ${isHolidaySql('ts', range)}`,
  );
  return new Set(found.map(keyOf));
}

async function otherMarkets(
  scratch: Scratch,
  path: string,
  symbols: readonly StagedSymbol[],
): Promise<string[]> {
  const connection = await scratch.connect();
  const found: string[] = [];
  for (const batch of rowBatches(symbols, CLOSED_ROWS_MAX)) {
    const asked = [JSON.stringify(batch.map((symbol) => ({ file: symbol.file, key: symbol.key })))];
    const rows = `SELECT file_index || ' ' || symbol_text AS series, 0 AS line,
        (epoch(ts) / 86400)::INTEGER AS day, open, high, low, close, volume, NULL::VARCHAR AS reason
      FROM read_parquet(${sqlFile(path)}) SEMI JOIN
        (SELECT file AS file_index, key AS symbol_text
         FROM ${jsonTable({ file: 'INTEGER', key: 'VARCHAR' })}) USING (file_index, symbol_text)`;
    const series = await selectRows<{ key: string; days: number[]; filled: number[] }>(
      connection,
      `WITH rows AS MATERIALIZED (${rows})
       SELECT series AS key, days, coalesce(filled, []) AS filled
       FROM (SELECT series, list(day ORDER BY day) AS days FROM rows GROUP BY 1)
       LEFT JOIN (SELECT series, list(day) AS filled FROM (${closedRowsSql('FROM rows')})
         WHERE is_filled GROUP BY 1) USING (series)`,
      asked,
    );
    const others = series.filter(({ days, filled }) =>
      isOtherMarket(closedDayCounts(days, filled)),
    );
    found.push(...others.map(({ key }) => key));
  }
  return found;
}
