/** Single served bars with their provenance, for repairs. */

import type { BarValues, Basis } from '../../../base/bars.ts';
import type { BaseInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import type { MarketDb } from '../connection/open.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import { servedBar } from '../vintages/repaired-pieces.ts';
import { REPAIR_SOURCE, type RepairReading } from '../vintages/repairs.ts';

export interface BarPlace {
  symbol: string;
  timestampUs: number;
}

export interface ServedBarOf {
  /** Ticker that its file states. */
  ticker: string;
  source: string;
  basis: Basis;
  /** Id of its load. */
  segment: string;
  bar: BarValues;
  /** The bar that the sources give: that under a repair. */
  given: BarValues;
}

interface Row extends BarValues {
  place: number;
  ticker: string;
  source: string;
  basis: Basis;
  segment: string;
  factor: number;
  splitFactor: number | null;
  reading: string | null;
}

const PLACE_COLUMNS = { place: 'INTEGER', symbol: 'VARCHAR', timestampUs: 'BIGINT' } as const;

/** Returns the bars in the order of the places; undefined where none is served. */
export async function readServedBars(
  { connection }: MarketDb,
  interval: BaseInterval,
  places: readonly BarPlace[],
): Promise<(ServedBarOf | undefined)[]> {
  const numbered = places.map((one, place) => ({ ...one, place }));
  const rows = await selectRows<Row>(
    connection,
    `SELECT p.place, s.ticker, s.source, s.basis, g.segment, w.factor,
       w.split_factor AS "splitFactor", b.open, b.high, b.low, b.close, b.volume, f.reading
     FROM ${listTable(PLACE_COLUMNS)} p
     JOIN winners w ON w.symbol = p.symbol AND w.interval = '${interval}'
       AND make_timestamp(p."timestampUs") BETWEEN w.from_ts AND w.to_ts
     JOIN ${barTable(interval).bars} b
       ON b.series_id = w.series_id AND b.ts = make_timestamp(p."timestampUs")
     JOIN series s ON s.series_id = w.series_id
     JOIN segment_files f USING (file_id) JOIN segments g ON g.seq = f.segment_seq`,
    listsOf(numbered, PLACE_COLUMNS),
  );
  const found = new Map(rows.map((row) => [row.place, servedOf(row)]));
  return places.map((_, place) => found.get(place));
}

function servedOf({ ticker, source, basis, segment, reading, ...row }: Row): ServedBarOf {
  const bar = servedBar(row, row);
  const given =
    source === REPAIR_SOURCE
      ? servedBar((JSON.parse(reading!) as RepairReading).repair.replaced, row)
      : bar;
  return { ticker, source, basis, segment, bar, given };
}
