import { type Dividend, MILLIS_PER_DAY, type Split } from '../base/bars.ts';
import { isSession, nextSession } from '../base/time/calendar.ts';
import {
  FIRST_YEAR,
  LAST_YEAR,
  logPriceAtYear,
  type PricePath,
  SESSIONS,
  yearFromDay,
  yearStart,
} from './levels.ts';
import { integerAt, seedAt } from './random.ts';

export interface SplitPolicy {
  splitAbove: number;
  /** Makes a small split 3:2 instead of 2:1. */
  likesThreeForTwo: boolean;
  consolidateBelow: number;
}

export interface DividendPayer {
  path: PricePath;
  splits: Split[];
  /** Dividends per year as a fraction of the price; 0 for none. */
  yearlyYield: number;
  dividendsPerYear: number;
}

const SPLIT_RATIOS = [20, 10, 7, 5, 4, 3, 2];

/** Returns every split from the listing to the end of the calendar, oldest first. */
export function splitSchedule(path: PricePath, policy: SplitPolicy, firstDay: number): Split[] {
  const splits: Split[] = [];
  const seed = seedAt(path.seed, 4);
  let multiplier = 1;
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    const start = yearStart(year);
    if (SESSIONS[start] <= firstDay) continue;
    const ratio = splitRatio(Math.exp(logPriceAtYear(path, year)) * multiplier, policy);
    if (!ratio) continue;
    const [numerator, denominator] = ratio;
    const exDay = SESSIONS[start + 15 + integerAt(seed, year, 200)];
    splits.push({ exDay, numerator, denominator });
    multiplier *= denominator / numerator;
  }
  return splits;
}

function splitRatio(
  price: number,
  { splitAbove, likesThreeForTwo, consolidateBelow }: SplitPolicy,
): readonly [numerator: number, denominator: number] | undefined {
  if (price > splitAbove) {
    if (likesThreeForTwo && price < splitAbove * 1.6) return [3, 2];
    const numerator = SPLIT_RATIOS.find((ratio) => price / ratio >= splitAbove * 0.4);
    return numerator === undefined ? undefined : [numerator, 1];
  }
  if (price < consolidateBelow) return [1, price < consolidateBelow / 10 ? 100 : 10];
  return undefined;
}

export function sharesMultiplier(splits: readonly Split[], day: number): number {
  let multiplier = 1;
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay <= day) multiplier *= numerator / denominator;
  }
  return multiplier;
}

export function dividendsBetween(
  { path, splits, yearlyYield, dividendsPerYear }: DividendPayer,
  fromDay: number,
  toDay: number,
): Dividend[] {
  const dividends: Dividend[] = [];
  const monthStep = 12 / dividendsPerYear;
  const firstMonth = integerAt(path.seed, 5, monthStep);
  const dayOfMonth = 4 + integerAt(path.seed, 6, 20);
  for (let year = yearFromDay(fromDay); year <= yearFromDay(toDay); year++) {
    const payment = (Math.exp(logPriceAtYear(path, year)) * yearlyYield) / dividendsPerYear;
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

/** Rounds to cents, small payments to hundredths of a cent; less than a cent is not paid. */
function declaredAmount(amount: number): number {
  if (amount < 0.01) return 0;
  return amount >= 0.05 ? Math.round(amount * 100) / 100 : Math.round(amount * 1e4) / 1e4;
}
