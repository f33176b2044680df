/** Series: the rows of one symbol, interval, source and basis that belong together. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleSegment } from './candle-segment.ts';
import type { LandedFile } from './land-rows.ts';
import { jsonTable, selectRows } from './sql-rows.ts';

/**
 * One new series per file that has rows. A raw series is known by symbol, interval and source
 * alone, since later files merge into it, so it carries no hash.
 */
export async function addSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LandedFile[],
  asOf: Float64Array,
): Promise<void> {
  const rows = files
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId, accepted, firstUs, lastUs }) => {
      const { symbol, sha256 } = segment.files[fileIndex];
      return {
        seriesId,
        symbol,
        asOf: asOf[fileIndex],
        sha256: segment.basis === 'raw' ? '' : sha256,
        firstUs,
        lastUs,
        accepted,
      };
    });
  await connection.run(
    `INSERT INTO series
     SELECT "seriesId", symbol, $2, $3, $4, make_timestamp("asOf"), sha256,
       make_timestamp("firstUs"), make_timestamp("lastUs"), accepted
     FROM ${jsonTable({
       seriesId: 'INTEGER',
       symbol: 'VARCHAR',
       asOf: 'BIGINT',
       sha256: 'VARCHAR',
       firstUs: 'BIGINT',
       lastUs: 'BIGINT',
       accepted: 'BIGINT',
     })}`,
    [JSON.stringify(rows), segment.interval, segment.source, segment.basis],
  );
}

/** Ids of the raw series that the segment's symbols have from its source already. */
export async function rawSeriesIds(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<Map<string, number>> {
  const rows = await selectRows<{ symbol: string; seriesId: number }>(
    connection,
    `SELECT symbol, series_id AS "seriesId" FROM series SEMI JOIN loading_symbols USING (symbol)
     WHERE basis = 'raw' AND interval = $1 AND source = $2`,
    [segment.interval, segment.source],
  );
  return new Map(rows.map(({ symbol, seriesId }) => [symbol, seriesId]));
}
