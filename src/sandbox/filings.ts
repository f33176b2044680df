/**
 * Filings: one per quarter with an income statement, a balance sheet, cash flows and a share count. Sales follow
 * the company's value, so ratios to the price stay plausible.
 */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { FIRST_YEAR, logPriceAtYear, SESSIONS } from './levels.ts';
import { type Company, newYorkMs, type Quarter, recordSeed } from './quarters.ts';
import { integerAt, normalAt, seedAt, uniformAt } from './random.ts';
import { type SandboxSecurity, sharesOn } from './universe.ts';

/** Part of profits left after taxes, which losses do not bear. */
const AFTER_TAX = 0.79;

/**
 * Returns a row for each period of each filing, with the columns of all statements. The fourth quarter is in the report of its year.
 */
export function periodRows({ security, quarters }: Company): DatasetRow[] {
  const { symbol } = security;
  return quarters.flatMap((quarter) => {
    const { number, endDay, fiscalYear, fiscalQuarter } = quarter;
    const { day, filedAt } = filingOf(security, quarter);
    const sharesBasic = sharesOn(security, day);
    const periods = fiscalQuarter === 4 ? ['annual', 'quarterly'] : ['quarterly'];
    return periods.map((period) => {
      const isYear = period === 'annual';
      const income = (isYear ? yearIncome : quarterIncome)(security, number);
      const sharesDiluted = dilutedShares(sharesBasic, income.netIncome);
      return {
        symbol,
        date: endDay,
        period,
        filedAt,
        fiscalYear,
        fiscalQuarter: isYear ? null : fiscalQuarter,
        ...income,
        netIncomeToCommon: income.netIncome,
        sharesBasic,
        sharesDiluted,
        eps: perShare(income.netIncome, sharesBasic),
        epsDiluted: perShare(income.netIncome, sharesDiluted),
        ...balanceSheetAt(security, number),
        ...cashFlowAt(security, number, isYear ? 4 : 1),
        currency: 'USD',
        ...headOf(symbol, quarter),
      };
    });
  });
}

function headOf(symbol: string, { fiscalYear, fiscalQuarter }: Quarter) {
  const company = symbol.split('.')[0].toLowerCase();
  const accession = `sandbox-${company}-${fiscalYear}-q${fiscalQuarter}`;
  return { form: fiscalQuarter === 4 ? '10-K' : '10-Q', accession };
}

export function filingRows({ security, quarters }: Company): DatasetRow[] {
  const { symbol } = security;
  return quarters.map((quarter) => {
    const { day, filedAt } = filingOf(security, quarter);
    const head = { symbol, ...headOf(symbol, quarter), period: quarter.endDay };
    return { ...head, filedAt: day, acceptedAt: filedAt, link: null };
  });
}

export function shareRows({ security, quarters }: Company): DatasetRow[] {
  return quarters.map((quarter) => {
    const { day, filedAt } = filingOf(security, quarter);
    const shares = sharesOn(security, day);
    return { symbol: security.symbol, date: day, filedAt, kind: 'cover', shares };
  });
}

/** Returns the day of a quarter's filing, which its share counts refer to, and its moment. */
function filingOf(security: SandboxSecurity, { number, place, fiscalQuarter }: Quarter) {
  const delays = fiscalQuarter === 4 ? 8 : 3;
  const day = SESSIONS[place + integerAt(recordSeed(security, 2), number, delays)];
  return { day, filedAt: newYorkMs(day, 16, 45) };
}

/** Returns the income of a quarter in dollars, whole thousands. */
export function quarterIncome(security: SandboxSecurity, number: number) {
  const { seed, margin: usualMargin } = businessOf(security);
  const noise = 1 + 0.015 * normalAt(seedAt(seed, 11), number);
  const revenue = Math.max(1000, thousands((yearlySales(security, number) / 4) * noise));
  const luck = (0.2 * Math.abs(usualMargin) + 0.01) * normalAt(seedAt(seed, 12), number);
  const margin = Math.min(0.4, usualMargin + luck);
  const operatingMargin = margin > 0 ? margin / AFTER_TAX : margin;
  const overhead = 0.05 + 0.4 * uniformAt(seed, 4);
  const grossMargin = Math.min(0.94, Math.max(0.04, operatingMargin + overhead));
  const costOfRevenue = thousands(revenue * (1 - grossMargin));
  const operatingIncome = thousands(revenue * operatingMargin);
  const netIncome = thousands(revenue * margin);
  const grossProfit = revenue - costOfRevenue;
  // Interest is earned on cash as it is paid on debt.
  const interestExpense = thousands(balanceSheetAt(security, number).totalDebt * INTEREST_RATE);
  const ebit = operatingIncome + interestExpense;
  return {
    revenue,
    costOfRevenue,
    grossProfit,
    operatingIncome,
    netIncome,
    sellingGeneralAdministrative: Math.max(0, grossProfit - operatingIncome),
    interestExpense,
    pretaxIncome: operatingIncome,
    incomeTax: operatingIncome - netIncome,
    ebit,
    ebitda: ebit + thousands(revenue * DEPRECIATION_SHARE),
  };
}

