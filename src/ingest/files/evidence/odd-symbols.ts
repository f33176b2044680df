/** Finds symbols of a file whose day is moved against that of the others. */

import { jsonTable, selectRows } from '../../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from '../../segments/scratch.ts';
import {
  HALVES_PER_DAY,
  type HalfHour,
  OFFSETS,
  type SessionProfile,
  sessionProfile,
} from '../../timing/session-profile.ts';

export type Half = HalfHour & { file: number; isNaive: boolean; wholeMinutes: number };

/** Bars of each half hour, and those at its start. Symbols share most stamps, which are added first. */
export function halfHoursSql(from: string, bySymbol = false): string {
  const symbol = bySymbol ? 'symbol, ' : '';
  return `
  WITH stamps AS (SELECT file_index, ${symbol}is_naive, clock, count(*) AS bars, sum(volume) AS volume
    FROM ${from} GROUP BY ALL),
  timed AS (SELECT *, epoch_us(clock) // 1800000000 AS half, epoch(clock) % 1800 AS second
    FROM stamps)
  SELECT file_index AS file, ${symbol}is_naive AS "isNaive", half::DOUBLE AS half, sum(bars)::DOUBLE AS bars,
    coalesce(sum(volume), 0)::DOUBLE AS volume,
    coalesce(sum(bars) FILTER (second = 0), 0)::DOUBLE AS "firstBars",
    coalesce(sum(volume) FILTER (second = 0), 0)::DOUBLE AS "firstVolume",
    coalesce(sum(bars) FILTER (second = 60 OR second = 300), 0)::DOUBLE AS "nextBars",
    coalesce(sum(volume) FILTER (second = 60), sum(volume) FILTER (second = 300), 0)::DOUBLE
      AS "nextVolume",
    coalesce(sum(bars) FILTER (second % 60 = 0), 0)::DOUBLE AS "wholeMinutes",
    bit_or(1::INTEGER << (second // 60)::INTEGER) AS minutes
  FROM timed GROUP BY ALL`;
}

/**
 * Creates the table `symbol_halves` of the half hours of symbols in the view `surveyed`, by naive
 * stamps. Other looks at symbols read it, because it is a thirtieth of whole sessions.
 */
export async function stageHalves(scratch: Scratch, files: readonly number[]): Promise<void> {
  const connection = await scratch.connect();
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE symbol_halves AS
    SELECT file_index, symbol, epoch_us(clock) // 1800000000 AS half, count(*) AS bars,
      sum(coalesce(volume, 0)) AS volume, min(clock) AS first, max(clock) AS last
    FROM surveyed WHERE is_naive AND file_index IN (${[-1, ...files]}) GROUP BY ALL`);
}

/** A symbol with the profile of its own naive stamps. */
export interface OddSymbol {
  file: number;
  symbol: string;
  profile: SessionProfile;
}

/** Likeness of a moved day, as a multiple of that of the day as it is. */
const MOVED_MIN = 1.05;
/** Symbols of a load that are looked at: the oddest ones. */
export const ODD_MAX = 500;

/**
 * Looks at `symbol_halves`, on each side of a change of clocks by itself.
 * @param stepS Length of bars by file.
 * @param profiles Those of the files, which show changes of clocks.
 */
export async function oddSymbols(
  scratch: Scratch,
  stepS: ReadonlyMap<number, number>,
  profiles: readonly SessionProfile[],
): Promise<OddSymbol[]> {
  if (stepS.size === 0) return [];
  const connection = await scratch.connect();
  const side = [...new Set(profiles.flatMap(changesOf))]
    .map((day) => `(half >= ${day * HALVES_PER_DAY})::INTEGER`)
    .join(' + ');
  const days = await selectRows<{ file: number; side: number; symbol: string; day: number[] }>(
    connection,
    `WITH totals AS (SELECT file_index, ${side || '0'} AS side, symbol,
         half % ${HALVES_PER_DAY} AS half, sum(bars + volume)::DOUBLE AS total
       FROM symbol_halves WHERE half >= 0 AND file_index IN (${[...stepS.keys()]}) GROUP BY ALL)
     SELECT file_index AS file, side, symbol, list(total ORDER BY half) AS day FROM (
       SELECT file_index, side, symbol, half, coalesce(total, 0) AS total
       FROM (SELECT DISTINCT file_index, side, symbol FROM totals)
       CROSS JOIN (SELECT unnest(range(${HALVES_PER_DAY})) AS half)
       LEFT JOIN totals USING (file_index, side, symbol, half))
     GROUP BY ALL ORDER BY ALL`,
  );
  const odd = [...Map.groupBy(days, ({ file, side }) => `${file} ${side}`).values()].flatMap(
    (own) => {
      const whole = ofLengthOne(sumsOf(own.map(({ day }) => ofLengthOne(day))));
      return own.map(({ file, symbol, day }) => ({ file, symbol, by: movedBy(day, whole) }));
    },
  );
  const oddest = odd.filter(({ by }) => by > MOVED_MIN).toSorted((a, b) => b.by - a.by);
  const once = new Map(oddest.map((one) => [`${one.file} ${one.symbol}`, one]));
  return profilesOf(scratch, stepS, [...once.values()].slice(0, ODD_MAX));
}

/** Returns the first sessions behind changes of clocks, as days. */
function changesOf({ sessions }: SessionProfile): number[] {
  const next = sessions.slice(1);
  return next.filter(({ regime }, i) => regime !== sessions[i].regime).map(({ day }) => day);
}

/** Profiles of the naive stamps of symbols, in the view `surveyed`. */
export async function profilesOf(
  scratch: Scratch,
  stepS: ReadonlyMap<number, number>,
  oddest: readonly { file: number; symbol: string }[],
): Promise<OddSymbol[]> {
  if (oddest.length === 0) return [];
  const connection = await scratch.connect();
  const asked = jsonTable({ file_index: 'INTEGER', symbol: 'VARCHAR' });
  const halves = await selectRows<Half & { symbol: string }>(
    connection,
    halfHoursSql(
      `(FROM surveyed SEMI JOIN ${asked} USING (file_index, symbol) WHERE is_naive)`,
      true,
    ),
    [JSON.stringify(oddest.map(({ file, symbol }) => ({ file_index: file, symbol })))],
  );
  return [...Map.groupBy(halves, ({ file, symbol }) => `${file} ${symbol}`).values()].map((own) => {
    const [{ file, symbol }] = own;
    return { file, symbol, profile: sessionProfile(own, stepS.get(file)!) };
  });
}

/** Returns how much more alike two days are if one of them is moved, at best. */
function movedBy(day: readonly number[], whole: readonly number[]): number {
  const alike = (offset: number) =>
    day.reduce((sum, value, half) => {
      const moved = (half + offset + 2 * HALVES_PER_DAY) % HALVES_PER_DAY;
      return sum + value * whole[moved];
    }, 0);
  const own = alike(0);
  if (own === 0) return day.some((value) => value > 0) ? Number.POSITIVE_INFINITY : 0;
  return Math.max(...OFFSETS.map(alike)) / own;
}

function sumsOf(days: readonly (readonly number[])[]): number[] {
  return days[0].map((_, half) => days.reduce((sum, day) => sum + day[half], 0));
}

function ofLengthOne(day: readonly number[]): number[] {
  const length = Math.hypot(...day) || 1;
  return day.map((value) => value / length);
}
