/** Looks at all stamps of files with times of day, to decide on interval and time zone. */

import { selectRow, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { NUMBERED_DELIMITER } from '../inputs/number-lines.ts';
import { withZonedTexts } from '../segments/parquet-zones.ts';
import type { Scratch } from '../segments/scratch.ts';
import { makeSessionHours } from '../segments/session-hours.ts';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { dateSql } from '../timing/date-format.ts';
import type { WrittenDate } from '../timing/day-shift.ts';
import {
  barsBetween,
  type ClockOf,
  NEW_YORK_CLOCK,
  type SessionProfile,
  sessionProfile,
  UTC_CLOCK,
} from '../timing/session-profile.ts';
import { isUtcSql, minuteSql, stampSql, withoutPointSql } from '../timing/stamp-format.ts';
import { BAR_MESSAGES, type ColumnRole } from './columns.ts';
import { type CandleDialect, textGroupKey } from './dialect.ts';
import { type DayPart, partsOfDays, type WeekPart } from './evidence/day-parts.ts';
import {
  type Half,
  halfHoursSql,
  type OddSymbol,
  oddSymbols,
  stageHalves,
} from './evidence/odd-symbols.ts';
import { DAY_US, readSteps, type Step } from './evidence/stamp-steps.ts';

export interface StampSurvey extends TimesOfDay {
  stamps: number;
  /** Number of stamps without an offset from UTC. */
  naive: number;
  /** True if some symbol has two stamps of one date, other than the last of daily bars. */
  hasSeveralADay: boolean;
  /** True if some symbol has stamps of two dates. */
  hasSeveralDays: boolean;
  wholeMinutes: number;
  /** Least distance in seconds between two stamps of a symbol on a date, among whole minutes. */
  stepS: number | undefined;
  /** Number of such distances, of those equal to the least one, and of its whole multiples. */
  steps: number;
  leastSteps: number;
  multipleSteps: number;
  /** Profile of the naive stamps by the file's clock, and of the others by UTC. */
  profile: SessionProfile;
  offsetProfile: SessionProfile;
  /** Symbols whose day is moved against that of all symbols. */
  odd: OddSymbol[];
  /** Days and weeks of symbols whose bars are within some hours. */
  parts: DayPart[];
  weeks: WeekPart[];
  /** Symbols with few bars, many of them outside of the sessions of the others. */
  few: OddSymbol[];
}

/** Facts about files with a stamp a symbol and day; zero for others. */
interface TimesOfDay {
  /** True if all stamps are at midnight in UTC, or at New York's midnight in UTC. */
  isAtMidnight: boolean;
  /** Number of minutes and seconds of hours that stamps have, and all but the last of symbols. */
  hourPlaces: number;
  hourPlacesButLast: number;
  /** Times of day beyond one for each side of New York's changes of clocks. */
  oddTimes: number;
}

export interface SurveyedFile {
  diskPath: string;
  dialect: CandleDialect;
}

/** @param parsed Positions of the files whose rows are in `parsed_minutes`. */
export async function surveyStamps(
  scratch: Scratch,
  files: readonly SurveyedFile[],
  parsed: ReadonlySet<number>,
): Promise<(StampSurvey | undefined)[]> {
  if (files.length === 0) return [];
  const connection = await scratch.connect();
  await stageStamps(scratch, files, parsed);
  const halves = await selectRows<Half>(connection, halfHoursSql('surveyed'));
  const stepsByFile = await readSteps(scratch);
  const surveys = new Map(
    [...Map.groupBy(halves, fileOf)].map(([file, own]) => [
      file,
      surveyOf(own, stepsByFile.get(file) ?? []),
    ]),
  );
  const ofDays: number[] = [];
  for (const [file, survey] of surveys) {
    const isRare = survey.hasSeveralADay && survey.steps * 4 <= survey.stamps;
    if (isRare && (await isDailyButLast(scratch, file))) survey.hasSeveralADay = false;
    if (!survey.hasSeveralADay) ofDays.push(file);
  }
  for (const { file, ...times } of await timesOfDays(scratch, ofDays)) {
    Object.assign(surveys.get(file)!, times);
  }
  const timed = [...surveys].filter(
    ([, survey]) => survey.hasSeveralADay && survey.stepS !== undefined && survey.naive > 0,
  );
  const several = timed.filter(([file]) => files[file].dialect.columns.symbol !== undefined);
  const stepsOf = (of: typeof timed) => new Map(of.map(([file, { stepS }]) => [file, stepS!]));
  await stageHalves(
    scratch,
    timed.map(([file]) => file),
  );
  // Beside bars of sessions alone, a whole session of another clock would show.
  const mixed = stepsOf(several.filter(([, survey]) => !areInSessions(survey)));
  const profiles = [...mixed.keys()].map((file) => surveys.get(file)!.profile);
  for (const odd of await oddSymbols(scratch, mixed, profiles)) {
    surveys.get(odd.file)!.odd.push(odd);
  }
  const { days, weeks, few } = await partsOfDays(scratch, stepsOf(timed));
  for (const part of days) surveys.get(part.file)!.parts.push(part);
  for (const part of weeks) surveys.get(part.file)!.weeks.push(part);
  for (const odd of few) surveys.get(odd.file)!.few.push(odd);
  await connection.run('DROP VIEW surveyed; DROP TABLE surveyed_texts; DROP TABLE symbol_halves');
  return files.map((_, index) => surveys.get(index));
}

/** Creates the view `surveyed` (file_index, symbol, clock, is_naive, volume) of all stamps. */
async function stageStamps(
  scratch: Scratch,
  files: readonly SurveyedFile[],
  parsed: ReadonlySet<number>,
): Promise<void> {
  const connection = await scratch.connect();
  const others = [...files.keys()].filter((index) => !parsed.has(index));
  const groups = Map.groupBy(others, (index) => textGroupKey(files[index]));
  const selects = [...groups.values()].map((indexes) => stampsSql(files, indexes));
  const none =
    "SELECT 0 AS file_index, '' AS symbol, NULL::TIMESTAMP AS clock, true AS is_naive, 0.0::DOUBLE AS volume LIMIT 0";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE surveyed_texts AS ${selects.join(' UNION ALL ') || none}`,
  );
  const typed = `UNION ALL SELECT file, symbol_text, clock, is_naive, volume
    FROM parsed_minutes WHERE file IN (${[...parsed]})`;
  await connection.run(`CREATE OR REPLACE TEMP VIEW surveyed AS
    SELECT * FROM (FROM surveyed_texts ${parsed.size > 0 ? typed : ''}) WHERE clock IS NOT NULL`);
}

const fileOf = ({ file }: { file: number }) => file;

const MICROS_PER_SECOND = 1_000_000;

/** Returns true if all naive stamps lie in sessions by one clock and side of stamps. */
function areInSessions({ naive, profile }: StampSurvey): boolean {
  const inSessions = (clock: ClockOf, isAtEnd: boolean) =>
    profile.sessions.reduce((sum, session) => {
      const offset = clock(session);
      return sum + barsBetween(profile, session.open + offset, session.close + offset, isAtEnd);
    }, 0);
  return [NEW_YORK_CLOCK, UTC_CLOCK].some((clock) =>
    [false, true].some((isAtEnd) => inSessions(clock, isAtEnd) === naive),
  );
}

function surveyOf(halves: readonly Half[], found: readonly Step[]): StampSurvey {
  const sum = (of: (half: Half) => number) => halves.reduce((total, half) => total + of(half), 0);
  const isOfDate = ({ stepUs, isPart }: Step) =>
    stepUs !== null && stepUs > 0 && stepUs < DAY_US && !isPart;
  const stepped = found
    .filter(isOfDate)
    .map(({ stepUs, count }) => ({ stepS: stepUs! / MICROS_PER_SECOND, count }));
  const stepS = stepped.length > 0 ? Math.min(...stepped.map((step) => step.stepS)) : undefined;
  const countOf = (isCounted: (step: number) => boolean) =>
    stepped.reduce((total, step) => total + (isCounted(step.stepS) ? step.count : 0), 0);
  const profileOf = (isNaive: boolean) =>
    sessionProfile(
      halves.filter((half) => half.isNaive === isNaive),
      stepS ?? 60,
    );
  return {
    stamps: sum(({ bars }) => bars),
    naive: sum(({ bars, isNaive }) => (isNaive ? bars : 0)),
    wholeMinutes: sum(({ wholeMinutes }) => wholeMinutes),
    hasSeveralADay: found.some(({ stepUs }) => stepUs !== null && stepUs > 0 && stepUs < DAY_US),
    hasSeveralDays: found.some(({ stepUs }) => stepUs === DAY_US),
    stepS,
    steps: countOf(() => true),
    leastSteps: countOf((step) => step === stepS),
    multipleSteps: countOf((step) => step % stepS! === 0),
    ...{ isAtMidnight: false, hourPlaces: 0, hourPlacesButLast: 0, oddTimes: 0 },
    profile: profileOf(true),
    offsetProfile: profileOf(false),
    odd: [],
    parts: [],
    weeks: [],
    few: [],
  };
}

/** SQL of the distance of New York's clock from UTC on the day of a stamp. */
const SIDE = 'coalesce(open_utc - open_local, INTERVAL 0 HOUR)';

async function timesOfDays(
  scratch: Scratch,
  files: readonly number[],
): Promise<(TimesOfDay & { file: number })[]> {
  if (files.length === 0) return [];
  await makeSessionHours(scratch);
  return selectRows(
    await scratch.connect(),
    `SELECT file_index AS file,
       bool_and(clock::TIME IN ('00:00:00', '04:00:00', '05:00:00')) AS "isAtMidnight",
       count(DISTINCT epoch(clock) % 3600)::DOUBLE AS "hourPlaces",
       count(DISTINCT epoch(clock) % 3600) FILTER (NOT is_last)::DOUBLE AS "hourPlacesButLast",
       (count(DISTINCT (clock::TIME, ${SIDE})) - count(DISTINCT ${SIDE}))::DOUBLE AS "oddTimes"
     FROM (SELECT file_index, clock,
         lead(clock) OVER (PARTITION BY file_index, symbol ORDER BY clock) IS NULL AS is_last
       FROM surveyed WHERE file_index IN (${files}))
     LEFT JOIN session_hours ON day = clock::DATE GROUP BY file_index`,
  );
}

/**
 * Returns true for daily bars whose last day stands twice: Yahoo adds the close of the running day
 * to its bar, which is stamped at the open. All other days have one stamp, at one time of day in
 * summer and one in winter.
 */
async function isDailyButLast(scratch: Scratch, file: number): Promise<boolean> {
  const { isDaily } = await selectRow<{ isDaily: boolean }>(
    await scratch.connect(),
    `SELECT coalesce(bool_and(CASE WHEN is_last THEN stamps <= 2 ELSE stamps = 1 END)
         AND count(*) FILTER (NOT is_last) >= 3 * count(*) FILTER (stamps = 2)
         AND count(DISTINCT clock::TIME) FILTER (NOT is_last) <= 2, false) AS "isDaily"
     FROM (SELECT symbol, count(DISTINCT s.clock) AS stamps, min(s.clock) AS clock,
         s.clock::DATE = max(s.clock::DATE) OVER (PARTITION BY symbol) AS is_last
       FROM surveyed s WHERE file_index = ${file} GROUP BY symbol, s.clock::DATE)`,
  );
  return isDaily;
}

/** SELECT giving file_index, symbol, clock, is_naive and volume of every line. */
function stampsSql(files: readonly SurveyedFile[], indexes: readonly number[]): string {
  const { dateFormat } = files[indexes[0]].dialect;
  return `SELECT file_index, symbol, stamp.clock AS clock, stamp.is_naive AS is_naive, volume
    FROM (SELECT file_index, symbol, ${stampSql('stamp_text', dateFormat)} AS stamp,
        TRY_CAST(replace(volume_text, ',', '') AS DOUBLE) AS volume
      FROM (${stampTextsSql(files, indexes)}))`;
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

/** SELECT giving file_index, symbol, stamp_text and volume_text of every line. */
function stampTextsSql(files: readonly SurveyedFile[], indexes: readonly number[]): string {
  const { dialect } = files[indexes[0]];
  const text = (role: ColumnRole) => {
    const position = dialect.columns[role];
    return position === undefined ? undefined : textSql(dialect, position);
  };
  const [date, time] = [withoutPointSql(text('date')!, dialect.form), text('time')];
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

export function textSql({ form, header }: CandleDialect, position: number): string {
  if (form === 'csv') return `trim(c${position})`;
  const name = header[position];
  if (form === 'parquet') return `${sqlName(name)}::VARCHAR`;
  const path = sqlString(`$."${name.replaceAll('"', '\\"')}"`);
  return `CASE WHEN json_valid(text) THEN json_extract_string(text, ${path}) END`;
}

/** Reads the header as a line too, because it holds no stamp. */
export function linesSql(
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
