/** Ratios of splits as people and vendors write them: `4:1`, `4/1`, `4-for-1`, `4 for 1`, `1.1`. */

import type { DecimalMark } from '../contract/choices.ts';
import { sqlString } from '../segments/sql-text.ts';
import { plainNumberSql } from './number-sql.ts';
import { type Shares, splitFromRatio, splitOfShares } from './split-ratio.ts';

const NUMBER = '(\\d+(?:\\.\\d*)?|\\.\\d+)';

/** New shares, then the old ones that they are given for; for JavaScript and DuckDB (RE2). */
const SHARES = `^${NUMBER} *(?:[:/]| for | to |-for-|-to-) *${NUMBER}$`;

const SHARES_PATTERN = new RegExp(SHARES, 'i');
const NUMBER_PATTERN = new RegExp(`^${NUMBER}$`);

/** Returns undefined for a text that is no ratio above 0. */
export function splitFromText(text: string): Shares | undefined {
  const [, newShares, oldShares] = SHARES_PATTERN.exec(text) ?? [];
  const [above, below] = [Number(newShares), Number(oldShares)];
  if (above > 0 && below > 0) return splitOfShares(above, below);
  const ratio = NUMBER_PATTERN.test(text) ? Number(text) : Number.NaN;
  return ratio > 0 ? splitFromRatio(ratio) : undefined;
}

/** Turns a ratio into a number that DuckDB casts; one of shares is exact as `splitFromRatio`'s. */
export function plainRatioSql(sql: string, mark: DecimalMark): string {
  const part = (place: number) =>
    `TRY_CAST(regexp_extract(${sql}, ${sqlString(SHARES)}, ${place}, 'i') AS DOUBLE)`;
  return `CASE WHEN ${part(1)} > 0 AND ${part(2)} > 0
    THEN (${part(1)} / ${part(2)})::VARCHAR ELSE ${plainNumberSql(sql, mark)} END`;
}
