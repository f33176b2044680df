import type { Dividend, Split } from '../../base/bars.ts';
import { type ActionCoverage, dividendDays } from '../../base/prices/action-coverage.ts';

const YEAR_DAYS = 365;

/** A dividend returns on the same weekday 52 weeks later, or some days before that. */
const SOONEST_RETURN_DAYS = 358;

/** Corporate actions of a security, in any order. */
export interface KnownActions {
  splits: readonly Split[];
  dividends: readonly Dividend[];
  actionCoverage: ActionCoverage | undefined;
}

/**
 * Returns the dividends of the year up to a day, on that day's split basis, as a fraction of its
 * price. The newest one takes the place of one that is about a year older: quarterly dividends
 * 364 days apart would be five on their ex-dates.
 *
 * @returns null unless all actions of that year are known and its dividends are in the currency of
 *   the price; 0 if there was no dividend.
 */
export function dividendYield(
  { splits, dividends, actionCoverage }: KnownActions,
  day: number,
  price: number,
): number | null {
  const fromDay = day - YEAR_DAYS + 1;
  const covered = actionCoverage ? [actionCoverage, dividendDays(actionCoverage)] : [null];
  if (covered.some((days) => !days || days.fromDay > fromDay || days.toDay < day)) return null;
  if (price <= 0) return null;
  const ofYear = dividends.filter(
    ({ exDay, isSpinOff, isUnlikely }) =>
      exDay >= fromDay && exDay <= day && !isSpinOff && !isUnlikely,
  );
  const newestDay = ofYear.reduce((newest, { exDay }) => Math.max(newest, exDay), fromDay);
  let sum = 0;
  for (const { exDay, amount, currency } of ofYear) {
    if (newestDay - exDay >= SOONEST_RETURN_DAYS) continue;
    if (currency !== undefined) return null;
    let onBasis = amount;
    for (const split of splits) {
      const isBetween = split.exDay > exDay && split.exDay <= day;
      if (isBetween) onBasis = (onBasis * split.denominator) / split.numerator;
    }
    sum += onBasis;
  }
  return sum / price;
}
