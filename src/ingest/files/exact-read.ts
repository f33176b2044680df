/** Reads files line by line: each line becomes a good row or a refused one with a reason. */

import { join } from 'node:path';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import { newYorkMidnightMs } from '../../base/time/calendar.ts';
import type { BaseInterval } from '../../base/time/intervals.ts';
import { mkdir, rm } from '../../base/world/file-promises.ts';
import { type DayCounts, dayFlagsSql, needLook } from '../../store/duckdb/connection/day-counts.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { numberLines } from '../inputs/number-lines.ts';
import type { ServedDays } from '../segments/closed-days.ts';
import { refuseLongerSteps } from '../segments/longer-steps.ts';
import type { Scratch } from '../segments/scratch.ts';
import { type Judged, judgeRows } from '../segments/settle-rows.ts';
import { sqlString } from '../segments/sql-text.ts';
import { daysReader, type FaultsOfDays, findFalseDays } from '../timing/false-days.ts';
import { type CandleDialect, textGroupKey } from './dialect.ts';
import { refuseOrders } from './evidence/date-orders.ts';
import { NUMBER_ROLES, type TextGroup, textRowsSql } from './exact-text.ts';
import type { CandleInput } from './prepare.ts';
import { settleZones } from './settle-zones.ts';

/** A file with its position in the segment's list; files that are read together have one interval. */
type ExactFile = Pick<
  CandleInput,
  'diskPath' | 'dialect' | 'stamps' | 'dataLines' | 'addedLines' | 'symbolFaults' | 'isOfOther'
> & {
  index: number;
  /**
   * Texts of the symbols to read, whose lines `dataLines` counts; undefined: all. The days of such
   * a file are judged already.
   */
  symbols?: ReadonlySet<string>;
};

/** Series of a row (of one file only), the reason for none, or `left out` if not requested. */
export type Identity = { series: number } | { reason: string } | 'left out';

/** Called once for each file index and text in its symbol column; null without such a column. */
export type Identify = (index: number, symbolText: string | null) => Identity;

export interface ExactRequest {
  files: readonly ExactFile[];
  identify: Identify;
  nowMs: number;
  faultsOfDays: FaultsOfDays;
  /** Rows of other days are left out, neither accepted nor refused. Days are New York's. */
  window: { fromDay?: number; toDay?: number };
  /** True if the user states the symbol of each file. */
  isOne: boolean;
  /** True if the user states that dates are right as written. */
  areDatesRight: boolean;
  /** True if symbols of a file of minutes may have longer bars, which are refused then. */
  mayHoldLonger: boolean;
  servedDays?: ServedDays;
}

/** Reads every row into the scratch table `judged`, the columns of actions included. */
export async function readExactly(scratch: Scratch, request: ExactRequest): Promise<Judged> {
  const connection = await scratch.connect();
  const interval = intervalOf(request);
  await readTexts(scratch, request.files);
  if (interval !== '1d') await settleZones(scratch, 'text_rows', request.files[0].stamps!);
  await identifyRows(scratch, request);
  await refuseOrders(scratch, request.files);
  if (interval === '1d') await refuseFalseDays(scratch, request);
  else if (request.mayHoldLonger) await refuseLongerSteps(scratch, interval);
  const judged = await judgeRows(scratch, {
    candidatesSql: candidatesSql(request),
    interval,
    nowMs: request.nowMs,
    newestFirst: request.files.flatMap(({ index, dialect }) =>
      dialect.isNewestFirst ? [index] : [],
    ),
    several: { isOne: request.isOne, symbolColumns: symbolColumns(request) },
    areDatesRight: request.areDatesRight,
    servedDays: request.servedDays,
  });
  const leftOut = await selectRows<{ file: number; count: number }>(
    connection,
    `SELECT file_index AS file, count(*)::DOUBLE AS count FROM text_rows JOIN series_of
     USING (file_index, symbol_key) WHERE ${leftOutSql(request)} GROUP BY 1`,
  );
  await connection.run('DROP TABLE text_rows');
  const leftOutByFile = new Map(leftOut.map(({ file, count }) => [file, count]));
  for (const { index, dataLines } of request.files) {
    const counts = [judged.acceptedByFile, judged.rejectedByFile, leftOutByFile];
    const total = counts.reduce((sum, count) => sum + (count.get(index) ?? 0), 0);
    assert(total === dataLines, `file ${index}: ${total} rows were judged of ${dataLines} lines`);
  }
  return judged;
}

function symbolColumns({ files }: ExactRequest): Map<number, string> {
  const named = files.flatMap(({ index, dialect: { columns, header } }) => {
    const at = columns.symbol ?? columns.ticker;
    return at === undefined ? [] : [[index, header[at]] as const];
  });
  return new Map(named);
}

function intervalOf({ files }: ExactRequest): BaseInterval {
  return files[0].stamps?.interval ?? '1d';
}

