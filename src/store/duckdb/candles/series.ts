import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, jsonTable, runOne } from '../connection/sql-rows.ts';
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

/** Rows of a file that are of one security. */
export interface SeriesPart extends LoadedFile {
  /** Ticker as the file states it. */
  ticker: string;
  /** Symbol of the security. */
  symbol: string;
  /** First day on which the ticker means this security; null: open. */
  fromDay: number | null;
}

/** Adds a series for each part with rows. */
export async function addSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  parts: readonly SeriesPart[],
  asOf: Float64Array,
): Promise<void> {
  const rows = parts
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId, accepted, firstUs, lastUs, ticker, symbol, fromDay }) => {
      const { sha256, modifiedUs = 0n, ...file } = segment.files[fileIndex];
      return {
        seriesId,
        ticker,
        symbol,
        fromDay,
        asOf: asOf[fileIndex],
        modified: Number(modifiedUs),
        sha256: segment.basis === 'raw' ? '' : sha256,
        firstUs,
        lastUs,
        accepted,
        scalesVolume: file.scalesVolume,
      };
    });
  await runOne(
    connection,
    `INSERT INTO series
     SELECT "seriesId", symbol, $2, $3, $4, make_timestamp("asOf"), sha256,
       make_timestamp("firstUs"), make_timestamp("lastUs"), accepted, ticker,
       make_timestamp(modified), "scalesVolume", DATE '1970-01-01' + "fromDay"
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
       fromDay: 'INTEGER',
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
