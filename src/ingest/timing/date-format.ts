/** Formats of dates, decided once per file: `03/04/2017` alone is March or April. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import { DATE_ORDERS, type DateOrder } from '../contract/choices.ts';

/** `compact` is `20170103`; `epoch` is Unix time in any unit, whose UTC date counts. */
export type DateFormat = DateOrder | 'compact' | 'epoch';

const FORMATS: readonly DateFormat[] = [...DATE_ORDERS, 'compact', 'epoch'];

/** Text after a date. The date as written counts: an offset must not move a daily bar. */
const TIME =
  '(?:[ T]\\d{1,2}:?\\d{2}(?::?\\d{2}(?:\\.\\d+)?)?\\s*(?:Z|UTC|[+-]\\d{2}:?(?:\\d{2})?)?)?';
const YEAR_FIRST = '^(\\d{4}|\\d{2})[-/.](\\d{1,2})[-/.](\\d{1,2})';
const YEAR_LAST = '^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})';
const COMPACT = '^(\\d{4})(\\d{2})(\\d{2})';

/** Patterns for JavaScript and DuckDB (RE2). `date` has groups for year, month, day by `order`. */
export const DATE_SHAPES: Record<
  Exclude<DateFormat, 'epoch'>,
  { date: string; pattern: RegExp; order: string }
> = {
  ymd: { date: YEAR_FIRST, pattern: new RegExp(`${YEAR_FIRST}${TIME}$`), order: 'ymd' },
  mdy: { date: YEAR_LAST, pattern: new RegExp(`${YEAR_LAST}${TIME}$`), order: 'mdy' },
  dmy: { date: YEAR_LAST, pattern: new RegExp(`${YEAR_LAST}${TIME}$`), order: 'dmy' },
  compact: { date: COMPACT, pattern: new RegExp(`${COMPACT}${TIME}$`), order: 'ymd' },
};

const YEAR_OF_FOUR = /^\d{4}[-/.]/;

/** Two-digit years up to this one are in the 2000s, as in strptime. */
const PIVOT_YEAR = 68;

/** Day number of a date text, or undefined for another format or a day not in the calendar. */
export function dayFromText(text: string, format: DateFormat): number | undefined {
  if (format === 'epoch') {
    const ms = millisFromEpoch(text);
    return ms === undefined ? undefined : Math.floor(ms / MILLIS_PER_DAY);
  }
  const plain = format === 'ymd' ? digitsOfPlain(text) : undefined;
  if (plain !== undefined) {
    return dayOf(Math.floor(plain / 10_000), Math.floor(plain / 100) % 100, plain % 100);
  }
  const { pattern, order } = DATE_SHAPES[format];
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, first, second, third] = match;
  const [year, month, day] =
    order === 'ymd'
      ? [fullYear(first), Number(second), Number(third)]
      : order === 'mdy'
        ? [fullYear(third), Number(first), Number(second)]
        : [fullYear(third), Number(second), Number(first)];
  return dayOf(year, month, day);
}

const [DASH, ZERO] = [45, 48];

/**
 * `2026-01-31` → 20260131, or undefined for another text. Most files have such dates, and each date
 * is looked at several times: this takes a tenth of the time of a pattern.
 */
function digitsOfPlain(text: string): number | undefined {
  if (text.length !== 10) return undefined;
  let digits = 0;
  for (let at = 0; at < 10; at++) {
    const code = text.charCodeAt(at);
    if (at === 4 || at === 7) {
      if (code !== DASH) return undefined;
    } else if (code < ZERO || code > ZERO + 9) return undefined;
    else digits = digits * 10 + code - ZERO;
  }
  return digits;
}

/** Returns a day number, or undefined for a day not in the calendar. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  if (day <= 28 && month >= 1 && month <= 12 && day >= 1 && year >= 100) return ms / MILLIS_PER_DAY;
  const date = new Date(ms);
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? ms / MILLIS_PER_DAY : undefined;
}

/** Returns the year of two or four digits. */
export function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year + (year <= PIVOT_YEAR ? 2000 : 1900);
}

/** The same as an SQL expression: DATE of the text expression `textSql`, or NULL. */
export function dateSql(textSql: string, format: DateFormat): string {
  if (format === 'epoch') return `${epochSql(textSql)}::DATE`;
  const { pattern, order } = DATE_SHAPES[format];
  // Match once a row: regular expressions are the costliest part of the exact reader.
  const names = [...order].map((name) => `'${name}'`).join(', ');
  return `list_transform([regexp_extract(${textSql}, '${pattern.source}', [${names}])], lambda part:
    TRY_CAST(${dateOfPartsSql} AS DATE))[1]`;
}

