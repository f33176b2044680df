/** Reads many files of the same header in one typed statement: the bulk path of every backfill. */

import { dailyRowRules, keptSql } from '../segments/row-rules.ts';
import { sqlFile, sqlString } from '../segments/sql-text.ts';
import type { ColumnRole } from './columns.ts';
import type { CandleDialect } from './dialect.ts';

/** Key of files for one statement. `columns=` maps by position, so the header's order counts. */
export function fastGroupKey(dialect: CandleDialect): string {
  const { delimiter, header, columns, period, strptime, isNewestFirst } = dialect;
  return JSON.stringify([delimiter, header.length, columns, period, strptime, isNewestFirst]);
}

/** Returns true if the typed reader keeps every row that the exact reader would keep. */
export function isFastDialect({ form, columns, strptime }: CandleDialect): boolean {
  const isOneSymbol = columns.symbol === undefined;
  const hasActions = columns.dividend !== undefined || columns.split !== undefined;
  return form === 'csv' && strptime !== undefined && isOneSymbol && !hasActions;
}

export const PRICE_ROLES = ['open', 'high', 'low', 'close', 'volume'] as const;

const ROLE_TYPES: Partial<Record<ColumnRole, 'DATE' | 'DOUBLE'>> = {
  date: 'DATE',
  ...Object.fromEntries(PRICE_ROLES.map((role) => [role, 'DOUBLE'])),
};

/** Volume of indices and currencies, which come without one. */
export const ABSENT_VOLUME = '0::DOUBLE';

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
  const { columns, header, period } = dialect;
  const roles = new Map(Object.entries(columns).map(([role, at]) => [at, role as ColumnRole]));
  const types = header.map((_, at) => {
    const role = roles.get(at);
    const isCompactDate = role === 'date' && dialect.dateFormat === 'compact';
    return `'c${at}': '${(!isCompactDate && role && ROLE_TYPES[role]) || 'VARCHAR'}'`;
  });
  const column = (role: ColumnRole, absent: string) =>
    columns[role] === undefined ? absent : `c${columns[role]}`;
  return `
    SELECT file_index, ts, open, high, low, close, volume
    FROM (
      SELECT file_index::INTEGER AS file_index, ${dateColumnSql(dialect)}::TIMESTAMP AS ts,
        c${columns.open} AS open, c${columns.high} AS high, c${columns.low} AS low,
        c${columns.close} AS close,
        ${column('volume', ABSENT_VOLUME)} + 0 AS volume, ${column('period', 'NULL')} AS period
      FROM read_csv([${paths.map(sqlFile).join(', ')}], columns = {${types.join(', ')}},
        header = true, auto_detect = false, delim = ${sqlString(dialect.delimiter)},
        dateformat = '${dialect.strptime}', ignore_errors = true,
        hive_partitioning = false)
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
