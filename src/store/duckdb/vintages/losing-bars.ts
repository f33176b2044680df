/**
 * Bars of a user's files that lose against other values of the same source: those that only the hash
 * of the files decides, those of a load that are older than the served ones, and those whose prices
 * a load replaces. The load reports them, so that the user can choose.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, selectRows, selectValue } from '../connection/sql-rows.ts';
import { REPAIR_SOURCE } from './repairs.ts';

export interface LosingBars {
  count: number;
  shown: string[];
  /** Arguments of `repair` that serve the values of the first of them, if single ones differ. */
  repair: string | undefined;
}

export interface Losing {
  /** Neither of two files is newer. */
  undecided: LosingBars;
  /** The served bar is of a newer file. */
  outdated: LosingBars;
  /** The served bar is of this load. */
  replaced: LosingBars;
  /** The served bar of traded prices is a repair's; undefined in reports of older programs. */
  repaired?: LosingBars;
}

const PRICES = ['close', 'open', 'high', 'low'] as const;
const VALUES = [...PRICES, 'volume'] as const;

/** Two bars of one moment; the first one is served. */
const PAIR_COLUMNS = `ts, ${VALUES.map((v) => `a.${v} AS a_${v}, b.${v} AS b_${v}`).join(', ')}`;
const FILE_COLUMNS = ['path', 'as_of', 'modified']
  .map((name) => `x.${name} AS a_${name}, y.${name} AS b_${name}`)
  .join(', ');
const DIFFER = `(${VALUES.map((v) => `a.${v} IS DISTINCT FROM b.${v}`).join(' OR ')})`;
const ALIKE = 'a.as_of = b.as_of AND a.modified = b.modified AND a.modified > make_timestamp(0)';

/** A vendor that rounds its adjusted prices again is off by less. */
const NOISE = 0.001;

/** Two bars of which a price differs by more. */
const FAR = `(${PRICES.map((v) => `abs(b.${v} / a.${v} - 1) > ${NOISE}`).join(' OR ')})`;

const REPAIRS = `FROM series SEMI JOIN loading_symbols USING (symbol)
  WHERE source = '${REPAIR_SOURCE}' AND basis = 'raw'`;

/** Least number of bars that show a factor; prices of fewer count as they are. */
const FEW_BARS = 3;

export interface LoadedBars {
  /** Segments of the load. */
  firstSeq: number;
  seq: number;
  /**
   * First of its new series; undefined: its rows were merged, and `conflicts` has the bars that
   * several files claim.
   */
  newFromSeriesId: number | undefined;
}

