import { BAR_NAMES, type BaseInterval } from '../../base/time/intervals.ts';
import { NUMBERED_DELIMITER } from '../inputs/number-lines.ts';
import { withZonedTexts } from '../segments/parquet-zones.ts';
import { REPEATED_HEADER } from '../segments/row-rules.ts';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { dateSql } from '../timing/date-format.ts';
import { SIDE_MINUTES } from '../timing/day-shift.ts';
import { minuteSql, stampSql, withoutPointSql } from '../timing/stamp-format.ts';
import { plainNumberSql, plainVolumeSql } from '../values/number-sql.ts';
import { plainRatioSql } from '../values/split-text.ts';
import { volumePower } from '../values/volume-columns.ts';
import { isOfBasisSql } from './basis.ts';
import type { IntradayStamps } from './candle-interval.ts';
import { BAR_MESSAGES, type ColumnRole } from './columns.ts';
import type { CandleDialect } from './dialect.ts';

/** Files of one dialect. Parquet files are read one by one, as their types differ. */
export interface TextGroup {
  dialect: CandleDialect;
  /** Numbered copies of text files; Parquet files themselves. */
  paths: string[];
  fileIndexes: number[];
  stamps: IntradayStamps | undefined;
}

export const NUMBER_ROLES = [
  'open',
  'high',
  'low',
  'close',
  'volume',
  'dividend',
  'capitalGain',
  'split',
  'adjustedClose',
] as const satisfies readonly ColumnRole[];

/**
 * SELECT giving each data line: file_index INTEGER, line BIGINT, text, reason (why it is no bar),
 * symbol_text, date_text, ts TIMESTAMP, zone (NULL if `ts` is UTC or a date), is_correction
 * BOOLEAN, minute (of the day, beside the date of a daily bar), identity (JSON of the columns that
 * tell whose bar it is) and a trimmed VARCHAR for each number role. Empty symbols and absent columns are NULL.
 * If rows state their basis, basis_reason says why it is not that of their symbol.
 */
export function textRowsSql(group: TextGroup): string {
  const { dialect, fileIndexes, stamps } = group;
  const value = (role: ColumnRole) => {
    const sql = valueSql(dialect, role);
    return sql && `trim(${sql})`;
  };
  const number = (role: ColumnRole) => {
    const sql = value(role);
    if (sql === undefined) return absent(role);
    if (role === 'volume') return volumeSql(sql, value('moreVolume'), dialect);
    return (role === 'split' ? plainRatioSql : plainNumberSql)(sql, dialect.decimal);
  };
  const numbers = NUMBER_ROLES.map((role) => `${number(role)} AS ${role}_text`);
  const symbol = value(dialect.columns.ticker === undefined ? 'symbol' : 'ticker') ?? "''";
  const time = stamps && value('time');
  const day = withoutPointSql(value('date')!, dialect.form);
  const date = time ? `${day} || ' ' || ${time}` : day;
  const stamp = stamps
    ? `${stampSql('date_text', dialect.dateFormat)} AS stamp`
    : `{clock: ${sessionSql('date_text', dialect)}::TIMESTAMP, is_naive: false} AS stamp`;
  return `
    SELECT * EXCLUDE (kind, reason, stamp), stamp.clock AS ts,
      ${stamps ? `CASE WHEN stamp.is_naive THEN ${sqlString(stamps.zone)} END` : 'NULL::VARCHAR'}
        AS zone,
      ${dialect.columns.message === undefined ? 'false' : "kind IS NOT DISTINCT FROM 'u'"}
        AS is_correction,
      ${!stamps && dialect.hasTimes ? minuteSql('date_text', dialect.dateFormat) : '0'} AS minute,
      coalesce(reason, ${repeatedHeaderSql(dialect)}, ${kindReasonSql(dialect, stamps?.interval ?? '1d')})
        AS reason
    FROM (
      SELECT *, ${stamp} FROM (
        SELECT ([${fileIndexes}])[file_index::BIGINT + 1]::INTEGER AS file_index, line, text, reason,
          nullif(${symbol}, '') AS symbol_text, ${date} AS date_text,
          ${value('message') ?? value('period') ?? 'NULL::VARCHAR'} AS kind,
          ${identitySql(dialect)} AS identity,
          ${[...numbers, ...basisReasonSql(dialect)].join(', ')}
        FROM (${rowsSql(group)})))`;
}

