/**
 * What companies of the sandbox earn and own. Sales follow the company's value of the years
 * around, without the moods of single days; so prices lead results, and ratios stay plausible.
 */

import { type Business, businessOf } from './business.ts';
import { sharesMultiplier } from './events.ts';
import { SANDBOX_FIRST_YEAR, SANDBOX_LAST_YEAR } from './factors.ts';
import { logPriceAtYear, type PricePath } from './path.ts';
import { normalAt, seedAt, uniformAt } from './random.ts';
import { companySeed, endMonth } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

/** In dollars, whole thousands; whole millions of large companies. */
export interface IncomeFacts {
  revenue: number;
  costOfRevenue: number;
  grossProfit: number;
  operatingIncome: number;
  netIncome: number;
}

export interface BalanceFacts {
  totalAssets: number;
  totalLiabilities: number;
  totalEquity: number;
  cash: number;
  totalDebt: number;
  netDebt: number;
}

const AT = { cycle: 10, sales: 11, luck: 12, restated: 13, dilution: 14, assets: 15 } as const;

/** From one turn of a company's margin to the next. */
const CYCLE_QUARTERS = 8;

/** Shares of a company that count for its earnings, on the split basis of a day. */
export function sharesOn(security: SandboxSecurity, day: number): number {
  const { splits, sharesAtListing } = security.model;
  return Math.max(1, Math.round(sharesAtListing * sharesMultiplier(splits, day)));
}

/** The same with options; those of a company that loses money count for nothing. */
export function dilutedSharesOn(security: SandboxSecurity, day: number, netIncome: number): number {
  const shares = sharesOn(security, day);
  if (netIncome <= 0) return shares;
  const part = 0.002 + 0.04 * uniformAt(companySeed(security, 'fundamentals'), AT.dilution) ** 2;
  return Math.round(shares * (1 + part));
}

/** Per share, in cents, or hundredths of a cent where it is less than a dollar. */
export function perShare(amount: number, shares: number): number {
  const value = amount / shares;
  const steps = Math.abs(value) >= 1 ? 100 : 10_000;
  return Math.round(value * steps) / steps;
}

/**
 * What a quarter brought.
 *
 * @param isRestated As a later amendment has it.
 */
export function quarterIncome(
  security: SandboxSecurity,
  number: number,
  isRestated = false,
): IncomeFacts {
  const business = businessOf(security);
  const { seed, unit } = business;
  const inUnits = (amount: number) => Math.round(amount / unit) * unit;
  const share = (isRestated ? restatement(seed, number) : 1) * seasonOf(security, business, number);
  const noise = 1 + 0.015 * normalAt(seedAt(seed, AT.sales), number);
  const sales = (yearlySales(security, business, number) / 4) * share * noise;
  const revenue = Math.max(unit, inUnits(sales));
  const margin = marginOf(business, number);
  // Taxes take a fifth of profits, and give nothing for losses.
  const operatingMargin = margin > 0 ? margin / 0.79 : margin * 0.96;
  const grossMargin = Math.min(0.94, Math.max(0.04, operatingMargin + business.overhead));
  const costOfRevenue = inUnits(revenue * (1 - grossMargin));
  return {
    revenue,
    costOfRevenue,
    grossProfit: revenue - costOfRevenue,
    operatingIncome: inUnits(revenue * operatingMargin),
    netIncome: inUnits(revenue * margin),
  };
}

/** The fiscal year that ends with a quarter: the sum of its four. */
export function yearIncome(
  security: SandboxSecurity,
  lastNumber: number,
  isRestated = false,
): IncomeFacts {
  const year = quarterIncome(security, lastNumber, isRestated);
  for (const back of [1, 2, 3]) {
    const quarter = quarterIncome(security, lastNumber - back);
    for (const name of Object.keys(year) as (keyof IncomeFacts)[]) year[name] += quarter[name];
  }
  return year;
}

/** At the end of a quarter. A restatement of what was earned is one of what is owned. */
export function balanceAt(
  security: SandboxSecurity,
  number: number,
  isRestated = false,
): BalanceFacts {
  const business = businessOf(security);
  const { unit } = business;
  const inUnits = (amount: number) => Math.round(amount / unit) * unit;
  const change = isRestated
    ? quarterIncome(security, number, true).netIncome - quarterIncome(security, number).netIncome
    : 0;
  const wobble = 1 + 0.03 * normalAt(seedAt(business.seed, AT.assets), number);
  const assets = inUnits(
    Math.max(4 * unit, yearlySales(security, business, number) * business.assetsToSales * wobble),
  );
  const equity = inUnits(assets * (business.equityShare + 0.1 * (wobble - 1)));
  const totalLiabilities = assets - equity;
  const cash = inUnits(assets * business.cashShare * wobble);
  const totalDebt = inUnits(totalLiabilities * business.debtShare);
  return {
    totalAssets: assets + change,
    totalLiabilities,
    totalEquity: equity + change,
    cash,
    totalDebt,
    netDebt: totalDebt - cash,
  };
}

/** Around a quarter, before seasons and chance. */
function yearlySales({ model }: SandboxSecurity, business: Business, number: number): number {
  const year = SANDBOX_FIRST_YEAR + Math.floor(number / 4);
  const part = number / 4 - Math.floor(number / 4);
  const level =
    smoothLevel(model.path, year) * (1 - part) + smoothLevel(model.path, year + 1) * part;
  return (model.sharesAtListing * Math.exp(level)) / business.priceToSales;
}

/** Mean log price of three years, before splits. */
function smoothLevel(path: PricePath, year: number): number {
  let sum = 0;
  for (const one of [year - 1, year, year + 1]) {
    const known = Math.min(Math.max(one, SANDBOX_FIRST_YEAR), SANDBOX_LAST_YEAR + 1);
    sum += logPriceAtYear(path, known);
  }
  return sum / 3;
}

function marginOf({ seed, margin }: Business, number: number): number {
  const turn = Math.floor(number / CYCLE_QUARTERS);
  const part = number / CYCLE_QUARTERS - turn;
  const cycle = seedAt(seed, AT.cycle);
  const mood = normalAt(cycle, turn) * (1 - part) + normalAt(cycle, turn + 1) * part;
  const luck = normalAt(seedAt(seed, AT.luck), number);
  return Math.min(0.4, margin + (0.3 * Math.abs(margin) + 0.01) * (mood + 0.25 * luck));
}

/** Around 1; highest in the quarter of the holidays. */
function seasonOf(security: SandboxSecurity, { season }: Business, number: number): number {
  // January is 0; a whole year changes nothing.
  const monthsAfterDecember = endMonth(security, number) + 1;
  return 1 + season * Math.cos((2 * Math.PI * monthsAfterDecember) / 12);
}

/** What is left of a quarter's sales once they are counted again. */
function restatement(seed: number, number: number): number {
  return 0.93 + 0.05 * uniformAt(seedAt(seed, AT.restated), number);
}
