/** Series: the rows of one symbol, interval, source and basis that belong together. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { jsonTable, selectRow } from '../connection/sql-rows.ts';
import type { LandedFile } from './insert-rows.ts';

/**
 * A span of a series as it is served: price × factor, volume ÷ factor. The first and the last
 * bound of all pieces are bars; one at a joint lies right beside the neighbour's first or last.
 */
export interface Piece {
  seriesId: number;
  fromUs: number;
  toUs: number;
  factor: number;
}

/**
 * One new series per file that has rows. A raw series is known by symbol, interval and source
 * alone, since later files merge into it, so it carries no hash.
 *
 * @param symbols By file: the symbol of the security it is of; `segment.files` has the ticker that
 *   it states.
 */
export async function addSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LandedFile[],
  { asOf, symbols }: { asOf: Float64Array; symbols: readonly string[] },
): Promise<void> {
  const rows = files
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId, accepted, firstUs, lastUs }) => {
      const { symbol: ticker, sha256, modifiedUs = 0n } = segment.files[fileIndex];
      return {
        seriesId,
        ticker,
        symbol: symbols[fileIndex],
        asOf: asOf[fileIndex],
        modified: Number(modifiedUs),
        sha256: segment.basis === 'raw' ? '' : sha256,
        firstUs,
        lastUs,
        accepted,
      };
    });
  await connection.run(
    `INSERT INTO series
     SELECT "seriesId", symbol, $2, $3, $4, make_timestamp("asOf"), sha256,
       make_timestamp("firstUs"), make_timestamp("lastUs"), accepted, ticker,
       make_timestamp(modified)
     FROM ${jsonTable({
       seriesId: 'INTEGER',
       ticker: 'VARCHAR',
       symbol: 'VARCHAR',
       asOf: 'BIGINT',
       modified: 'BIGINT',
       sha256: 'VARCHAR',
       firstUs: 'BIGINT',
       lastUs: 'BIGINT',
       accepted: 'BIGINT',
     })}`,
    [JSON.stringify(rows), storedInterval(segment), segment.source, segment.basis],
  );
}

/**
 * Whether the segment's tickers have raw series of its source already, which its rows would merge
 * into: by ticker and symbol, since former tickers of a security have series of their own.
 */
export async function hasRawSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<boolean> {
  const { found } = await selectRow<{ found: boolean }>(
    connection,
    `SELECT count(*) > 0 AS found
     FROM series SEMI JOIN loading_symbols l ON l.symbol = series.ticker
     WHERE basis = 'raw' AND interval = $1 AND source = $2`,
    [storedInterval(segment), segment.source],
  );
  return found;
}