/** Reason of a header in the middle of a file, as of files that were put together. */
function repeatedHeaderSql({ form, header, columns }: CandleDialect): string {
  if (form !== 'csv') return 'NULL';
  const texts = [columns.date, columns.time].flatMap((at) =>
    at === undefined ? [] : [header[at]],
  );
  const text = sqlString(texts.join(' ').toLowerCase());
  return `CASE WHEN stamp.clock IS NULL AND lower(date_text) = ${text} THEN '${REPEATED_HEADER}' END`;
}

function identitySql(dialect: CandleDialect): string {
  const { header, identity } = dialect;
  if (identity.length === 0) return 'NULL::VARCHAR';
  const pairs = identity.flatMap((at) => [sqlString(header[at]), `trim(${textAt(dialect, at)})`]);
  return `json_object(${pairs.join(', ')})::VARCHAR`;
}

/** SQL of the session of a daily bar, as `shiftedDay`. */
export function sessionSql(textSql: string, dialect: CandleDialect): string {
  const { dateFormat, dateShift, hasTimes } = dialect;
  const date = dateSql(textSql, dateFormat);
  if (dateShift === 'written') return date;
  const days = dateShift === 'next' ? 1 : -1;
  if (!hasTimes) return `(${date} + ${days})`;
  const isMoved = `${minuteSql(textSql, dateFormat)} ${dateShift === 'next' ? '>=' : '<='} ${SIDE_MINUTES[dateShift]}`;
  return `(${date} + CASE WHEN ${isMoved} THEN ${days} ELSE 0 END)`;
}

/** Column `basis_reason`. Files without a basis in their rows lack it, which keeps them fast. */
function basisReasonSql(dialect: CandleDialect): string[] {
  const text = valueSql(dialect, 'adjustment');
  if (text === undefined) return [];
  const reason = sqlString(
    `adjustment is not its symbol's (${dialect.basis}): put such rows in a file of their own`,
  );
  return [`CASE WHEN NOT ${isOfBasisSql(dialect, text)} THEN ${reason} END AS basis_reason`];
}

/** Reason why the row, by its `kind`, is no bar of the file's interval, or NULL if it is one. */
function kindReasonSql({ columns, period }: CandleDialect, interval: BaseInterval): string {
  if (columns.message !== undefined) {
    return `CASE WHEN kind IN (${BAR_MESSAGES.map(sqlString).join(', ')}) THEN NULL
      WHEN kind = 't' THEN 'message is a trade' WHEN kind = 'q' THEN 'message is a quote'
      WHEN kind = 'd' THEN 'message is a daily bar' ELSE 'message is no bar' END`;
  }
  if (period === undefined) return 'NULL::VARCHAR';
  return `CASE WHEN kind IS DISTINCT FROM ${sqlString(period)}
    THEN 'bar is not a ${BAR_NAMES[interval]} one' END`;
}

/** Text of the volume in shares, of one column or of two that are added. */
function volumeSql(
  sql: string,
  moreSql: string | undefined,
  { header, columns, decimal }: CandleDialect,
): string {
  const number = plainVolumeSql(sql, decimal);
  const power = volumePower(header[columns.volume!]);
  if (moreSql !== undefined) {
    const [up, down] = [number, plainVolumeSql(moreSql, decimal)];
    return `(TRY_CAST(${up} AS DOUBLE) + TRY_CAST(${down} AS DOUBLE))::VARCHAR`;
  }
  if (power === 0) return number;
  // A power of ten in the text keeps the digits exact.
  return `regexp_replace(${number}, '^([0-9.]+)$', '\\1e${power}')`;
}

/** Default of an absent column. A file without volume is of an index or a currency. */
function absent(role: ColumnRole): string {
  return role === 'volume' ? "'0'" : 'NULL::VARCHAR';
}

function valueSql(dialect: CandleDialect, role: ColumnRole): string | undefined {
  const position = dialect.columns[role];
  if (position === undefined) return undefined;
  const text = textAt(dialect, position);
  const isAsWritten = dialect.form !== 'jsonl' || dialect.decimal === 'point';
  if (isAsWritten || !isNumberRole(role)) return text;
  return asWrittenSql(text, `json_type(json, ${jsonPath(dialect, position)})`);
}

function textAt(dialect: CandleDialect, position: number): string {
  if (dialect.form === 'csv') return `fields[${position + 1}]`;
  if (dialect.form === 'parquet') return `c${position}`;
  return `fields[${usedAt(dialect).indexOf(position) + 1}]`;
}

/** Positions of the columns that are read. */
function usedAt({ columns, identity }: CandleDialect): number[] {
  return [...new Set([...Object.values(columns), ...identity])];
}

