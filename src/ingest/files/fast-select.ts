/** Reads many files of the same header in one typed statement: the bulk path of every backfill. */

import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { dailyRowRules, keptSql } from '../segments/row-rules.ts';
import type { Scratch } from '../segments/scratch.ts';
import { sqlFile, sqlString } from '../segments/sql-text.ts';
import { stampSql } from '../timing/stamp-format.ts';
import { volumePower } from '../values/volume-columns.ts';
import { isOfBasisSql } from './basis.ts';
import type { CandleColumns } from './columns.ts';
import { type CandleDialect, textGroupKey } from './dialect.ts';

/** Key of files for one statement. `columns=` maps by position, so the header's order counts. */
export function fastGroupKey(dialect: CandleDialect): string {
  const { delimiter, header, columns, period, strptime, isNewestFirst } = dialect;
  // The header decides the basis of rows that state none.
  const names = columns.adjustment === undefined ? header.length : header;
  return JSON.stringify([delimiter, names, columns, period, strptime, isNewestFirst]);
}

/** Returns true if the typed reader keeps every row that the exact reader would keep. */
export function isFastDialect(dialect: CandleDialect): boolean {
  const { form, columns, strptime, dateShift } = dialect;
  const isOneSymbol = columns.symbol === undefined;
  const hasActions = columns.dividend !== undefined || columns.split !== undefined;
  return (
    form === 'csv' &&
    strptime !== undefined &&
    dateShift === 'written' &&
    isOneSymbol &&
    !hasActions &&
    isVolumeAsStated(dialect)
  );
}

/** Returns false for a volume that is a sum, or stated in thousands. */
export function isVolumeAsStated({ header, columns }: CandleDialect): boolean {
  const { volume, moreVolume } = columns;
  if (volume === undefined) return true;
  return moreVolume === undefined && volumePower(header[volume]) === 0;
}

/**
 * SQL of columns `c0`, `c1` … of CSV files. A row that does not fit is missing.
 *
 * @param typeOf Type of the column at a position.
 * @param more More options of `read_csv`.
 */
export function csvSql(
  { header, delimiter }: CandleDialect,
  paths: readonly string[],
  typeOf: (at: number) => 'DOUBLE' | 'DATE' | 'VARCHAR',
  more = '',
): string {
  const types = header.map((_, at) => `'c${at}': '${typeOf(at)}'`);
  return `read_csv([${paths.map(sqlFile).join(', ')}], columns = {${types.join(', ')}},
    header = true, auto_detect = false, delim = ${sqlString(delimiter)}, ignore_errors = true,
    hive_partitioning = false${more})`;
}

/**
 * The same with typed numbers, of the rows of one basis.
 *
 * @param date Type of the column with the date.
 */
export function typedCsvSql(
  dialect: CandleDialect,
  paths: readonly string[],
  date: 'DATE' | 'VARCHAR',
  more = '',
): string {
  const { open, high, low, close, volume, adjustment, date: dateAt } = dialect.columns;
  const numbers = [open, high, low, close, volume];
  const typeOf = (at: number) =>
    numbers.includes(at) ? 'DOUBLE' : at === dateAt ? date : 'VARCHAR';
  const rows = csvSql(dialect, paths, typeOf, more);
  if (adjustment === undefined) return rows;
  return `(SELECT *, file_index FROM ${rows} WHERE ${isOfBasisSql(dialect, `c${adjustment}`)})`;
}

/** Prices of `typedCsvSql`. Indices and currencies have no volume; a volume of -0 becomes 0. */
export function typedPricesSql({ open, high, low, close, volume }: CandleColumns): string {
  return `c${open} AS open, c${high} AS high, c${low} AS low, c${close} AS close,
    ${volume === undefined ? '0::DOUBLE' : `c${volume} + 0`} AS volume`;
}

/**
 * SELECT giving (file_index INTEGER, ts TIMESTAMP, open, high, low, close, volume DOUBLE): good
 * rows in file order, oldest first. A row that can't be parsed or breaks a rule is missing, which
 * the number of rows shows.
 * @param paths Files of one `fastGroupKey`; `file_index` is the position here.
 */
