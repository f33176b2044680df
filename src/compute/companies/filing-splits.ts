/** Finds the splits that filings show on days of which no source of splits knows. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import type { DaySpan } from '../../base/prices/action-coverage.ts';
import { ShareBases } from './share-bases.ts';
import { impliedShares, isAlike, type StatementRow } from './trailing-statements.ts';

/**
 * Returns the known splits, and those between other filings that restated figures show; they have
 * the day of the filing that restates.
 *
 * The numerator is NaN where counts of shares differ as after a split, and nothing shows its ratio.
 *
 * @param rows All versions of one symbol's rows, by filing time.
 * @param coverage Days of which all splits are known.
 */
export function withFilingSplits(
  known: readonly Split[],
  rows: readonly StatementRow[],
  coverage: DaySpan | undefined,
): Split[] {
  const bases = new ShareBases();
  const newest = new Map<string, StatementRow>();
  const lastByPeriod = new Map<string, StatementRow>();
  const splits = [...known];
  let sinceDay = Number.NEGATIVE_INFINITY;
  for (const [filedAt, filed] of Map.groupBy(rows, (row) => row.filedAt)) {
    const before = filed.map(({ period, date }) => newest.get(`${period} ${date}`));
    const { newest: basis } = bases;
    bases.add(filed, before);
    let ratio = bases.newest / basis;
    for (const row of filed) {
      newest.set(`${row.period} ${row.date}`, row);
      const last = lastByPeriod.get(row.period);
      if (last && last.date >= row.date) continue;
      lastByPeriod.set(row.period, row);
      if (!last || last.filedAt === filedAt) continue;
      const counts = [last, row].map((one) => (sharesOf(one) ?? Number.NaN) / bases.of(one));
      if (!counts.some(Number.isNaN) && !isAlike(counts)) ratio = Number.NaN;
    }
    const exDay = Math.floor(filedAt / MILLIS_PER_DAY);
    const isCovered = coverage && coverage.fromDay <= sinceDay && exDay <= coverage.toDay;
    const isListed = known.some((split) => split.exDay > sinceDay && split.exDay <= exDay);
    if (ratio !== 1 && !isCovered && !isListed) {
      splits.push({ exDay, numerator: ratio, denominator: 1 });
    }
    sinceDay = exDay;
  }
  return splits;
}

function sharesOf(row: StatementRow): number | null {
  return row.sharesDiluted ?? row.sharesBasic ?? impliedShares(row, row.epsDiluted ?? row.eps);
}
