/** SQL that turns a number as people write it into one that DuckDB casts. */

import type { DecimalMark } from '../contract/choices.ts';
import { sqlString } from '../segments/sql-text.ts';
import { DOLLAR_SIGNS, GROUP_SIGNS, MULTIPLES, NUMBER_PATTERNS } from './decimal-marks.ts';

/**
 * Turns `$1,234.50`, `1 234.50 USD` or, with decimal commas, `1.234,50` into `1234.50`. A text that is
 * no number of the mark stays one that cannot be cast.
 */
export function plainNumberSql(sql: string, mark: DecimalMark): string {
  const isNumber = `regexp_full_match(${sql}, ${sqlString(NUMBER_PATTERNS[mark])})`;
  if (mark === 'point') {
    const bare = `translate(${sql}, ${sqlString(`,${DOLLAR_SIGNS}${GROUP_SIGNS}`)}, '')`;
    // The cast costs less than the pattern, and nearly every number passes it.
    return `CASE WHEN TRY_CAST(${sql} AS DOUBLE) IS NULL AND ${isNumber} THEN ${bare} ELSE ${sql} END`;
  }
  const bare = `translate(${sql}, ${sqlString(`,.${DOLLAR_SIGNS}${GROUP_SIGNS}`)}, '.')`;
  return `CASE WHEN ${isNumber} THEN ${bare}
    WHEN contains(${sql}, '.') THEN '?' || ${sql} ELSE ${sql} END`;
}

/** The same for volumes, which may end in K, M, B or T. */
export function plainVolumeSql(sql: string, mark: DecimalMark): string {
  const powers = Object.entries(MULTIPLES).map(
    ([letter, power]) => `WHEN '${letter}' THEN 'e${power}'`,
  );
  const number = plainNumberSql(`rtrim(${sql}[:-2])`, mark);
  return `CASE WHEN regexp_full_match(${sql}, '.*\\d ?[${Object.keys(MULTIPLES).join('')}]', 'i')
    THEN ${number} || CASE upper(right(${sql}, 1)) ${powers.join(' ')} END
    ELSE ${plainNumberSql(sql, mark)} END`;
}
