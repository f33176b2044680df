import { MILLIS_PER_DAY } from '../../base/bars.ts';
import {
  DATE_SHAPES,
  type DateFormat,
  dateOfPartsSql,
  epochSql,
  millisFromEpoch,
} from './date-format.ts';

const TIME_OF_DAY = /[ T](\d{1,2}):?(\d{2})(?::?(\d{2}(?:\.\d+)?))?/;
/** Hours, minutes, seconds and the offset from UTC. The first two are required. */
const TIME_PARTS = `${TIME_OF_DAY.source}\\s*(Z|UTC|[+-]\\d{2}:?(?:\\d{2})?)?$`;
/** `2020-12-15 09:30`, `2020-12-15T09:30:00` and `2020-12-15T09:30:00Z`. */
const ISO_STAMPS = ['____-__-_____:__', '____-__-_____:__:__', '____-__-_____:__:__Z'];
const TIME_NAMES = ['h', 'mi', 's', 'offset'];

/** Returns true if a date's text, in its format, has a time other than midnight. */
export function hasTimeOfDay(text: string, format: DateFormat): boolean {
  if (format === 'epoch') return (millisFromEpoch(text) ?? 0) % MILLIS_PER_DAY !== 0;
  return (
    TIME_OF_DAY.exec(text)
      ?.slice(1)
      .some((part) => Number(part ?? 0) !== 0) ?? false
  );
}

/** Returns true if a date's text, in its format, writes a time, midnight included. */
export function hasClock(text: string, format: DateFormat): boolean {
  return format === 'epoch' || TIME_OF_DAY.test(text);
}

/** SQL of the minutes after midnight that a text writes; 0 for a plain date. */
export function minuteSql(textSql: string, format: DateFormat): string {
  if (format === 'epoch')
    return `coalesce(floor(epoch(${epochSql(textSql)}) % 86400 / 60), 0)::INTEGER`;
  const parts = `regexp_extract(${textSql}, '${TIME_OF_DAY.source}', ['h', 'mi'])`;
  return `list_transform([${parts}], lambda part:
    coalesce(TRY_CAST(part.h AS INTEGER) * 60 + TRY_CAST(part.mi AS INTEGER), 0))[1]`;
}

/** SQL condition for a text whose time is stated as of UTC. */
export function isUtcSql(textSql: string, format: DateFormat): string {
  return format === 'epoch' ? 'true' : `regexp_matches(${textSql}, '(Z|UTC|[+-]00:?(00)?)$')`;
}

/**
 * SQL struct of a text: `clock` TIMESTAMP, in UTC if the text states its offset, else in the
 * file's zone (`is_naive`), NULL if it is no stamp of the format. The session's zone must be UTC.
 */
export function stampSql(textSql: string, format: DateFormat): string {
  if (format === 'epoch') return `{clock: ${epochSql(textSql)}, is_naive: false}`;
  const { date, order } = DATE_SHAPES[format];
  const names = [...order, ...TIME_NAMES].map((name) => `'${name}'`).join(', ');
  const time = `part.h || ':' || part.mi || ':' || CASE part.s WHEN '' THEN '00' ELSE part.s END`;
  const offset = "CASE part.offset WHEN 'UTC' THEN 'Z' ELSE part.offset END";
  const anyStamp = `list_transform([regexp_extract(${textSql}, '${date}${TIME_PARTS}', [${names}])],
    lambda part: {
      clock: TRY_CAST(${dateOfPartsSql} || ' ' || ${time} || ${offset} AS TIMESTAMPTZ)::TIMESTAMP,
      is_naive: part.offset = ''})[1]`;
  if (format !== 'ymd') return anyStamp;
  // Most files take this path, in a sixth of the time of a regular expression.
  const isIso = ISO_STAMPS.map((like) => `${textSql} LIKE '${like}'`).join(' OR ');
  return `CASE WHEN ${isIso} THEN {
      clock: TRY_CAST(${textSql} AS TIMESTAMP), is_naive: NOT ends_with(${textSql}, 'Z')}
    ELSE ${anyStamp} END`;
}

/** Text of a stamp without the end of a float, as typed forms write whole numbers: `1704153600.0`. */
export function withoutPointSql(textSql: string, form: 'csv' | 'jsonl' | 'parquet'): string {
  if (form === 'csv') return textSql;
  return `CASE WHEN suffix(${textSql}, '.0') THEN (${textSql})[:-3] ELSE ${textSql} END`;
}
