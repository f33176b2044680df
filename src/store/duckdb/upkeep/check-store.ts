import type { ModePaths } from '../../../base/config/data-dir.ts';
import { CorruptDataError, TapeworksError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { type MarketDb, openMarketForReading } from '../connection/open.ts';
import { selectColumn, selectValue } from '../connection/sql-rows.ts';

/** Rows [firstRow, endRow) of a table. */
export interface TableRows {
  table: string;
  firstRow: number;
  endRow: number;
}

/** A piece that is read at once: all small tables, or some rows of a large one. */
export interface StorePiece {
  /** `tables`, or the large table's with a number: `bars/00003`. */
  name: string;
  rows: TableRows[];
}

/** @throws {CorruptDataError} the store can't be opened. As `openMarketForReading`. */
export function storePieces(paths: ModePaths): Promise<StorePiece[]> {
  return inStore(paths, async ({ connection }) => {
    const tables = await selectColumn<string>(
      connection,
      `SELECT table_name FROM duckdb_tables()
       WHERE NOT internal AND NOT temporary ORDER BY table_name`,
    );
    const { pieceRows } = limits.integrity;
    const small: TableRows[] = [];
    const pieces: StorePiece[] = [];
    for (const table of tables) {
      // Rows that were deleted keep their numbers.
      const endRow = await selectValue<number>(
        connection,
        `SELECT coalesce(max(rowid) + 1, 0)::DOUBLE FROM "${table}"`,
      );
      if (endRow <= pieceRows) small.push({ table, firstRow: 0, endRow });
      else pieces.push(...piecesOf(table, endRow, pieceRows));
    }
    return [{ name: 'tables', rows: small }, ...pieces];
  });
}

function piecesOf(table: string, endRow: number, pieceRows: number): StorePiece[] {
  return Array.from({ length: Math.ceil(endRow / pieceRows) }, (_, i) => ({
    name: `${table}/${String(i).padStart(5, '0')}`,
    rows: [{ table, firstRow: i * pieceRows, endRow: (i + 1) * pieceRows }],
  }));
}

/** Reads every value of a piece. @throws {CorruptDataError} a block is damaged. */
export function checkPiece(paths: ModePaths, { rows }: StorePiece): Promise<void> {
  return inStore(paths, async ({ connection }) => {
    const found = await selectColumn<string>(connection, 'SELECT table_name FROM duckdb_tables()');
    const names = new Set(found);
    for (const { table, firstRow, endRow } of rows) {
      // An upgrade may have removed it meanwhile.
      if (!names.has(table)) continue;
      await connection.run(
        `SELECT bit_xor(hash(r)) FROM "${table}" r
         WHERE rowid >= ${firstRow} AND rowid < ${endRow}`,
      );
    }
  });
}

export function loadedSegments(paths: ModePaths): Promise<Set<string>> {
  return inStore(paths, async ({ connection }) => {
    const found = await selectColumn<string>(connection, 'SELECT segment FROM segments');
    return new Set(found);
  });
}

async function inStore<T>(paths: ModePaths, work: (market: MarketDb) => Promise<T>): Promise<T> {
  try {
    using market = await openMarketForReading(paths, { waitMs: limits.integrity.storeWaitMs });
    return await work(market);
  } catch (error) {
    if (error instanceof TapeworksError) throw error;
    throw new CorruptDataError(`"${paths.market}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
