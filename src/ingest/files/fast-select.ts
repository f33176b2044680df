/** Reads many files of the same header in one typed statement: the bulk path of every backfill. */

import { dailyRowRules, keptSql } from '../segments/row-rules.ts';
import { sqlFile, sqlString } from '../segments/sql-text.ts';
import { volumePower } from '../values/volume-columns.ts';
import { isOfBasisSql } from './basis.ts';
import { type CandleColumns, plainName } from './columns.ts';
import type { CandleDialect } from './dialect.ts';

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
  return moreVolume === undefined && volumePower(plainName(header[volume])) === 0;
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
        ${typedPricesSql(columns)},
        ${columns.period === undefined ? 'NULL' : `c${columns.period}`} AS period
      FROM ${typedCsvSql(dialect, paths, date, `, dateformat = '${strptime}'`)}
    )
    WHERE ${keptSql(dailyRowRules(nowMs))}${period === undefined ? '' : ` AND period = ${sqlString(period)}`}
    ${dialect.isNewestFirst ? 'ORDER BY file_index, ts' : ''}`;
}

/** Checks the length of compact dates, because the typed reader takes 2017113 for 3 November. */
function dateColumnSql({ dateFormat, columns, strptime }: CandleDialect): string {
  const column = `c${columns.date}`;
  return dateFormat === 'compact'
    ? `CASE WHEN length(trim(${column})) = 8 THEN try_strptime(${column}, '${strptime}') END`
    : column;
}
