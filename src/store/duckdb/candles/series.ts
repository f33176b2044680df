import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, jsonTable } from '../connection/sql-rows.ts';
import type { LoadedFile } from './insert-rows.ts';

/**
 * A served span of a series: price × factor, volume ÷ splitFactor. A bound at a splice is next to the
 * neighbour's first or last bar; all other bounds are bars.
 */
export interface Piece {
  seriesId: number;
  fromUs: number;
  toUs: number;
  factor: number;
  /** Part of the factor that volumes show; default all of it. Dividends leave volumes alone. */
  splitFactor?: number | null;
}

/**
 * Adds a series for each file with rows.
 *
 * @param symbols Symbols of the files' securities; `segment.files` has the stated tickers.
 */
export async function addSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LoadedFile[],
  { asOf, symbols }: { asOf: Float64Array; symbols: readonly string[] },
): Promise<void> {
  const rows = files
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId, accepted, firstUs, lastUs }) => {
      const { symbol: ticker, sha256, modifiedUs = 0n, ...file } = segment.files[fileIndex];
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
        scalesVolume: file.scalesVolume,
      };
    });
  await connection.run(
    `INSERT INTO series
     SELECT "seriesId", symbol, $2, $3, $4, make_timestamp("asOf"), sha256,
       make_timestamp("firstUs"), make_timestamp("lastUs"), accepted, ticker,
       make_timestamp(modified), "scalesVolume"
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
       scalesVolume: 'BOOLEAN',
     })}`,
    [JSON.stringify(rows), storedInterval(segment), segment.source, segment.basis],
  );
}

/**
 * Returns true if the segment's tickers have raw series of its source, into which its rows merge.
 */
export async function hasRawSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<boolean> {
  return exists(
    connection,
    `FROM series SEMI JOIN loading_symbols l ON l.symbol = series.ticker
     WHERE basis = 'raw' AND interval = $1 AND source = $2`,
    [storedInterval(segment), segment.source],
  );
}
