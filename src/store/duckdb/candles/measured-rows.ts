/** Counts over the inserted rows of each series. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dayFromMicros } from '../../../base/time/dates.ts';
import { dayFlagsSql, isHolidaySql } from '../connection/day-counts.ts';
import { selectRows } from '../connection/sql-rows.ts';

export interface Measured {
  seriesId: number;
  rowCount: number;
  firstUs: number;
  lastUs: number;
  isRising: boolean;
  /** Counts of dates, as in `DayCounts`; absent unless they are days. */
  slow?: number;
  weekend?: number;
  far?: number;
}

/**
 * Measures series by id, in one pass in physical order: each row must be later than the one before.
 * With `areDays`, also counts dates that most daily series have none of.
 */
export async function measure(
  connection: DuckDBConnection,
  table: string,
  { firstSeriesId, areDays }: { firstSeriesId: number; areDays: boolean },
): Promise<Map<number, Measured>> {
  const flags = dayFlagsSql('us', 'before', 'CASE WHEN earlier_id = series_id THEN earlier END');
  const counts = ['slow', 'weekend', 'far'].map(
    (name) => `count(*) FILTER (is_${name})::DOUBLE AS ${name}`,
  );
  const rows = await selectRows<Measured>(
    connection,
    `SELECT series_id AS "seriesId", count(*)::DOUBLE AS "rowCount",
       min(us)::DOUBLE AS "firstUs", max(us)::DOUBLE AS "lastUs",
       bool_and(previous IS DISTINCT FROM series_id OR us > before) AS "isRising"
       ${areDays ? `, ${counts}` : ''}
     FROM (SELECT *${areDays ? `, ${flags}` : ''}
       FROM (SELECT series_id, us, lag(series_id) OVER () AS previous, lag(us) OVER () AS before,
           lag(us, 2) OVER () AS earlier, lag(series_id, 2) OVER () AS earlier_id
         FROM (SELECT series_id, epoch_us(ts) AS us FROM ${table}
           WHERE series_id >= ${firstSeriesId})))
     GROUP BY series_id`,
  );
  return new Map(rows.map((row) => [row.seriesId, row]));
}

/** Counts rows of weekdays without a session by series, if there are such days among the dates. */
export async function countHolidays(
  connection: DuckDBConnection,
  table: string,
  { firstSeriesId, measured }: { firstSeriesId: number; measured: ReadonlyMap<number, Measured> },
): Promise<Map<number, number>> {
  const all = [...measured.values()];
  const isHoliday = isHolidaySql('ts', {
    fromDay: dayFromMicros(all.reduce((least, { firstUs }) => Math.min(least, firstUs), Infinity)),
    toDay: dayFromMicros(all.reduce((most, { lastUs }) => Math.max(most, lastUs), -Infinity)),
  });
  if (isHoliday === 'false') return new Map();
  const rows = await selectRows<{ seriesId: number; holidays: number }>(
    connection,
    `SELECT series_id AS "seriesId", count(*)::DOUBLE AS holidays FROM ${table}
     WHERE series_id >= ${firstSeriesId} AND ${isHoliday} GROUP BY 1`,
  );
  return new Map(rows.map(({ seriesId, holidays }) => [seriesId, holidays]));
}