export function fastSelectSql(
  dialect: CandleDialect,
  paths: readonly string[],
  nowMs: number,
): string {
  const { columns, dateFormat, period, strptime } = dialect;
  const date = dateFormat === 'compact' ? 'VARCHAR' : 'DATE';
  return `
    SELECT file_index, ts, open, high, low, close, volume
    FROM (
      SELECT file_index::INTEGER AS file_index, ${dateColumnSql(dialect)}::TIMESTAMP AS ts,
        ${typedPricesSql(columns)}${dialect.isNewestFirst ? ', row_number() OVER () AS row' : ''},
        ${columns.period === undefined ? 'NULL' : `c${columns.period}`} AS period
      FROM ${typedCsvSql(dialect, paths, date, `, dateformat = '${strptime}'`)}
    )
    WHERE ${keptSql(dailyRowRules(nowMs))}${period === undefined ? '' : ` AND period = ${sqlString(period)}`}
    ${dialect.isNewestFirst ? 'ORDER BY file_index, row DESC' : ''}`;
}

/** Checks the length of compact dates, because the typed reader takes 2017113 for 3 November. */
function dateColumnSql({ dateFormat, columns, strptime }: CandleDialect): string {
  const column = `c${columns.date}`;
  return dateFormat === 'compact'
    ? `CASE WHEN length(trim(${column})) = 8 THEN try_strptime(${column}, '${strptime}') END`
    : column;
}

/** A file with times, as its first rows show. */
export interface TimedFile {
  diskPath: string;
  dataLines: number;
  isPlain: boolean;
  dialect: CandleDialect;
}

/**
 * Parses plain files with times into the scratch table `parsed_minutes`, from which the reading looks
 * at their stamps and `readTypedMinutes` takes their rows.
 * @returns the positions of the files that have a typed row for each line.
 */
export async function parseMinutes(
  scratch: Scratch,
  inputs: readonly TimedFile[],
): Promise<Set<number>> {
  const plain = [...inputs.keys()].filter((index) => {
    const { isPlain, dialect } = inputs[index];
    return isPlain && dialect.form === 'csv' && isVolumeAsStated(dialect);
  });
  if (plain.length === 0) return new Set();
  const connection = await scratch.connect();
  const groups = Map.groupBy(plain, (index) => textGroupKey(inputs[index]));
  const selects = [...groups.values()].map((group) => parsedSql(inputs, group));
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE parsed_minutes AS ${selects.join(' UNION ALL ')}`,
  );
  const counts = await selectRows<{ file: number; rows: number }>(
    connection,
    'SELECT file, count(*)::DOUBLE AS rows FROM parsed_minutes GROUP BY file',
  );
  const whole = counts.filter(({ file, rows }) => rows === inputs[file].dataLines);
  return new Set(whole.map(({ file }) => file));
}

function parsedSql(inputs: readonly TimedFile[], indexes: readonly number[]): string {
  const { dialect } = inputs[indexes[0]];
  const { columns, period, dateFormat } = dialect;
  const time = columns.time === undefined ? '' : ` || ' ' || trim(c${columns.time})`;
  const symbol = columns.ticker ?? columns.symbol;
  const paths = indexes.map((index) => inputs[index].diskPath);
  return `
    SELECT file, symbol_text, stamp.clock AS clock, stamp.is_naive AS is_naive,
      open, high, low, close, volume
    FROM (
      SELECT *, ${stampSql('stamp_text', dateFormat)} AS stamp FROM (
        SELECT ([${indexes}])[file_index::BIGINT + 1]::INTEGER AS file,
          trim(c${columns.date})${time} AS stamp_text,
          ${symbol === undefined ? "''" : `trim(coalesce(c${symbol}, ''))`} AS symbol_text,
          ${typedPricesSql(columns)}
        FROM ${typedCsvSql(dialect, paths, 'VARCHAR')}
        ${period === undefined ? '' : `WHERE c${columns.period} = ${sqlString(period)}`}))`;
}
