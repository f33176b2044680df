/**
 * Reads Unix time in seconds, milliseconds, microseconds or nanoseconds. The length decides the
 * unit.
 */

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
