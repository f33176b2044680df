/**
 * Income and balance sheet of a quarter. Sales follow the company's value of the years around, so
 * prices lead results and ratios stay plausible.
 */

import { FIRST_YEAR, LAST_YEAR, logPriceAtYear } from './levels.ts';
import { recordSeed } from './quarters.ts';
import { normalAt, seedAt, uniformAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

const HEAVY_SECTORS = ['Real Estate', 'Utilities', 'Energy'];
/** Quarters between two turning points of a company's margin. */
const CYCLE_QUARTERS = 8;
/** Part of profits left after taxes, which losses do not bear. */
const AFTER_TAX = 0.79;

/**
 * Returns the income of a quarter in dollars, whole thousands.
 *
 * @param isRestated Gives the figures of a later amendment, which are lower.
 */
export function quarterIncome(security: SandboxSecurity, number: number, isRestated = false) {
  const { seed, margin: usualMargin } = businessOf(security);
  const noise = 1 + 0.015 * normalAt(seedAt(seed, 11), number);
  const sales = (yearlySales(security, number) / 4) * noise;
  const revenue = Math.max(1000, thousands(sales * restatedShare(seed, number, isRestated)));
  const cycle = seedAt(seed, 10);
  const turn = Math.floor(number / CYCLE_QUARTERS);
  const part = number / CYCLE_QUARTERS - turn;
  const mood = normalAt(cycle, turn) * (1 - part) + normalAt(cycle, turn + 1) * part;
  const luck = normalAt(seedAt(seed, 12), number);
  const change = (0.3 * Math.abs(usualMargin) + 0.01) * (mood + 0.25 * luck);
  const margin = Math.min(0.4, usualMargin + change);
  const operatingMargin = margin > 0 ? margin / AFTER_TAX : margin;
  const overhead = 0.05 + 0.4 * uniformAt(seed, 4);
  const grossMargin = Math.min(0.94, Math.max(0.04, operatingMargin + overhead));
  const costOfRevenue = thousands(revenue * (1 - grossMargin));
  return {
    revenue,
    costOfRevenue,
    grossProfit: revenue - costOfRevenue,
    operatingIncome: thousands(revenue * operatingMargin),
    netIncome: thousands(revenue * margin),
  };
}

/** Adds up the fiscal year that ends with a quarter; only that quarter is restated. */
export function yearIncome(security: SandboxSecurity, lastNumber: number, isRestated: boolean) {
  const year = quarterIncome(security, lastNumber, isRestated);
  for (const back of [1, 2, 3]) {
    const quarter = quarterIncome(security, lastNumber - back);
    for (const name of Object.keys(year) as (keyof typeof year)[]) year[name] += quarter[name];
  }
  return year;
}

/** Returns the balance sheet at the end of a quarter. */
export function balanceSheetAt(security: SandboxSecurity, number: number, isRestated: boolean) {
  const { seed } = businessOf(security);
  const at = (position: number) => uniformAt(seed, position);
  const isBank = security.sector === 'Financial Services';
  const isHeavy = HEAVY_SECTORS.includes(security.sector ?? '');
  const wobble = 1 + 0.03 * normalAt(seedAt(seed, 15), number);
  const toSales = (isBank ? 5 : isHeavy ? 2 : 0.7) * (1 + 1.2 * at(6)) * wobble;
  const assets = yearlySales(security, number) * toSales * restatedShare(seed, number, isRestated);
  const totalAssets = Math.max(4000, thousands(assets));
  // A few owe more than they own.
  const equityShare = isBank ? 0.07 + 0.06 * at(7) : at(7) < 0.03 ? -0.1 : 0.2 + 0.55 * at(7);
  const totalEquity = thousands(totalAssets * (equityShare + 0.1 * (wobble - 1)));
  const totalLiabilities = totalAssets - totalEquity;
  const cash = thousands(totalAssets * (0.02 + 0.25 * at(8) ** 2) * wobble);
  const totalDebt = thousands(totalLiabilities * 0.75 * at(9));
  return { totalAssets, totalLiabilities, totalEquity, cash, totalDebt };
}

/** Adds the options that count for earnings per share; a loss counts none. */
export function dilutedShares(
  security: SandboxSecurity,
  shares: number,
  netIncome: number,
): number {
  if (netIncome <= 0) return shares;
  return Math.round(shares * (1.002 + 0.04 * uniformAt(businessOf(security).seed, 14) ** 2));
}

/** Divides an amount by shares, in cents, or in hundredths of a cent below a dollar. */
export function perShare(amount: number, shares: number): number {
  const value = amount / shares;
  const steps = Math.abs(value) >= 1 ? 100 : 10_000;
  return Math.round(value * steps) / steps;
}

/** Returns what stays the same over a company's life. */
function businessOf(security: SandboxSecurity) {
  const { yearlyYield } = security;
  const seed = recordSeed(security, 1);
  const losesMoney = uniformAt(seed, 1) < (yearlyYield > 0 ? 0.04 : 0.45);
  const size = uniformAt(seed, 2);
  const margin = losesMoney ? -(0.02 + 0.5 * size ** 2) : 0.03 + 0.22 * size ** 1.5;
  // Dividends have to be earned.
  const highest = yearlyYield > 0 ? Math.min(60, 0.85 / yearlyYield) : 90;
  const priceToEarnings = Math.min(highest, 19 * Math.exp(0.4 * normalAt(seed, 3)));
  const priceToSales = losesMoney ? 1 + 7 * uniformAt(seed, 3) : priceToEarnings * margin;
  return { seed, margin, priceToSales };
}

/** Returns the sales of a year around a quarter: the mean value of three years over price/sales. */
function yearlySales(security: SandboxSecurity, number: number): number {
  const year = FIRST_YEAR + Math.floor(number / 4);
  const part = (number % 4) / 4;
  const weights = [1 - part, 1, 1, part];
  const level = weights.reduce((sum, weight, i) => {
    const known = Math.min(Math.max(year + i - 1, FIRST_YEAR), LAST_YEAR + 1);
    return sum + (weight * logPriceAtYear(security.path, known)) / 3;
  }, 0);
  return (security.sharesAtListing * Math.exp(level)) / businessOf(security).priceToSales;
}

/** Returns the part of a quarter's sales and assets that an amendment leaves. */
function restatedShare(seed: number, number: number, isRestated: boolean): number {
  return isRestated ? 0.93 + 0.05 * uniformAt(seedAt(seed, 13), number) : 1;
}

function thousands(amount: number): number {
  return Math.round(amount / 1000) * 1000;
}