function yearIncome(security: SandboxSecurity, lastNumber: number) {
  const year = quarterIncome(security, lastNumber);
  for (const back of [1, 2, 3]) {
    const quarter = quarterIncome(security, lastNumber - back);
    for (const name of Object.keys(year) as (keyof typeof year)[]) year[name] += quarter[name];
  }
  return year;
}

function balanceSheetAt(security: SandboxSecurity, number: number) {
  const { seed } = businessOf(security);
  const at = (position: number) => uniformAt(seed, position);
  const isBank = security.sector === 'Financial Services';
  const toSales = (isBank ? 5 : 0.7) * (1 + 1.2 * at(6));
  const totalAssets = Math.max(4000, thousands(yearlySales(security, number) * toSales));
  const equityShare = isBank ? 0.07 + 0.06 * at(7) : 0.2 + 0.55 * at(7);
  const totalEquity = thousands(totalAssets * equityShare);
  const totalLiabilities = totalAssets - totalEquity;
  const cash = thousands(totalAssets * (0.02 + 0.25 * at(8) ** 2));
  const totalDebt = thousands(totalLiabilities * 0.75 * at(9));
  const sheet = { totalAssets, totalLiabilities, totalEquity, cash, totalDebt };
  return isBank ? sheet : { ...sheet, ...linesOf(sheet) };
}

/** Returns single lines, as parts of a balance sheet. */
function linesOf({ totalAssets, totalLiabilities, totalEquity, cash, totalDebt }: BalanceSheet) {
  const part = (amount: number, share: number) => thousands(amount * share);
  const receivables = part(totalAssets, 0.12);
  const inventory = part(totalAssets, 0.08);
  const shortTermDebt = part(totalDebt, 0.15);
  const accountsPayable = part(totalLiabilities - totalDebt, 0.4);
  return {
    currentAssets: cash + receivables + inventory,
    currentLiabilities: shortTermDebt + accountsPayable,
    receivables,
    inventory,
    goodwill: part(totalAssets, 0.1),
    accountsPayable,
    retainedEarnings: part(totalEquity, 0.6),
    shortTermDebt,
    longTermDebt: totalDebt - shortTermDebt,
  };
}

type BalanceSheet = Record<
  'totalAssets' | 'totalLiabilities' | 'totalEquity' | 'cash' | 'totalDebt',
  number
>;

/** Interest of a quarter, as a part of debt. */
const INTEREST_RATE = 0.01;

/** Parts of revenue: depreciation, shares for employees, equipment. */
const DEPRECIATION_SHARE = 0.05;
const COMPENSATION_SHARE = 0.02;
const EQUIPMENT_SHARE = 0.04;

/** Returns the flows of the quarters that end with a quarter. Cash moves as the balance sheets say. */
function cashFlowAt(security: SandboxSecurity, lastNumber: number, quarterCount: number) {
  let operatingCashFlow = 0;
  let capitalExpenditure = 0;
  let depreciationAmortization = 0;
  let stockCompensation = 0;
  for (let back = 0; back < quarterCount; back++) {
    const { revenue, netIncome } = quarterIncome(security, lastNumber - back);
    const depreciation = thousands(revenue * DEPRECIATION_SHARE);
    const compensation = thousands(revenue * COMPENSATION_SHARE);
    depreciationAmortization += depreciation;
    stockCompensation += compensation;
    operatingCashFlow += netIncome + depreciation + compensation;
    capitalExpenditure += thousands(revenue * EQUIPMENT_SHARE);
  }
  const { cash } = balanceSheetAt(security, lastNumber);
  const changeInCash = cash - balanceSheetAt(security, lastNumber - quarterCount).cash;
  const investingCashFlow = -capitalExpenditure;
  return {
    operatingCashFlow,
    investingCashFlow,
    financingCashFlow: changeInCash - operatingCashFlow - investingCashFlow,
    changeInCash,
    capitalExpenditure,
    depreciationAmortization,
    stockCompensation,
  };
}

/**
 * Returns the estimate of a quarter, beaten when the price does better than the market that day.
 */
export function estimateOf(security: SandboxSecurity, { number, surprise }: Quarter) {
  const { netIncome, revenue } = quarterIncome(security, number);
  const size = Math.max(Math.abs(netIncome), 0.01 * revenue);
  return {
    netIncome: netIncome - 0.06 * surprise * size,
    revenue: revenue * (1 - 0.012 * surprise),
  };
}

/** Adds the options that count for earnings per share; a loss counts none. */
export function dilutedShares(shares: number, netIncome: number): number {
  return netIncome > 0 ? Math.round(shares * 1.02) : shares;
}

/** Divides an amount by shares, in cents, or in hundredths of a cent below a dollar. */
export function perShare(amount: number, shares: number): number {
  const value = amount / shares;
  const steps = Math.abs(value) >= 1 ? 100 : 10_000;
  return Math.round(value * steps) / steps;
}

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

/** Returns the sales of a year around a quarter: the company's value over price/sales. */
function yearlySales(security: SandboxSecurity, number: number): number {
  const year = FIRST_YEAR + Math.floor(number / 4);
  const part = (number % 4) / 4;
  const [before, after] = [year, year + 1].map((one) => logPriceAtYear(security.path, one));
  const price = Math.exp((1 - part) * before + part * after);
  return (security.sharesAtListing * price) / businessOf(security).priceToSales;
}

function thousands(amount: number): number {
  return Math.round(amount / 1000) * 1000;
}