/** `2017-1-3` from the struct `part` of a date's groups; two-digit years get four digits. */
export const dateOfPartsSql = `CASE WHEN length(part.y) = 2
    THEN CASE WHEN part.y <= '${PIVOT_YEAR}' THEN '20' ELSE '19' END ELSE '' END
  || part.y || '-' || part.m || '-' || part.d`;

/**
 * Finds the format that fits most samples: several if they tie, none if no sample is a date.
 * @param latestDay A later date counts against a format.
 */
export function possibleDateFormats(samples: readonly string[], latestDay: number): DateFormat[] {
  const countOf = (format: DateFormat) => {
    const days = samples.map((text) => dayFromText(text, format));
    return days.filter((day) => day !== undefined && day <= latestDay).length;
  };
  // Most files take this path, as no other format starts with a year of four digits.
  const isPlain = samples.every((text) => YEAR_OF_FOUR.test(text));
  if (isPlain && countOf('ymd') === samples.length && samples.length > 0) return ['ymd'];
  const counts = FORMATS.map(countOf);
  const best = Math.max(...counts);
  if (best > 0) return FORMATS.filter((_, index) => counts[index] === best);
  // All rows may be of the running session. Their dates are good, and the rows are early.
  return latestDay === Infinity ? [] : possibleDateFormats(samples, Infinity);
}

/** Format for the typed reader; undefined for dates that only the exact reader can read. */
export function strptimeFormat(samples: readonly string[], format: DateFormat): string | undefined {
  if (format === 'compact') return samples.every(isCompactDate) ? '%Y%m%d' : undefined;
  if (format === 'epoch') return undefined;
  if (format === 'ymd' && samples.every((text) => digitsOfPlain(text) !== undefined)) {
    return '%Y-%m-%d';
  }
  const separator = /\D/.exec(samples[0] ?? '')?.[0] ?? '-';
  const year = /(?<!\d)\d{4}(?!\d)/;
  const isUniform = samples.every((text) => {
    const parts = text.split(separator);
    return parts.length === 3 && year.test(text) && parts.every((part) => /^\d+$/.test(part));
  });
  if (!isUniform) return undefined;
  return [...format].map((part) => (part === 'y' ? '%Y' : `%${part}`)).join(separator);
}

function isCompactDate(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/**
 * Reads `--date-format` in any usual spelling: `mdy`, `D/M/YYYY`, `%d.%m.%Y`.
 * @throws {ParameterError} `date-format`: not an order of the three.
 */
export function dateOrderFromText(text: string): DateOrder {
  const letters = text.toLowerCase().replace(/[^a-z]/g, '');
  const order = letters.replace(/(.)\1+/g, '$1');
  if ((DATE_ORDERS as readonly string[]).includes(order)) return order as DateOrder;
  throw new ParameterError(
    'date-format',
    `--date-format must be an order like mdy, dmy or ymd, got "${text}"`,
  );
}

/** Numbers of digits by unit. From 1973 on, no two units share a length. */
const PATTERN = /^(\d{9,10}|\d{12,13}|\d{15,16}|\d{18,19})$/;

const SECONDS_DIGITS_MAX = 10;
const MILLIS_DIGITS_MAX = 13;
const MICROS_DIGITS_MAX = 16;

/** Milliseconds since the epoch, or undefined if the text is not Unix time. */
export function millisFromEpoch(text: string): number | undefined {
  if (!PATTERN.test(text)) return undefined;
  if (text.length <= SECONDS_DIGITS_MAX) return Number(text) * 1000;
  if (text.length <= MILLIS_DIGITS_MAX) return Number(text);
  return Number(text) / (text.length <= MICROS_DIGITS_MAX ? 1e3 : 1e6);
}

/** The same as an SQL expression: TIMESTAMP in UTC of the text expression `textSql`, or NULL. */
export function epochSql(textSql: string): string {
  return `CASE WHEN regexp_matches(${textSql}, '${PATTERN.source}') THEN make_timestamp(
    CASE WHEN length(${textSql}) <= ${SECONDS_DIGITS_MAX} THEN TRY_CAST(${textSql} AS BIGINT) * 1000000
      WHEN length(${textSql}) <= ${MILLIS_DIGITS_MAX} THEN TRY_CAST(${textSql} AS BIGINT) * 1000
      WHEN length(${textSql}) <= ${MICROS_DIGITS_MAX} THEN TRY_CAST(${textSql} AS BIGINT)
      ELSE TRY_CAST(${textSql} AS BIGINT) // 1000 END) END`;
}
