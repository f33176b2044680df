import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { Piece } from '../candles/series.ts';
import { listsOf, listTable, runOne } from '../connection/sql-rows.ts';

const PIECE_COLUMNS = {
  symbol: 'VARCHAR',
  seriesId: 'INTEGER',
  fromUs: 'BIGINT',
  toUs: 'BIGINT',
  factor: 'DOUBLE',
  splitFactor: 'DOUBLE',
} as const;

export type SymbolPiece = Piece & { symbol: string };

export async function insertWinners(
  connection: DuckDBConnection,
  interval: StoredInterval,
  pieces: readonly SymbolPiece[],
): Promise<void> {
  await runOne(
    connection,
    `INSERT INTO winners
     SELECT symbol, '${interval}', "seriesId", make_timestamp("fromUs"), make_timestamp("toUs"),
       factor, "splitFactor"
     FROM ${listTable(PIECE_COLUMNS)}`,
    listsOf(pieces, PIECE_COLUMNS),
  );
}