/** @returns undefined if no bar loses, and for vendors' segments. */
export async function findLosing(
  connection: DuckDBConnection,
  segment: CandleSegment,
  loaded: LoadedBars,
): Promise<Losing | undefined> {
  if (segment.files.every(({ modifiedUs }) => modifiedUs === undefined)) return undefined;
  const { newFromSeriesId } = loaded;
  const parts =
    newFromSeriesId === undefined
      ? await mergedParts(connection, segment, loaded)
      : await ownSeriesParts(connection, segment, newFromSeriesId);
  if (parts.length === 0) return undefined;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE losing AS ${parts.map((sql) => `(${sql})`).join(' UNION ALL BY NAME ')}`,
  );
  const count = await selectValue<number>(connection, 'SELECT count(*)::DOUBLE FROM losing');
  if (count === 0) return undefined;
  return {
    undecided: await readLosing(connection, 'undecided'),
    outdated: await readLosing(connection, 'outdated'),
    replaced: await readLosing(connection, 'replaced'),
    repaired: await readLosing(connection, 'repaired'),
  };
}

async function readLosing(connection: DuckDBConnection, kind: keyof Losing): Promise<LosingBars> {
  const count = await selectValue<number>(
    connection,
    `SELECT count(*)::DOUBLE FROM losing WHERE kind = '${kind}'`,
  );
  const day = (name: string) => `strftime(${name}, '%Y-%m-%d') AS ${name}`;
  const minute = (name: string) => `strftime(${name}, '%Y-%m-%d %H:%M') AS ${name}`;
  const rows = await selectRows<LosingRow>(
    connection,
    `SELECT * REPLACE (${minute('ts')}, ${day('a_as_of')}, ${day('b_as_of')},
       ${minute('a_modified')}, ${minute('b_modified')})
     FROM losing WHERE kind = '${kind}'
     ORDER BY symbol, losing.ts LIMIT ${limits.store.undecidedShownMax}`,
  );
  return { count, shown: rows.map(textOf), repair: rows.map(repairOf)[0] };
}

function isLoadedSql(file: string, { firstSeq, seq }: LoadedBars): string {
  return `${file}.segment_seq BETWEEN ${firstSeq} AND ${seq}`;
}

/** Returns SQL for raw rows. Mostly all of them are new, and nothing is joined. */
async function mergedParts(
  connection: DuckDBConnection,
  segment: CandleSegment,
  loaded: LoadedBars,
): Promise<string[]> {
  return [
    ...((await exists(connection, 'FROM conflicts')) ? [mergedSql(loaded)] : []),
    ...((await exists(connection, REPAIRS)) ? [repairedSql(segment, loaded)] : []),
  ];
}

/** Returns SQL for raw rows: the served row of each moment and another one. */
function mergedSql(loaded: LoadedBars): string {
  const isLoaded = (file: string) => isLoadedSql(file, loaded);
  return `
    SELECT s.symbol, ${FILE_COLUMNS}, ${PAIR_COLUMNS},
      CASE WHEN ${ALIKE} THEN 'undecided' WHEN ${isLoaded('x')} THEN 'replaced'
        ELSE 'outdated' END AS kind
    FROM (SELECT c.*, f.as_of, f.modified FROM conflicts c JOIN segment_files f USING (file_id)
          WHERE place = 1) a
    JOIN (SELECT c.*, f.as_of, f.modified FROM conflicts c JOIN segment_files f USING (file_id)
          WHERE place > 1) b USING (series_id, ts)
    JOIN segment_files x ON x.file_id = a.file_id JOIN segment_files y ON y.file_id = b.file_id
    JOIN series s USING (series_id)
    SEMI JOIN winners w ON w.series_id = a.series_id AND a.ts BETWEEN w.from_ts AND w.to_ts
    WHERE ${DIFFER} AND CASE WHEN ${ALIKE} THEN b.place = 2 AND (${isLoaded('x')} OR ${isLoaded('y')})
      WHEN ${isLoaded('x')} THEN b.place = 2 AND ${FAR}
      ELSE ${isLoaded('y')} END`;
}

/** Returns SQL for new raw rows with other values than a repair has and has replaced. */
function repairedSql({ interval }: CandleSegment, loaded: LoadedBars): string {
  const { bars } = barTable(interval);
  const replaced = (value: string) => `(x.reading->>'$.repair.replaced.${value}')::DOUBLE`;
  return `
    SELECT w.symbol, ${FILE_COLUMNS}, ${PAIR_COLUMNS}, 'repaired' AS kind
    FROM winners w SEMI JOIN loading_symbols l ON l.symbol = w.symbol
    JOIN (FROM series WHERE source = '${REPAIR_SOURCE}' AND basis = 'raw') r
      ON r.series_id = w.series_id
    JOIN ${bars} a ON a.series_id = w.series_id AND a.ts BETWEEN w.from_ts AND w.to_ts
    JOIN ${bars} b USING (ts)
    JOIN series s ON s.series_id = b.series_id AND s.symbol = w.symbol AND s.interval = w.interval
    JOIN segment_files x ON x.file_id = a.file_id JOIN segment_files y ON y.file_id = b.file_id
    WHERE s.basis = r.basis AND ${isLoadedSql('y', loaded)} AND ${DIFFER}
      AND (${VALUES.map((v) => `b.${v} IS DISTINCT FROM ${replaced(v)}`).join(' OR ')})`;
}

/** Returns SQL for adjusted bars. Mostly no series may lose, and bars are not read. */
async function ownSeriesParts(
  connection: DuckDBConnection,
  segment: CandleSegment,
  newFromSeriesId: number,
): Promise<string[]> {
  // The first raw rows of a series lose to none.
  if (segment.basis === 'raw') return [];
  const pairs = pairsSql(segment, newFromSeriesId);
  const older = olderSql(segment, newFromSeriesId);
  return [
    ...((await exists(connection, pairs)) ? [undecidedSql(segment, pairs)] : []),
    ...((await exists(connection, older)) ? [outdatedSql(segment, older)] : []),
  ];
}

/** Returns SQL of adjusted series that are as new as one of the load. */
function pairsSql(segment: CandleSegment, newFromSeriesId: number): string {
  return `SELECT a.symbol, a.series_id AS a_id, b.series_id AS b_id
    FROM (FROM series SEMI JOIN loading_symbols USING (symbol)) a
    JOIN series b ON b.symbol = a.symbol AND b.interval = a.interval AND b.source = a.source
      AND b.basis = a.basis AND a.sha256 > b.sha256
    WHERE a.interval = '${storedInterval(segment)}' AND a.basis <> 'raw' AND ${ALIKE}
      AND greatest(a.series_id, b.series_id) >= ${newFromSeriesId}`;
}

/** Returns SQL for the bars of such series, whose order only the hash of their files decides. */
function undecidedSql(segment: CandleSegment, pairs: string): string {
  const { bars } = barTable(segment.interval);
  return `
    SELECT p.symbol, 'undecided' AS kind, ${FILE_COLUMNS}, ${PAIR_COLUMNS}
    FROM (${pairs}) p JOIN ${bars} a ON a.series_id = p.a_id
    JOIN ${bars} b USING (ts)
    JOIN segment_files x ON x.file_id = a.file_id JOIN segment_files y ON y.file_id = b.file_id
    WHERE b.series_id = p.b_id AND ${DIFFER}`;
}

/** Returns SQL of the adjusted series of the load that are not served whole. */
function olderSql(segment: CandleSegment, newFromSeriesId: number): string {
  return `SELECT * FROM series s SEMI JOIN loading_symbols USING (symbol)
    WHERE s.series_id >= ${newFromSeriesId} AND s.interval = '${storedInterval(segment)}'
      AND s.basis <> 'raw' AND NOT EXISTS (FROM winners w WHERE w.series_id = s.series_id
        AND w.from_ts <= s.first_ts AND w.to_ts >= s.last_ts)`;
}

/** Returns SQL for adjusted bars of the load in place of which a newer series is served. */
function outdatedSql(segment: CandleSegment, older: string): string {
  const { bars } = barTable(segment.interval);
  return `
    WITH outdated AS (
      SELECT o.symbol, a.file_id AS a_id, b.file_id AS b_id, b.ts, o.series_id,
        ${VALUES.map((v) => `${servedSql(v)} AS a_${v}, b.${v} AS b_${v}`).join(', ')},
        [${PRICES.map((v) => `a.${v} * w.factor / b.${v}`).join(', ')}] AS ratios,
        CASE WHEN o.scales_volume THEN NULL ELSE b.volume END AS volume
      FROM (${older}) o JOIN ${bars} b ON b.series_id = o.series_id
      JOIN winners w ON w.symbol = o.symbol AND w.interval = o.interval
        AND b.ts BETWEEN w.from_ts AND w.to_ts AND w.series_id <> o.series_id
      JOIN series n ON n.series_id = w.series_id AND n.source = o.source AND n.basis = o.basis
      JOIN ${bars} a ON a.series_id = w.series_id AND a.ts = b.ts),
    levels AS (
      SELECT series_id, CASE WHEN count(*) < ${FEW_BARS} THEN 1
          ELSE median(list_aggregate(ratios, 'median')) END AS level,
        CASE WHEN count(*) < ${FEW_BARS} THEN 1
          ELSE coalesce(median(a_volume / nullif(volume, 0)), 1) END AS volume_level
      FROM outdated GROUP BY series_id)
    SELECT o.symbol, 'outdated' AS kind, ${FILE_COLUMNS},
      o.* EXCLUDE (symbol, a_id, b_id, series_id, ratios, volume)
    FROM outdated o JOIN levels l USING (series_id)
    JOIN segment_files x ON x.file_id = o.a_id JOIN segment_files y ON y.file_id = o.b_id
    WHERE (x.as_of, x.modified) > (y.as_of, y.modified)
      AND (len(list_filter(ratios, lambda r: abs(r / level - 1) > ${NOISE})) > 0
        OR abs(a_volume - volume * volume_level) > greatest(1, ${NOISE} * a_volume))`;
}

function servedSql(value: (typeof VALUES)[number]): string {
  if (value === 'volume') return 'a.volume / coalesce(w.split_factor, w.factor)';
  return `a.${value} * w.factor`;
}

type LosingRow = Record<string, string | number> & { kind: keyof Losing };

/** Returns true if the two values differ by more than noise. */
function isFar(row: LosingRow, name: string): boolean {
  return Math.abs(Number(row[`a_${name}`]) / Number(row[`b_${name}`]) - 1) > NOISE;
}

/** Returns arguments like `ACME 2026-07-07 --low 8.55`; undefined for minutes and another level. */
function repairOf(row: LosingRow): string | undefined {
  const far = VALUES.filter((name) => isFar(row, name));
  const isLevel = PRICES.every((name) => far.includes(name));
  const when = String(row.ts);
  if (far.length === 0 || isLevel || !when.endsWith(' 00:00')) return undefined;
  const values = far.map((name) => `--${name} ${row[`b_${name}`]}`);
  return [row.symbol, when.slice(0, 10), ...values].join(' ');
}

function textOf(row: LosingRow): string {
  const differs = (name: string) => row[`a_${name}`] !== row[`b_${name}`];
  const value = VALUES.find((name) => isFar(row, name)) ?? VALUES.find(differs)!;
  const when = String(row.ts).replace(' 00:00', '');
  const files = ['a', 'b'].map((side) => `"${row[`${side}_path`]}"${ageText(row, side)}`);
  return (
    `${row.symbol} ${when}: ${value} ${row[`a_${value}`]} of ${files[0]} is served, ` +
    `${row[`b_${value}`]} of ${files[1]} is not`
  );
}

/** Says which of two files is the newer, and by what. */
function ageText(row: LosingRow, side: string): string {
  if (row.kind === 'undecided') return '';
  if (row.a_as_of !== row.b_as_of) return ` (as of ${row[`${side}_as_of`]})`;
  return ` (as of ${row[`${side}_as_of`]}, changed ${row[`${side}_modified`]} UTC)`;
}