function jsonPath({ header }: CandleDialect, position: number): string {
  return sqlString(`$."${header[position].replaceAll('"', '\\"')}"`);
}

function isNumberRole(role: ColumnRole): boolean {
  return role === 'moreVolume' || (NUMBER_ROLES as readonly ColumnRole[]).includes(role);
}

/** Gives numbers of a typed form the decimal comma that its texts have. */
function asWrittenSql(textSql: string, typeSql: string): string {
  return `CASE WHEN ${typeSql} = 'VARCHAR' THEN ${textSql} ELSE replace(${textSql}, '.', ',') END`;
}

/**
 * SELECT giving file_index (place in `paths`; a Parquet file is alone in them, and may have a column
 * of that name), line, text, reason and `valueSql`'s inputs.
 */
function rowsSql({ dialect, paths }: TextGroup): string {
  const list = `[${paths.map(sqlFile).join(', ')}]`;
  if (dialect.form === 'parquet') {
    const used = Object.entries(dialect.columns) as [ColumnRole, number][];
    const texts = used.map(([role, at]) => {
      const name = sqlName(dialect.header[at]);
      const isMarked = dialect.decimal === 'comma' && isNumberRole(role);
      const text = `${name}::VARCHAR`;
      return `${isMarked ? asWrittenSql(text, `typeof(${name})`) : text} AS c${at}`;
    });
    const unread = dialect.identity.map(
      (at) => `${sqlName(dialect.header[at])}::VARCHAR AS c${at}`,
    );
    const { number, option } = rowNumberSql(dialect);
    const rows = `read_parquet(${list}, ${option} hive_partitioning = false)`;
    return `SELECT 0 AS file_index, ${number} + 1 AS line, NULL::VARCHAR AS text,
        NULL::VARCHAR AS reason, ${[...texts, ...unread].join(', ')}
      FROM ${withZonedTexts(rows, dialect.zones)}`;
  }
  const lines = `SELECT file_index, line, reason, text
    FROM read_csv(${list}, columns = {'line': 'BIGINT', 'reason': 'VARCHAR', 'text': 'VARCHAR'},
      header = false, auto_detect = false, delim = '${NUMBERED_DELIMITER}', quote = '', escape = '')`;
  if (dialect.form === 'jsonl') {
    // One look at a line for all of its values takes half the time of one for each.
    const jsonPaths = usedAt(dialect).map((at) => jsonPath(dialect, at));
    return `SELECT *, json_extract_string(json, [${jsonPaths}]) AS fields FROM (
      SELECT file_index, line,
        CASE WHEN reason IS NULL AND NOT json_valid(text) THEN 'line is not JSON' ELSE reason END
          AS reason,
        text, CASE WHEN json_valid(text) THEN text END AS json
      FROM (${lines}))`;
  }
  return csvRowsSql(lines, dialect);
}

/**
 * Number of a Parquet row from 0 on, and the option that it needs. DuckDB refuses the option if the
 * file has a column of that name; its rows are counted then, on one thread.
 */
function rowNumberSql({ header }: CandleDialect): { number: string; option: string } {
  const isTaken = header.some((name) => name.toLowerCase() === 'file_row_number');
  if (isTaken) return { number: '(row_number() OVER () - 1)', option: '' };
  return { number: 'file_row_number', option: 'file_row_number = true,' };
}

function csvRowsSql(lines: string, { delimiter, header }: CandleDialect): string {
  const delim = sqlString(delimiter);
  const class_ = delimiter === '|' ? '\\|' : delimiter;
  const quoted = `regexp_extract_all(text || ${delim},
    '("(?:[^"]|"")*"|[^"${class_}]*)${class_}', 1)`;
  const width = header.length;
  return `
    SELECT file_index, line, text,
      CASE WHEN is_quoted THEN list_transform(cut, lambda field:
        CASE WHEN starts_with(field, '"') THEN replace(field[2:-2], '""', '"') ELSE field END)
        ELSE cut END AS fields,
      CASE WHEN reason IS NOT NULL THEN reason
        WHEN is_quoted AND array_to_string(cut, ${delim}) <> text THEN 'quotes do not match'
        WHEN len(cut) < ${width} THEN 'line has fewer fields than the header'
        WHEN len(cut) > ${width}
          AND len(list_filter(cut[${width + 1}:], lambda field: field <> '')) > 0
          THEN 'line has more fields than the header'
      END AS reason
    FROM (
      SELECT *, contains(text, '"') AS is_quoted,
        CASE WHEN is_quoted THEN ${quoted} ELSE string_split(text, ${delim}) END AS cut
      FROM (${lines}))`;
}
