import { STEP_SECONDS } from '../segments/row-rules.ts';
import type { Scratch } from '../segments/scratch.ts';
import type { IntradayStamps } from './candle-interval.ts';

/** Unit of the offset. Clocks are changed on half hours, so a half hour has one offset. */
const HALF_HOUR = 'INTERVAL 30 MINUTE';

/**
 * Converts `ts` of a scratch table, or of rows that become one, with `zone` and `reason` from local
 * time to UTC, and from the end of a bar to its start, and drops `zone`. In the night of a clock
 * change, a stamp that is skipped or occurs twice loses its `ts` and gets a `reason`.
 *
 * The offset of a half hour is the one of the day before or of the day after, because zones change
 * less often than daily. Applying each offset and converting back shows which one holds.
 */
export async function settleZones(
  scratch: Scratch,
  table: 'text_rows' | 'typed_rows',
  { interval, isAtEnd }: IntradayStamps,
  from: string = table,
): Promise<void> {
  const connection = await scratch.connect();
  const local = (utc: string) => `timezone(zone, timezone('UTC', ${utc}))`;
  const offsetNear = (moment: string) => `${local(moment)} - (${moment})`;
  const lead = isAtEnd ? STEP_SECONDS[interval] : 0;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE zone_halves AS
    WITH halves AS (
      SELECT DISTINCT zone, time_bucket(${HALF_HOUR}, ts) AS half FROM ${from}
      WHERE zone IS NOT NULL AND ts IS NOT NULL),
    guesses AS (
      SELECT zone, half, half - (${offsetNear('half - INTERVAL 1 DAY')}) AS utc
      FROM halves
      UNION
      SELECT zone, half, half - (${offsetNear('half + INTERVAL 1 DAY')}) FROM halves)
    SELECT zone, half, min(utc) FILTER (${local('utc')} = half) AS utc,
      count(*) FILTER (${local('utc')} = half) AS times
    FROM guesses GROUP BY ALL`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE ${table} AS
    SELECT rows.* EXCLUDE (zone) REPLACE (
        CASE WHEN rows.zone IS NULL THEN ts WHEN times = 1 THEN utc + (ts - half) END
          - INTERVAL ${lead} SECOND AS ts,
        coalesce(reason,
          CASE times WHEN 0 THEN 'stamp does not exist in ' || rows.zone || ', whose clocks skip it'
            WHEN 2 THEN 'stamp is ambiguous in ' || rows.zone || ', whose clocks show it twice' END
        ) AS reason)
    FROM ${from} AS rows LEFT JOIN zone_halves
      ON zone_halves.zone = rows.zone AND half = time_bucket(${HALF_HOUR}, ts)`);
}
