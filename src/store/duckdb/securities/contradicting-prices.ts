import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, runOne, selectColumn, selectRows } from '../connection/sql-rows.ts';
import type { Run } from './facts/join-pairs.ts';
import { fromOf, type Place, toOf } from './facts/ticker-facts.ts';
import { BAR_DAY } from './place-series.ts';
import { PRESENT_SOURCES } from './whole-pasts.ts';

/** Common days from which on a factor between adjusted closes proves something. */
const SESSIONS = 5;
const TOLERANCE = 0.001;

/**
 * Finds places of the role `past` whose daily closes differ, on most of their common days, from
 * those of who gets the ticker next: they are of another security.
 *
 * The temporary table `places` is that of `readParts`.
 *
 * @param filled Places with bars.
 * @returns indexes of places.
 */
export async function findContradicted(
  connection: DuckDBConnection,
  places: readonly Place[],
  filled: ReadonlySet<number>,
): Promise<number[]> {
  const numbered = places.map((place, i) => ({ place, i })).filter(({ i }) => filled.has(i));
  const byOwner = Map.groupBy(numbered, ({ place }) => place.owner);
  const pairs = numbered
    .filter(({ place }) => place.role === 'past')
    .flatMap(({ place: past, i }) =>
      byOwner
        .get(past.owner)!
        .filter(({ place }) => isHeldDuring(past, place))
        .map((held) => ({ past: i, held: held.i })),
    );
  if (pairs.length === 0) return [];
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE place_pairs AS
     FROM ${jsonTable({ past: 'INTEGER', held: 'INTEGER' })}`,
    [JSON.stringify(pairs)],
  );
  const found = await selectColumn<number>(
    connection,
    `WITH closes AS (
       SELECT p.place, s.series_id, s.basis = 'raw' AS is_raw, b.ts, b.close, s.source
       FROM bars b JOIN series s USING (series_id)
       JOIN places p ON p.ticker = s.ticker AND ${BAR_DAY} BETWEEN p.from_day AND p.to_day
       WHERE s.interval = '1d' AND p.place IN (
         SELECT past FROM place_pairs UNION SELECT held FROM place_pairs)),
     ratios AS (
       SELECT a.past, a.series_id AS a, b.series_id AS b, a.is_raw AND b.is_raw AS is_raw,
         a.close / b.close AS ratio
       FROM (SELECT * FROM closes JOIN place_pairs ON past = place) a
       JOIN (SELECT * FROM closes JOIN place_pairs ON held = place) b
         ON b.past = a.past AND b.held = a.held AND b.ts = a.ts
       WHERE a.source NOT IN (${PRESENT_SOURCES.map((source) => `'${source}'`).join(', ')})),
     factors AS (
       SELECT *, CASE WHEN is_raw OR count(*) OVER pair < ${SESSIONS} THEN 1
           ELSE median(ratio) OVER pair END AS factor
       FROM ratios WINDOW pair AS (PARTITION BY past, a, b))
     SELECT past FROM factors GROUP BY past, a, b
     HAVING count(*) FILTER (abs(ratio / factor - 1) > ${TOLERANCE}) * 2 > count(*)`,
  );
  return [...new Set(found)];
}

/** Returns true if the owner of a past has another ticker on some of its days. */
function isHeldDuring(past: Place, other: Place): boolean {
  return (
    other.ticker !== past.ticker &&
    other.role === 'held' &&
    fromOf(other) <= toOf(past) &&
    fromOf(past) <= toOf(other)
  );
}

export interface OtherCloses {
  date: string;
  own: number;
  others: number;
}

/**
 * Finds closes of two securities, each under one ticker, if they differ on most common days.
 *
 * The temporary table `places` has the places of the runs.
 */
export async function findOtherCloses(
  connection: DuckDBConnection,
  runs: readonly [Run[], Run[]],
): Promise<OtherCloses | undefined> {
  const closes = (index: string) => `(SELECT ts, close FROM bars b JOIN series s USING (series_id)
    JOIN places p ON p.ticker = s.ticker AND ${BAR_DAY} BETWEEN p.from_day AND p.to_day
    WHERE s.interval = '1d' AND s.basis = 'raw'
      AND p.place IN (SELECT unnest(from_json(${index}, '["INTEGER"]'))))`;
  const [found] = await selectRows<OtherCloses>(
    connection,
    `SELECT max(ts)::DATE::VARCHAR AS date, arg_max(a.close, ts) AS own,
       arg_max(b.close, ts) AS others
     FROM ${closes('$1')} a JOIN ${closes('$2')} b USING (ts)
     HAVING count(*) FILTER (abs(a.close / b.close - 1) > ${TOLERANCE}) * 2 > count(*)`,
    runs.map((own) => JSON.stringify([...new Set(own.map(({ place }) => place))])),
  );
  return found;
}
