/** Finds a company's share splits from restated figures per share. Pure. */

import type { RowOf } from '../../base/datasets/dataset.ts';
import type { statements } from '../../base/datasets/filings.ts';

type StatementRow = RowOf<typeof statements>;

/** Counts of one period that differ by less were corrected, not split. */
const SAME_SHARE = 0.04;

/** Two filings mean the same income of a period where it differs by no more than this share. */
const SAME_INCOME_SHARE = 0.05;

/** Earnings per share are rounded to a cent. */
export const CENT_HALF = 0.005;

/** Earnings below this are too coarse to show a split. */
const EPS_MIN = 0.05;

/**
 * Split bases of rows as new shares for one share of the first filing.
 *
 * A filing after a split also shows earlier periods, with more shares and less earnings per share.
 * The ratio to the earlier filing's figures of the same period is that of the split.
 */
export class ShareBases {
  /** Without the rows on the first basis, which are most. */
  readonly #bases = new Map<StatementRow, number>();
  #newest = 1;

  get newest(): number {
    return this.#newest;
  }

  of(row: StatementRow): number {
    return this.#bases.get(row) ?? 1;
  }

  /** @param before By row of one filing, the earlier version of the same period. */
  add(rows: readonly StatementRow[], before: readonly (StatementRow | undefined)[]): void {
    const votes = new Map<number, number>();
    const stated = rows.map((row, i) => {
      const earlier = before[i];
      if (!earlier) return undefined;
      if (isCarried(row, earlier)) return this.of(earlier);
      const ratio = newSharesFor(earlier, row);
      if (ratio === undefined) return undefined;
      const basis = this.of(earlier) * ratio;
      votes.set(basis, (votes.get(basis) ?? 0) + 1);
      return basis;
    });
    if (votes.size > 0) [[this.#newest]] = [...votes].sort(([, a], [, b]) => b - a);
    for (const [i, row] of rows.entries()) {
      const basis = stated[i] ?? this.#newest;
      if (basis !== 1) this.#bases.set(row, basis);
    }
  }
}

/** Returns true if a version leaves all figures per share as the one before gave them. */
export function isCarried(row: StatementRow, before: StatementRow): boolean {
  return (
    row.eps === before.eps &&
    row.epsDiluted === before.epsDiluted &&
    row.sharesBasic === before.sharesBasic &&
    row.sharesDiluted === before.sharesDiluted
  );
}

function newSharesFor(before: StatementRow, after: StatementRow): number | undefined {
  if (!isSameIncome(before, after)) return undefined;
  const eps = [
    [before.epsDiluted, after.epsDiluted],
    [before.eps, after.eps],
  ].find((pair): pair is [number, number] => !pair.includes(null));
  const shares = [
    [before.sharesDiluted, after.sharesDiluted],
    [before.sharesBasic, after.sharesBasic],
  ].find((pair): pair is [number, number] => !pair.includes(null));
  if (shares) {
    const ratio = simpleRatio(shares[1] / shares[0], CENT_HALF);
    // If only the counts change, they were given in thousands.
    return eps && !isEarnedBy(eps, ratio) ? undefined : ratio;
  }
  if (!eps || eps.some((one) => Math.abs(one) < EPS_MIN)) return undefined;
  const roughness = CENT_HALF / Math.abs(eps[0]) + CENT_HALF / Math.abs(eps[1]);
  const ratio = eps[0] / eps[1];
  const simple = ratio > 0 ? simpleRatio(ratio, roughness) : ratio;
  return simple === ratio && ratio !== 1 ? undefined : simple;
}

function isSameIncome(before: StatementRow, after: StatementRow): boolean {
  const [a, b] = [before, after].map((row) => row.netIncomeToCommon ?? row.netIncome);
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) <= SAME_INCOME_SHARE * Math.max(Math.abs(a), Math.abs(b));
}

function isEarnedBy([before, after]: readonly [number, number], ratio: number): boolean {
  const rounding = CENT_HALF * (1 + 1 / ratio);
  return Math.abs(before / ratio - after) <= rounding + SAME_INCOME_SHARE * Math.abs(after);
}

const DENOMINATOR_MAX = 4;

/** The ratio of a usual split near a ratio: 10, 3/2, 1/20; the ratio itself where none is near. */
function simpleRatio(ratio: number, tolerance: number): number {
  if (Math.abs(ratio - 1) <= SAME_SHARE) return 1;
  const [great, turn] = ratio > 1 ? [ratio, (x: number) => x] : [1 / ratio, (x: number) => 1 / x];
  for (let denominator = 1; denominator <= DENOMINATOR_MAX; denominator++) {
    const numerator = Math.round(great * denominator);
    if (numerator === denominator) continue;
    if (Math.abs(numerator / denominator / great - 1) <= tolerance) {
      return turn(numerator / denominator);
    }
  }
  return ratio;
}

/**
 * Returns the moments at which figures per share were filed, by row: later splits are not in them.
 * A version with the same ones as before has the moment of that version.
 *
 * @param rows All versions of one symbol's rows, by filing time.
 */
export function perShareMoments(rows: readonly StatementRow[]): Map<StatementRow, number> {
  const moments = new Map<StatementRow, number>();
  const newest = new Map<string, StatementRow>();
  for (const row of rows) {
    const key = `${row.period} ${row.date}`;
    const before = newest.get(key);
    moments.set(row, before && isCarried(row, before) ? moments.get(before)! : row.filedAt);
    newest.set(key, row);
  }
  return moments;
}