/** Begins a file, and a line of files that were put together. Reading a text drops it. */
export const BYTE_ORDER_MARK = 0xfeff;

async function readTexts(scratch: Scratch, files: readonly ExactFile[]): Promise<void> {
  const folder = join(scratch.folder, 'numbered');
  await mkdir(folder);
  try {
    const groups = new Map<string, TextGroup>();
    for (const file of files) {
      const { dialect, stamps } = file;
      const key = textGroupKey(file);
      const group = groups.get(key) ?? { dialect, stamps, paths: [], fileIndexes: [] };
      groups.set(key, group);
      group.fileIndexes.push(file.index);
      group.paths.push(await readablePath(file, folder));
    }
    const selects = [...groups.values()].map(textRowsSql);
    const connection = await scratch.connect();
    await connection.run(`
      CREATE OR REPLACE TEMP TABLE text_rows AS
      SELECT *, replace(coalesce(symbol_text, ''), chr(${BYTE_ORDER_MARK}), '') AS symbol_key
      FROM (${selects.join(' UNION ALL BY NAME ')})`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readablePath(file: ExactFile, folder: string): Promise<string> {
  const { dialect, diskPath, addedLines, symbols } = file;
  if (dialect.form === 'parquet') return diskPath;
  const numbered = join(folder, String(file.index));
  await numberLines(diskPath, numbered, {
    skipLines: dialect.form === 'csv' ? 1 : 0,
    addedLines,
    isWanted: symbols && ((text) => symbols.has(symbolText(text, dialect))),
  });
  return numbered;
}

/** Returns the symbol of a line without quotes, which has all fields. */
function symbolText(line: string, { delimiter, columns }: CandleDialect): string {
  let start = 0;
  for (let left = columns.ticker ?? columns.symbol!; left > 0; left--) {
    start = line.indexOf(delimiter, start) + 1;
  }
  const end = line.indexOf(delimiter, start);
  // DuckDB trims spaces alone.
  return line.slice(start, end === -1 ? undefined : end).replace(/^ +| +$/g, '');
}

/** Creates the table `series_of` with the result of `identify` for each text in each file. */
async function identifyRows(scratch: Scratch, request: ExactRequest): Promise<void> {
  const connection = await scratch.connect();
  const found = await selectRows<{ file: number; key: string; hasVolume: boolean }>(
    connection,
    `SELECT file_index AS file, symbol_key AS key, bool_or(${hasVolumeSql}) AS "hasVolume"
     FROM text_rows GROUP BY ALL ORDER BY ALL`,
  );
  const files = new Map(request.files.map((file) => [file.index, file]));
  const rows = found.map(({ file, key, hasVolume }) => {
    const reason = files.get(file)?.symbolFaults?.get(key);
    const identity = request.identify(file, key === '' ? null : key);
    const is_other = files.get(file)?.isOfOther?.(key) ?? false;
    const known = { file_index: file, symbol_key: key, has_volume: hasVolume, is_other };
    return identity === 'left out'
      ? { ...known, is_asked: false }
      : { ...known, reason, ...identity, is_asked: true };
  });
  const columns = {
    file_index: 'INTEGER',
    symbol_key: 'VARCHAR',
    series: 'INTEGER',
    reason: 'VARCHAR',
    is_asked: 'BOOLEAN',
    has_volume: 'BOOLEAN',
    is_other: 'BOOLEAN',
  };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE series_of AS SELECT * FROM ${jsonTable(columns)}`,
    [JSON.stringify(rows)],
  );
}

/** Gives symbols of a file whose dates are none of daily bars a reason, or the rows of a stretch. */
async function refuseFalseDays(
  scratch: Scratch,
  { files, faultsOfDays }: ExactRequest,
): Promise<void> {
  const connection = await scratch.connect();
  const judged = files.filter(({ symbols }) => symbols !== undefined).map(({ index }) => index);
  if (judged.length === files.length) return;
  const isOpen = judged.length > 0 ? `file_index NOT IN (SELECT unnest([${judged}]))` : 'true';
  const found = await selectRows<{ file: number; key: string; counts: DayCounts }>(
    connection,
    `SELECT file_index AS file, symbol_key AS key, {days: count(*)::DOUBLE,
       slow: count(*) FILTER (is_slow)::DOUBLE, weekends: count(*) FILTER (is_weekend)::DOUBLE,
       "nextDays": count(*) FILTER (is_next_day)::DOUBLE} AS counts
     FROM (SELECT file_index, symbol_key, ${dayFlagsSql('us', 'before', 'earlier')}
       FROM (SELECT file_index, symbol_key, us,
         lag(us) OVER by_date AS before, lag(us, 2) OVER by_date AS earlier
       FROM (SELECT DISTINCT file_index, symbol_key, epoch_us(ts) AS us
         FROM text_rows WHERE ts IS NOT NULL AND ${isOpen})
       WINDOW by_date AS (PARTITION BY file_index, symbol_key ORDER BY us)))
     GROUP BY ALL`,
  );
  const rowsSql = 'SELECT file_index AS file, symbol_key AS key, ts FROM text_rows';
  const unproven = found.filter(({ counts }) => needLook(counts));
  const days = daysReader(connection, rowsSql);
  const faults = await findFalseDays(days, unproven, faultsOfDays);
  for (const { file, key, reason, stretch } of faults) {
    const of = `file_index = ${file} AND ${key === undefined ? 'true' : 'symbol_key = $1'}`;
    const place =
      stretch === undefined
        ? { table: 'series_of', where: 'is_asked' }
        : { table: 'text_rows', where: `ts BETWEEN ${stretch.map(timestampSql).join(' AND ')}` };
    await connection.run(
      `UPDATE ${place.table} SET reason = coalesce(reason, ${sqlString(reason)})
       WHERE ${of} AND ${place.where}`,
      key === undefined ? [] : [key],
    );
  }
}

/**
 * An index or a fund may have a column of volumes, and no value in it. Nearly all texts begin with
 * a digit, which is cheaper to find than that they are none of the words.
 */
const hasVolumeSql = `CASE WHEN volume_text >= '0' AND volume_text < ':' THEN true
  ELSE coalesce(lower(volume_text), '') NOT IN
    ('', 'null', 'n/a', '#n/a', 'na', '<na>', 'nan', 'none', '-', '--', '–', '—') END`;

function candidatesSql(request: ExactRequest): string {
  // DuckDB reads 1_000 as a number. Adding 0 makes -0 a 0, as the typed reader does.
  const numbers = NUMBER_ROLES.map(
    (role) => `CASE ${role === 'volume' ? 'WHEN NOT has_volume THEN 0' : ''}
      WHEN NOT contains(${role}_text, '_')
      THEN TRY_CAST(${role}_text AS DOUBLE) + 0 END AS "${role}"`,
  );
  const notNumbers = NUMBER_ROLES.map(
    (role) => `WHEN "${role}" IS NULL AND ${isPresentSql(`${role}_text`)}
      THEN '${role} is not a number'`,
  );
  const stamp = intervalOf(request) === '1d' ? 'date' : 'stamp';
  // The later of two bars of a day corrects the other, also where the newest line is first.
  const isTimedDay =
    intervalOf(request) === '1d' && request.files.some(({ dialect }) => dialect.hasTimes);
  const isLater = isTimedDay
    ? 'minute = max(minute) OVER (PARTITION BY file_index, symbol_key, ts)'
    : 'is_correction';
  const hasBasis = request.files.some(({ dialect }) => dialect.columns.adjustment !== undefined);
  return `
    SELECT * EXCLUDE (parse_reason, symbol_reason, basis_reason, ${NUMBER_ROLES.map((role) => `${role}_text`)}),
      coalesce(parse_reason,
        CASE WHEN ts IS NULL AND ${isPresentSql('date_text')}
          THEN '${stamp} is not one of the file''s format' END,
        symbol_reason, basis_reason,
        CASE ${notNumbers.join(' ')} END) AS reason
    FROM (
      SELECT series, file_index, line, text, text_rows.reason AS parse_reason, date_text, identity,
        series_of.reason AS symbol_reason,
        ${hasBasis ? 'basis_reason' : 'NULL'} AS basis_reason, ts, ${isLater} AS is_correction, ${NUMBER_ROLES.map((role) => `${role}_text`)},
        ${numbers.join(', ')}
      FROM text_rows JOIN series_of USING (file_index, symbol_key)
      WHERE NOT (${leftOutSql(request)}))`;
}

function isPresentSql(textSql: string): string {
  return `${textSql} IS NOT NULL AND lower(${textSql}) NOT IN ('', 'null', 'n/a', '-')`;
}

/** True for rows that were not requested. Of those, a row without a readable date is kept. */
function leftOutSql(request: ExactRequest): string {
  const { fromDay, toDay } = request.window;
  const startMs = intervalOf(request) === '1d' ? millisFromDay : newYorkMidnightMs;
  const startSql = (day: number) => `make_timestamp(${startMs(day) * MICROS_PER_MILLI})`;
  const conditions = [
    'NOT is_asked',
    ...(fromDay === undefined ? [] : [`ts < ${startSql(fromDay)}`]),
    ...(toDay === undefined ? [] : [`ts >= ${startSql(toDay + 1)}`]),
  ];
  return `coalesce(is_other OR text_rows.reason IS NULL AND (${conditions.join(' OR ')}), false)`;
}

function timestampSql(day: number): string {
  return `make_timestamp(${millisFromDay(day) * MICROS_PER_MILLI})`;
}

function millisFromDay(day: number): number {
  return day * MILLIS_PER_DAY;
}
