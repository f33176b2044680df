/** Splits and dividends of the sandbox: they follow from a security's price path and habits. */

import { type Dividend, MILLIS_PER_DAY, type Split } from '../base/bars.ts';
import { isSession, nextSession } from '../base/time/calendar.ts';
import { SANDBOX_FIRST_YEAR, SANDBOX_LAST_YEAR, sandboxFactors, yearFromDay } from './factors.ts';
import { logPriceAtYear, type PricePath } from './path.ts';
import { integerAt, seedAt } from './random.ts';

/** What a company does about its price and its cash. */
export interface Habits {
  /** Splits when a year starts above this price. */
  splitAbove: number;
  /** Makes a small split 3:2 instead of 2:1. */
  likesThreeForTwo: boolean;
  /** Consolidates when a year starts below this price. */
  consolidateBelow: number;
  /** Dividends a year as a fraction of the price; 0 for those that pay none. */
  yearlyYield: number;
  /** 4 or 12. */
  dividendsPerYear: number;
}

const FORWARD: readonly (readonly [numerator: number, denominator: number])[] = [
  [20, 1],
  [10, 1],
  [7, 1],
  [5, 1],
  [4, 1],
  [3, 1],
  [2, 1],
];

/** Every split from listing to the end of the calendar, oldest first. */
export function splitSchedule(path: PricePath, habits: Habits, firstDay: number): Split[] {
  const { days, yearStarts } = sandboxFactors();
  const splits: Split[] = [];
  const seed = seedAt(path.seed, 4);
  let multiplier = 1;
  for (let year = SANDBOX_FIRST_YEAR; year <= SANDBOX_LAST_YEAR; year++) {
    const start = yearStarts[year - SANDBOX_FIRST_YEAR];
    if (days[start] <= firstDay) continue;
    const price = Math.exp(logPriceAtYear(path, year)) * multiplier;
    const ratio = splitRatio(price, habits);
    if (!ratio) continue;
    const [numerator, denominator] = ratio;
    splits.push({ exDay: days[start + 15 + integerAt(seed, year, 200)], numerator, denominator });
    multiplier *= denominator / numerator;
  }
  return splits;
}

function splitRatio(
  price: number,
  { splitAbove, likesThreeForTwo, consolidateBelow }: Habits,
): readonly [numerator: number, denominator: number] | undefined {
  if (price > splitAbove) {
    if (likesThreeForTwo && price < splitAbove * 1.6) return [3, 2];
    // As far down as two fifths of the price it splits at.
    return FORWARD.find(([numerator]) => price / numerator >= splitAbove * 0.4);
  }
  if (price < consolidateBelow) return price < consolidateBelow / 10 ? [1, 100] : [1, 10];
  return undefined;
}

/** New shares for one old share since listing, on a day. */
export function sharesMultiplier(splits: readonly Split[], day: number): number {
  let multiplier = 1;
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay <= day) multiplier *= numerator / denominator;
  }
  return multiplier;
}

/** Dividends with ex-dates between two days, both included, oldest first. */
export function dividendsBetween(
  path: PricePath,
  habits: Habits,
  splits: readonly Split[],
  fromDay: number,
  toDay: number,
): Dividend[] {
  if (habits.yearlyYield === 0) return [];
  const dividends: Dividend[] = [];
  const monthStep = 12 / habits.dividendsPerYear;
  const firstMonth = integerAt(path.seed, 5, monthStep);
  const dayOfMonth = 4 + integerAt(path.seed, 6, 20);
  const lastYear = yearFromDay(toDay);
  for (let year = yearFromDay(fromDay); year <= lastYear; year++) {
    const payment =
      (Math.exp(logPriceAtYear(path, year)) * habits.yearlyYield) / habits.dividendsPerYear;
    for (let month = firstMonth; month < 12; month += monthStep) {
      const date = Date.UTC(year, month, dayOfMonth) / MILLIS_PER_DAY;
      const exDay = isSession(date) ? date : nextSession(date);
      if (exDay < fromDay || exDay > toDay) continue;
      const amount = declaredAmount(payment / sharesMultiplier(splits, exDay));
      if (amount > 0) dividends.push({ exDay, amount });
    }
  }
  return dividends;
}

/** Whole cents, or hundredths of a cent for small payments; nothing below a cent. */
function declaredAmount(amount: number): number {
  if (amount < 0.01) return 0;
  return amount >= 0.05 ? Math.round(amount * 100) / 100 : Math.round(amount * 1e4) / 1e4;
}
