/** Looks at all stamps of files with times of day, to decide on interval and time zone. */

import { selectRow, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { NUMBERED_DELIMITER } from '../inputs/number-lines.ts';
import { withZonedTexts } from '../segments/parquet-zones.ts';
import type { Scratch } from '../segments/scratch.ts';
import { makeSessionHours } from '../segments/session-hours.ts';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { dateSql } from '../timing/date-format.ts';
import type { WrittenDate } from '../timing/day-shift.ts';
import { type HalfHour, type SessionProfile, sessionProfile } from '../timing/session-profile.ts';
import { isUtcSql, minuteSql, stampSql } from '../timing/stamp-format.ts';
import { BAR_MESSAGES, type ColumnRole } from './columns.ts';
import { type CandleDialect, textGroupKey } from './dialect.ts';

export interface StampSurvey {
  stamps: number;
  /** Number of stamps without an offset from UTC. */
  naive: number;
  /** True if some symbol has two stamps of one date, other than the last of daily bars. */
  hasSeveralADay: boolean;
  /** True if some symbol has stamps of two dates. */
  hasSeveralDays: boolean;
  /** True if all stamps are at midnight in UTC, or at New York's midnight in UTC. */
  isAtMidnight: boolean;
  /** Number of minutes and seconds of hours that stamps have, and all but the last of symbols. */
  hourPlaces: number;
  hourPlacesButLast: number;
  /** Times of day beyond one for each side of New York's changes of clocks. */
  oddTimes: number;
  wholeMinutes: number;
  /** Least distance in seconds between two stamps of a symbol on a date, among whole minutes. */
  stepS: number | undefined;
  /** Number of such distances, of those equal to the least one, and of its whole multiples. */
  steps: number;
  leastSteps: number;
  multipleSteps: number;
  /** Naive stamps within regular sessions, read as New York time and as UTC. */
  inSessionNewYork: number;
  inSessionUtc: number;
  /** Sessions with naive stamps, and those that look like sessions of another zone. */
  sessions: number;
  shiftedNewYork: number;
  shiftedUtc: number;
  /** Naive stamps from 04:00 to 20:00 on session days, read as New York time. */
  inExtendedNewYork: number;
  /** Sessions with stamps in both the first and the last half hour of that time. */
  wholeExtendedNewYork: number;
  /** Profile of the naive stamps by the file's clock, and of the others by UTC. */
  profile: SessionProfile;
  offsetProfile: SessionProfile;
}

export interface SurveyedFile {
  diskPath: string;
  dialect: CandleDialect;
}

/** @param isAtEnd True if bars are stamped with their end, so that the moment before counts. */
export async function surveyStamps(
  scratch: Scratch,
  files: readonly SurveyedFile[],
  isAtEnd: boolean,
): Promise<(StampSurvey | undefined)[]> {
  if (files.length === 0) return [];
  const connection = await scratch.connect();
  await makeSessionHours(scratch);
  const groups = Map.groupBy(files.keys(), (index) => textGroupKey(files[index]));
  const selects = [...groups.values()].map((indexes) => stampsSql(files, indexes));
  await connection.run(`CREATE OR REPLACE TEMP TABLE surveyed AS ${selects.join(' UNION ALL ')}`);
  const rows = await selectRows<Omit<StampSurvey, 'profile' | 'offsetProfile'> & { file: number }>(
    connection,
    surveySql('FROM surveyed', isAtEnd),
  );
  const halfHours = await selectRows<HalfHour & { file: number; isNaive: boolean }>(
    connection,
    HALF_HOURS_SQL,
  );
  await connection.run('DROP TABLE surveyed');
  const halvesByFile = Map.groupBy(halfHours, ({ file }) => file);
  const byFile = new Map(
    rows.map(({ file, ...survey }) => {
      const halves = halvesByFile.get(file) ?? [];
      const profileOf = (isNaive: boolean) =>
        sessionProfile(
          halves.filter((half) => half.isNaive === isNaive),
          survey.stepS ?? 60,
        );
      return [file, { ...survey, profile: profileOf(true), offsetProfile: profileOf(false) }];
    }),
  );
  for (const [index, survey] of byFile) {
    const isRare = survey.hasSeveralADay && survey.steps * 4 <= survey.stamps;
    if (isRare && (await isDailyButLast(scratch, files[index]))) survey.hasSeveralADay = false;
  }
  return files.map((_, index) => byFile.get(index));
}

/** Bars of each half hour of files that have several a day, and those at its start. */
const HALF_HOURS_SQL = `
  WITH timed AS (SELECT file_index, stamp.is_naive AS is_naive, floor(epoch(stamp.clock) / 1800) AS half,
      epoch(stamp.clock) % 1800 AS second, volume
    FROM surveyed WHERE stamp.clock IS NOT NULL)
  SELECT file_index AS file, is_naive AS "isNaive", half::DOUBLE AS half, count(*)::DOUBLE AS bars,
    coalesce(sum(volume), 0)::DOUBLE AS volume,
    count(*) FILTER (second = 0)::DOUBLE AS "firstBars",
    coalesce(sum(volume) FILTER (second = 0), 0)::DOUBLE AS "firstVolume",
    count(*) FILTER (second = 60 OR second = 300)::DOUBLE AS "nextBars",
    coalesce(sum(volume) FILTER (second = 60), sum(volume) FILTER (second = 300), 0)::DOUBLE
      AS "nextVolume",
    bit_or(1::INTEGER << (second // 60)::INTEGER) AS minutes
  FROM timed GROUP BY ALL`;

/** SQL of the distance of New York's clock from UTC on the day of a stamp. */
const SIDE = 'coalesce(open_utc - open_local, INTERVAL 0 HOUR)';

function surveySql(stamps: string, isAtEnd: boolean): string {
  const start = isAtEnd ? 'clock - INTERVAL 1 SECOND' : 'clock';
  return `
    WITH stamps AS (SELECT file_index, symbol, stamp.clock AS clock,
        stamp.is_naive AS is_naive, epoch_us(clock) % 60000000 = 0 AS is_whole
      FROM (${stamps}) WHERE stamp.clock IS NOT NULL),
    placed AS (SELECT file_index, symbol, clock, is_naive, is_whole,
        lag(clock) OVER (PARTITION BY file_index, symbol, is_whole ORDER BY clock) AS before,
        lead(clock) OVER (PARTITION BY file_index, symbol, is_whole ORDER BY clock) IS NULL AS is_last,
        ${start} AS start
      FROM stamps),
    judged AS (SELECT *, before < clock AND before::DATE = clock::DATE AS is_same_day,
        before::DATE < clock::DATE AS is_next_day,
        is_naive AND start >= open_local AND start < close_local AS is_in_new_york,
        is_naive AND start >= open_utc AND start < close_utc AS is_in_utc
      FROM placed LEFT JOIN session_hours ON day = start::DATE),
    shifted AS (SELECT file_index, count(*)::DOUBLE AS sessions,
        count(*) FILTER (is_shifted_local)::DOUBLE AS "shiftedNewYork",
        count(*) FILTER (is_shifted_utc)::DOUBLE AS "shiftedUtc",
        sum(extended)::DOUBLE AS "inExtendedNewYork",
        count(*) FILTER (is_whole_extended)::DOUBLE AS "wholeExtendedNewYork"
      FROM (SELECT file_index, ${shiftedSql('local')}, ${shiftedSql('utc')}, ${EXTENDED_SQL}
        FROM judged WHERE is_naive AND day IS NOT NULL GROUP BY file_index, day)
      GROUP BY file_index),
    distances AS (SELECT file_index, epoch(clock - before) AS step, count(*) AS count
      FROM judged WHERE is_same_day AND is_whole GROUP BY ALL),
    steps AS (SELECT file_index, sum(count)::DOUBLE AS steps,
        arg_min(count, step)::DOUBLE AS "leastSteps",
        sum(count) FILTER (step % least = 0)::DOUBLE AS "multipleSteps"
      FROM (SELECT *, min(step) OVER (PARTITION BY file_index) AS least FROM distances)
      GROUP BY file_index)
    SELECT file_index AS file, count(*)::DOUBLE AS stamps,
      count(*) FILTER (is_naive)::DOUBLE AS naive,
      coalesce(bool_or(is_same_day), false) AS "hasSeveralADay",
      coalesce(bool_or(is_next_day), false) AS "hasSeveralDays",
      bool_and(clock::TIME IN ('00:00:00', '04:00:00', '05:00:00')) AS "isAtMidnight",
      count(DISTINCT epoch(clock) % 3600)::DOUBLE AS "hourPlaces",
      count(DISTINCT epoch(clock) % 3600) FILTER (NOT is_last)::DOUBLE AS "hourPlacesButLast",
      (count(DISTINCT (clock::TIME, ${SIDE})) - count(DISTINCT ${SIDE}))::DOUBLE
        AS "oddTimes",
      count(*) FILTER (is_whole)::DOUBLE AS "wholeMinutes",
      min(epoch(clock - before)) FILTER (is_same_day AND is_whole)::DOUBLE AS "stepS",
      count(*) FILTER (is_in_new_york)::DOUBLE AS "inSessionNewYork",
      count(*) FILTER (is_in_utc)::DOUBLE AS "inSessionUtc",
      coalesce(any_value(COLUMNS(shifted.* EXCLUDE file_index)), 0),
      coalesce(any_value(COLUMNS(steps.* EXCLUDE file_index)), 0)
    FROM judged LEFT JOIN shifted USING (file_index) LEFT JOIN steps USING (file_index)
    GROUP BY file_index`;
}

/** Counts per session in New York: stamps from 04:00 to 20:00, and if both ends have some. */
const EXTENDED_SQL = `count(*) FILTER (start::TIME >= '04:00' AND start::TIME < '20:00') AS extended,
  bool_or(start::TIME >= '04:00' AND start::TIME < '04:30')
    AND bool_or(start::TIME >= '19:30' AND start::TIME < '20:00') AS is_whole_extended`;

/**
 * Condition for a session whose clock is off by an hour or more. Its stamps run half an hour or
 * more past the close and its first half hour is empty, or the other way round.
 */
function shiftedSql(clock: 'local' | 'utc'): string {
  const [open, close, half] = [`open_${clock}`, `close_${clock}`, "INTERVAL '30' MINUTE"];
  return `(bool_or(start >= ${close} + ${half})
      AND NOT bool_or(start >= ${open} AND start < ${open} + ${half}))
    OR (bool_or(start < ${open} - ${half})
      AND NOT bool_or(start >= ${close} - ${half} AND start < ${close})) AS is_shifted_${clock}`;
}

/** SELECT giving file_index, symbol, stamp and volume of every line. */
function stampsSql(files: readonly SurveyedFile[], indexes: readonly number[]): string {
  const { dateFormat } = files[indexes[0]].dialect;
  return `SELECT file_index, symbol, ${stampSql('stamp_text', dateFormat)} AS stamp,
      TRY_CAST(replace(volume_text, ',', '') AS DOUBLE) AS volume
    FROM (${stampTextsSql(files, indexes)})`;
}

/** SELECT giving file_index, symbol, stamp_text and volume_text of every line. */
function stampTextsSql(files: readonly SurveyedFile[], indexes: readonly number[]): string {
  const { dialect } = files[indexes[0]];
  const text = (role: ColumnRole) => {
    const position = dialect.columns[role];
    return position === undefined ? undefined : textSql(dialect, position);
  };
  const [date, time] = [text('date')!, text('time')];
  const stamp = time === undefined ? date : `${date} || ' ' || ${time}`;
  const messages = BAR_MESSAGES.map(sqlString).join(', ');
  const message = text('message');
  const paths = indexes.map((index) => files[index].diskPath);
  // A Parquet file, which is alone in its group, may have a column `file_index` of its own.
  const place = dialect.form === 'parquet' ? '0' : 'file_index';
  return `SELECT ([${indexes}])[(${place})::BIGINT + 1]::INTEGER AS file_index,
      ${text('symbol') ?? "''"} AS symbol, ${stamp} AS stamp_text,
      ${text('volume') ?? 'NULL'} AS volume_text
    FROM ${linesSql(dialect, paths)}
    ${message === undefined ? '' : `WHERE ${message} IN (${messages})`}`;
}

/**
 * Returns true for daily bars whose last day stands twice: Yahoo adds the close of the running day
 * to its bar, which is stamped at the open. All other days have one stamp, at one time of day in
 * summer and one in winter.
 */
async function isDailyButLast(scratch: Scratch, file: SurveyedFile): Promise<boolean> {
  const { isDaily } = await selectRow<{ isDaily: boolean }>(
    await scratch.connect(),
    `SELECT coalesce(bool_and(CASE WHEN is_last THEN stamps <= 2 ELSE stamps = 1 END)
         AND count(*) FILTER (NOT is_last) >= 3 * count(*) FILTER (stamps = 2)
         AND count(DISTINCT clock::TIME) FILTER (NOT is_last) <= 2, false) AS "isDaily"
     FROM (SELECT symbol, count(DISTINCT stamp.clock) AS stamps, min(stamp.clock) AS clock,
         stamp.clock::DATE = max(stamp.clock::DATE) OVER (PARTITION BY symbol) AS is_last
       FROM (${stampsSql([file], [0])}) WHERE stamp.clock IS NOT NULL
       GROUP BY symbol, stamp.clock::DATE)`,
  );
  return isDaily;
}

/** Counts the dates of daily bars as written, with the time of day that stands beside them. */
export async function surveyDates(
  scratch: Scratch,
  files: readonly SurveyedFile[],
): Promise<WrittenDate[][]> {
  if (files.length === 0) return [];
  const groups = Map.groupBy(files.keys(), (index) => textGroupKey(files[index]));
  const selects = [...groups.values()].map((indexes) => {
    const { dateFormat } = files[indexes[0]].dialect;
    return `SELECT file_index, symbol, ${dateSql('stamp_text', dateFormat)} AS date,
        ${minuteSql('stamp_text', dateFormat)} AS minute,
        ${isUtcSql('stamp_text', dateFormat)} AS is_utc
      FROM (${stampTextsSql(files, indexes)})`;
  });
  const rows = await selectRows<WrittenDate & { file: number }>(
    await scratch.connect(),
    `SELECT file_index AS file, (date - DATE '1970-01-01')::INTEGER AS day, minute,
       bool_and(is_utc) AS "isUtc", count(DISTINCT symbol)::INTEGER AS count
     FROM (${selects.join(' UNION ALL ')}) WHERE date IS NOT NULL GROUP BY 1, 2, 3 ORDER BY file, day, minute`,
  );
  const byFile = Map.groupBy(rows, ({ file }) => file);
  return files.map((_, index) => byFile.get(index) ?? []);
}

function textSql({ form, header }: CandleDialect, position: number): string {
  if (form === 'csv') return `trim(c${position})`;
  const name = header[position];
  if (form === 'parquet') return `${sqlName(name)}::VARCHAR`;
  const path = sqlString(`$."${name.replaceAll('"', '\\"')}"`);
  return `CASE WHEN json_valid(text) THEN json_extract_string(text, ${path}) END`;
}

/** Reads the header as a line too, because it holds no stamp. */
function linesSql(
  { form, delimiter, header, zones }: CandleDialect,
  paths: readonly string[],
): string {
  const list = `[${paths.map(sqlFile).join(', ')}]`;
  if (form === 'parquet') {
    return withZonedTexts(`read_parquet(${list}, hive_partitioning = false)`, zones);
  }
  const names = form === 'csv' ? header.map((_, at) => `c${at}`) : ['text'];
  const columns = names.map((name) => `'${name}': 'VARCHAR'`).join(', ');
  const cut =
    form === 'csv'
      ? `delim = ${sqlString(delimiter)}, quote = '"', null_padding = true, strict_mode = false`
      : `delim = '${NUMBERED_DELIMITER}', quote = '', escape = ''`;
  return `read_csv(${list}, columns = {${columns}}, header = false, auto_detect = false, ${cut},
    ignore_errors = true, hive_partitioning = false)`;
}
