/** Repairs in the store: bars of the source `repair`, a segment each. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { BarValues, Basis } from '../../../base/bars.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { Piece } from '../candles/series.ts';
import { barTable } from '../connection/bar-table.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import type { SymbolPiece } from './insert-winners.ts';
import { type Repair, repairedPieces } from './repaired-pieces.ts';

export const REPAIR_SOURCE = 'repair';

/** Reading of a repair's file. */
export interface RepairReading {
  repair: {
    words: string;
    facts: readonly string[];
    replaced: BarValues;
    /** True if no bar is served there. */
    isRemoved?: boolean;
  };
}

export interface RepairSeries {
  seriesId: number;
  symbol: string;
  basis: Basis;
}

const VALUES = 'b.open, b.high, b.low, b.close, b.volume';

type BarRow = BarValues & { seriesId: number; timestampUs: number };

/**
 * Returns the pieces of served series with the repairs of their symbols, where these are on the same
 * basis.
 *
 * @param series Series of repairs, newest first.
 * @param basisOf Returns the basis on which a symbol is served.
 */
export async function withRepairs(
  connection: DuckDBConnection,
  interval: StoredInterval,
  pieces: readonly SymbolPiece[],
  {
    series,
    basisOf,
  }: { series: readonly RepairSeries[]; basisOf(symbol: string): Basis | undefined },
): Promise<SymbolPiece[]> {
  const fitting = series.filter(({ symbol, basis }) => basisOf(symbol) === basis);
  if (fitting.length === 0) return [...pieces];
  const repairs = await readRepairs(connection, interval, fitting);
  const bySymbol = Map.groupBy(pieces, ({ symbol }) => symbol);
  const stored = await readBars(connection, interval, repairs, bySymbol);
  return [...bySymbol].flatMap(([symbol, own]) => {
    const ofSymbol = repairs.get(symbol);
    if (!ofSymbol) return own;
    const barAt = (seriesId: number, us: number) => stored.get(`${seriesId} ${us}`);
    const isRaw = basisOf(symbol) === 'raw';
    return repairedPieces(own, ofSymbol, barAt, isRaw).map((piece) => ({ ...piece, symbol }));
  });
}

async function readRepairs(
  connection: DuckDBConnection,
  interval: StoredInterval,
  series: readonly RepairSeries[],
): Promise<Map<string, Repair[]>> {
  const rows = await selectRows<BarRow & { reading: string }>(
    connection,
    `SELECT b.series_id AS "seriesId", epoch_us(b.ts)::DOUBLE AS "timestampUs", ${VALUES}, f.reading
     FROM ${barTable(interval).bars} b JOIN segment_files f USING (file_id)
     WHERE b.series_id IN (${series.map(({ seriesId }) => seriesId).join(',')})`,
  );
  const bySeries = Map.groupBy(rows, ({ seriesId }) => seriesId);
  const repairs = series.flatMap(({ seriesId, symbol }) =>
    (bySeries.get(seriesId) ?? []).map(({ timestampUs, reading, ...bar }) => {
      const { replaced, isRemoved } = (JSON.parse(reading) as RepairReading).repair;
      return { symbol, seriesId, timestampUs, bar, replaced, isRemoved };
    }),
  );
  return Map.groupBy(repairs, ({ symbol }) => symbol);
}

const PLACE_COLUMNS = { seriesId: 'INTEGER', us: 'BIGINT' } as const;

/** Reads the bars that the sources have at the times of repairs, by series and time. */
async function readBars(
  connection: DuckDBConnection,
  interval: StoredInterval,
  repairs: ReadonlyMap<string, readonly Repair[]>,
  pieces: ReadonlyMap<string, readonly Piece[]>,
): Promise<Map<string, BarValues>> {
  const places = [...repairs].flatMap(([symbol, ofSymbol]) =>
    ofSymbol.flatMap(({ timestampUs: us }) =>
      (pieces.get(symbol) ?? [])
        .filter(({ fromUs, toUs }) => fromUs <= us && us <= toUs)
        .map(({ seriesId }) => ({ seriesId, us })),
    ),
  );
  const rows = await selectRows<BarRow>(
    connection,
    `SELECT b.series_id AS "seriesId", epoch_us(b.ts)::DOUBLE AS "timestampUs", ${VALUES}
     FROM ${barTable(interval).bars} b JOIN ${listTable(PLACE_COLUMNS)} p
       ON b.series_id = p."seriesId" AND b.ts = make_timestamp(p.us)`,
    listsOf(places, PLACE_COLUMNS),
  );
  return new Map(rows.map((row) => [`${row.seriesId} ${row.timestampUs}`, row]));
}

/** Returns the load of the newest repair that removed a bar; undefined if none did. */
export async function readRemoval(
  connection: DuckDBConnection,
  interval: StoredInterval,
  { symbol, timestampUs }: { symbol: string; timestampUs: number },
): Promise<string | undefined> {
  const rows = await selectRows<{ segment: string; reading: string }>(
    connection,
    `SELECT g.segment, f.reading FROM series s
     JOIN ${barTable(interval).bars} b USING (series_id) JOIN segment_files f USING (file_id)
     JOIN segments g ON g.seq = f.segment_seq
     WHERE s.source = '${REPAIR_SOURCE}' AND s.symbol = $1 AND s.interval = $2
       AND b.ts = make_timestamp(${timestampUs})
     ORDER BY g.seq DESC LIMIT 1`,
    [symbol, interval],
  );
  const isRemoval = rows.some(
    ({ reading }) => (JSON.parse(reading) as RepairReading).repair.isRemoved,
  );
  return isRemoval ? rows[0].segment : undefined;
}
