/** Finds days and weeks of symbols whose bars are within some hours, in `symbol_halves`. */

import { selectRows } from '../../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from '../../segments/scratch.ts';
import {
  HALVES_PER_DAY,
  type SessionProfile,
  sessionProfile,
} from '../../timing/session-profile.ts';
import { type Half, halfHoursSql, ODD_MAX, type OddSymbol, profilesOf } from './odd-symbols.ts';

/** Minutes from the first to the last bar of a part of a day: sessions have 389. */
const PART_MINUTES = 375;
/** Minutes with a bar, on average, of days that are whole sessions. */
const WHOLE_MINUTES = 150;
/** Part of the minutes of a dense part that have a bar, as a divisor. */
const DENSE = 3;
/** Bars of a symbol in dense parts, and in a week, that are looked at. */
const BARS_MIN = 10;

/** Half hours of a session, by the clocks of New York and, in summer and winter, of UTC. */
const NEW_YORK_HALVES = halvesMask(19, 32);
const UTC_HALVES = halvesMask(27, 42);
/** Bars in a half hour, on average, of symbols that `oddSymbols` judges, and half hours of others. */
const MANY_BARS = 10;
const CELLS_MIN = 8;

/** Days of a symbol with dense parts that begin in the same half hour of the day. */
export interface DayPart {
  file: number;
  symbol: string;
  profile: SessionProfile;
  /** True if the symbol has whole sessions on its other days, or none. */
  isOdd: boolean;
}

/** A week of a symbol whose bars lie within some hours of its days. */
export interface WeekPart {
  file: number;
  symbol: string;
  /** Days since the epoch of its Monday. */
  week: number;
  days: number;
  /** First and last half hour of a day, by the file's clock. */
  first: number;
  last: number;
  /** Half hours of days that have bars. */
  cells: number;
}

/** @param stepS Length of bars by file. */
export async function partsOfDays(
  scratch: Scratch,
  stepS: ReadonlyMap<number, number>,
): Promise<{ days: DayPart[]; weeks: WeekPart[]; few: OddSymbol[] }> {
  if (stepS.size === 0) return { days: [], weeks: [], few: [] };
  const connection = await scratch.connect();
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE stamp_days AS
    SELECT file_index AS file, symbol, half // ${HALVES_PER_DAY} AS day, sum(bars) AS bars,
      (hour(min(first)) * 60 + minute(min(first)))::INTEGER AS first,
      (hour(max(last)) * 60 + minute(max(last)))::INTEGER AS last,
      bit_or(1::BIGINT << (half % ${HALVES_PER_DAY})) AS halves
    FROM symbol_halves WHERE half >= 0 GROUP BY 1, 2, 3`);
  const weeks = await selectRows<WeekPart>(
    connection,
    `SELECT file, symbol, ((day + 3) // 7 * 7 - 3)::INTEGER AS week, count(*)::INTEGER AS days,
       (min(first) // 30)::INTEGER AS first, (max(last) // 30)::INTEGER AS last, sum(bit_count(halves))::INTEGER AS cells
     FROM stamp_days GROUP BY 1, 2, 3
     HAVING max(last) - min(first) < ${PART_MINUTES} AND days > 1 AND sum(bars) >= ${BARS_MIN}
     ORDER BY cells DESC LIMIT ${ODD_MAX}`,
  );
  const days = await denseDays(scratch, stepS);
  const few = await fewBars(scratch, stepS);
  await connection.run('DROP TABLE stamp_days');
  return { days, weeks, few };
}

/** Symbols with few bars, outside of the sessions in which most bars of their file are. */
async function fewBars(scratch: Scratch, stepS: ReadonlyMap<number, number>): Promise<OddSymbol[]> {
  const found = await selectRows<{ file: number; symbol: string }>(
    await scratch.connect(),
    `WITH symbols AS (SELECT file, symbol, sum(bars) AS bars, sum(bit_count(halves)) AS cells,
         sum(bit_count(halves & ${NEW_YORK_HALVES})) AS new_york,
         sum(bit_count(halves & ${UTC_HALVES})) AS utc
       FROM stamp_days GROUP BY ALL)
     SELECT file, symbol FROM (SELECT *,
         CASE WHEN sum(new_york) OVER of_file >= sum(utc) OVER of_file THEN new_york ELSE utc END AS inside
       FROM symbols WINDOW of_file AS (PARTITION BY file))
     WHERE bars < cells * ${MANY_BARS} AND cells >= ${CELLS_MIN} AND cells > inside * 1.1
     ORDER BY inside / cells, cells DESC LIMIT ${ODD_MAX}`,
  );
  return profilesOf(scratch, stepS, found);
}

/** Bits of the half hours of a day from the first one to before the last one. */
function halvesMask(from: number, to: number): number {
  return 2 ** to - 2 ** from;
}

async function denseDays(scratch: Scratch, stepS: ReadonlyMap<number, number>): Promise<DayPart[]> {
  const connection = await scratch.connect();
  const step = `CASE file ${[...stepS].map(([file, s]) => `WHEN ${file} THEN ${s / 60}`).join(' ')} END`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE dense_days AS
    SELECT file AS file_index, symbol, day, first // 30 AS part,
      (whole - total) * ${step} >= (days - part_days) * ${WHOLE_MINUTES} AS is_odd
    FROM (
      SELECT *, sum(bars) OVER own AS total, count(*) OVER own AS part_days
      FROM (SELECT *, sum(bars) OVER own AS whole, count(*) OVER own AS days FROM stamp_days
        WINDOW own AS (PARTITION BY file, symbol))
      WHERE last - first < ${PART_MINUTES} AND bars * ${DENSE} * ${step} >= last - first
      WINDOW own AS (PARTITION BY file, symbol))
    WHERE total >= ${BARS_MIN}
    QUALIFY dense_rank() OVER (ORDER BY total DESC, file, symbol) <= ${ODD_MAX}`);
  const halves = await selectRows<Half & { symbol: string; part: number; isOdd: boolean }>(
    connection,
    `WITH parts AS (FROM (${halfHoursSql(
      `(SELECT surveyed.* FROM surveyed SEMI JOIN dense_days USING (file_index, symbol)
        WHERE is_naive)`,
      true,
    )}))
     SELECT parts.*, part::INTEGER AS part, is_odd AS "isOdd" FROM parts JOIN dense_days
     ON file = file_index AND parts.symbol = dense_days.symbol AND floor(half / ${HALVES_PER_DAY}) = day`,
  );
  await connection.run('DROP TABLE dense_days');
  const groups = Map.groupBy(halves, ({ file, symbol, part }) => `${file} ${part} ${symbol}`);
  return [...groups.values()].map((own) => {
    const [{ file, symbol, isOdd }] = own;
    return { file, symbol, isOdd, profile: sessionProfile(own, stepS.get(file)!) };
  });
}
