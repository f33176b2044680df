/** Finds figures of twelve months of which some quarters were restated and others not. Pure. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import { evidenceOf } from '../../base/datasets/evidence.ts';
import type { statements } from '../../base/datasets/filings.ts';

type StatementRow = RowOf<typeof statements>;

/** Largest share by which a year may differ from its quarters without another definition. */
const RESTATED_SHARE = 0.01;

/** Time after its end at which a quarter is filed as the one before another. */
const LATE_MS = 200 * MILLIS_PER_DAY;

/** Numbers that are no sums of quarters. */
const NOT_SUMMED = new Set(
  'date filedAt fiscalYear fiscalQuarter eps epsDiluted sharesBasic sharesDiluted'.split(' '),
);

/** A year that ends inside twelve months, with its quarters. */
export interface InnerYear {
  year: StatementRow;
  quarters: readonly StatementRow[];
}

/**
 * Returns the figures of which a year no longer is the sum of its quarters, if the twelve months
 * have quarters of before the filing that restated them, and of after it.
 */
export function mixedFigures(
  parts: readonly StatementRow[],
  { year, quarters }: InnerYear,
): string[] {
  const filed = quarters.map(({ filedAt }) => filedAt);
  const newestAt = Math.max(year.filedAt, ...filed);
  // Most years are filed with their last quarter, and stay.
  const isWhole = newestAt === year.filedAt && filed.includes(newestAt);
  if (isWhole && !quarters.some(hasCarried)) return [];
  // Reports about the next year restate quarters beside their own, before the year is restated.
  const restatedAt = Math.min(newestAt, ...quarters.filter(isLate).map(({ filedAt }) => filedAt));
  // The year may be restated again: quarters filed long after their end are of a later filing, too.
  const isEarly = (row: StatementRow) => row.filedAt < restatedAt && !isLate(row);
  const mixed = Object.keys(year).filter((name) => {
    const isBefore = (part: StatementRow) => isEarly(part) || isCarried(part, name);
    if (parts.every(isBefore) || !parts.some(isBefore)) return false;
    const own = [year, ...quarters].map((row) => row[name as keyof StatementRow]);
    if (NOT_SUMMED.has(name) || !own.every((value) => typeof value === 'number')) return false;
    const [whole, ...rest] = own;
    const sum = rest.reduce((all, value) => all + value, 0);
    const size = rest.reduce((all, value) => all + Math.abs(value), Math.abs(whole));
    return Math.abs(whole - sum) > (RESTATED_SHARE * size) / 2;
  });
  // Earnings of a share are those of the profit.
  return mixed.includes('netIncome') ? [...mixed, 'eps', 'epsDiluted'] : mixed;
}

function isLate({ date, filedAt }: StatementRow): boolean {
  return filedAt - date * MILLIS_PER_DAY >= LATE_MS;
}

/** Most rows have no figure of an earlier filing, and their text is not parsed. */
function hasCarried({ evidence }: StatementRow): boolean {
  return evidence?.includes('"accession"') === true;
}

/** Returns true for a figure that an earlier filing gave, and that of the row leaves as it is. */
function isCarried(part: StatementRow, name: string): boolean {
  if (!hasCarried(part)) return false;
  const { accession } = evidenceOf(part)[name] ?? {};
  return accession !== undefined && accession !== part.accession;
}

/** Marks figures of a row as those of another definition than the quarter before. */
export function markedApart(row: StatementRow, names: readonly string[]): StatementRow {
  const evidence = evidenceOf(row);
  const marks = names.map((name) => {
    return [name, { verdict: 'stated', ...evidence[name], isApart: true }] as const;
  });
  return { ...row, evidence: JSON.stringify({ ...evidence, ...Object.fromEntries(marks) }) };
}
