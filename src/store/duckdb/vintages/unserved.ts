/** Symbols whose bars a load stores without serving any, since another series is served. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../../base/bars.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { selectRow } from '../connection/sql-rows.ts';

export interface Unserved {
  count: number;
  /** One of the symbols, and the series that is served for it. */
  example: { symbol: string; source: string; basis: Basis };
  source: string;
  basis: Basis;
}

/** @returns undefined if the segment's source and basis serve bars of every symbol. */
export async function findUnserved(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<Unserved | undefined> {
  const { source, basis, hours } = segment;
  if (hours === 'extended') return undefined;
  const { count, example } = await selectRow<{ count: number; example: Unserved['example'] }>(
    connection,
    `WITH own AS (
       SELECT DISTINCT symbol FROM series SEMI JOIN loading_symbols USING (symbol)
       WHERE interval = $1 AND source = $2 AND basis = $3 AND row_count > 0),
     served AS (
       SELECT w.symbol, s.source, s.basis FROM winners w JOIN series s USING (series_id)
       SEMI JOIN own ON own.symbol = w.symbol WHERE w.interval = $1)
     SELECT count(DISTINCT symbol)::DOUBLE AS count,
       first({symbol: symbol, source: source, basis: basis} ORDER BY symbol, source) AS example
     FROM served
     ANTI JOIN (SELECT symbol FROM served WHERE source = $2 AND basis = $3) USING (symbol)`,
    [storedInterval(segment), source, basis],
  );
  return count === 0 ? undefined : { count, example, source, basis };
}
