/** Score of Piotroski: nine tests of a company's year against the one before. Pure. */

/** Figures of twelve months, and of the balance sheet at their end. */
export interface ScoredYear {
  revenue: number | null;
  grossProfit: number | null;
  netIncome: number | null;
  operatingCashFlow: number | null;
  sharesDiluted: number | null;
  totalAssets: number | null;
  currentAssets: number | null;
  currentLiabilities: number | null;
  longTermDebt: number | null;
}

/**
 * Counts the tests that a year passes, 0 to 9: profit, cash from operations, more profit on assets
 * than before, more cash than profit, less long-term debt to assets, a higher current ratio, no
 * more diluted shares, a higher gross margin, more sales on assets. Assets are those at the end.
 *
 * @returns NaN if a figure is unknown, or one that divides is not above zero.
 * @see Piotroski 2000, Value Investing. The paper divides by assets at the start of a year.
 */
export function piotroski(now: ScoredYear, before: ScoredYear): number {
  const [a, b] = [ratiosOf(now), ratiosOf(before)];
  const { netIncome, operatingCashFlow } = now;
  const values = [...Object.values(a), ...Object.values(b), operatingCashFlow ?? Number.NaN];
  if (netIncome === null || values.some((value) => !Number.isFinite(value))) return Number.NaN;
  const tests = [
    netIncome > 0,
    operatingCashFlow! > 0,
    a.profitOnAssets > b.profitOnAssets,
    operatingCashFlow! > netIncome,
    a.debtToAssets < b.debtToAssets,
    a.currentRatio > b.currentRatio,
    a.shares <= b.shares,
    a.grossMargin > b.grossMargin,
    a.salesOnAssets > b.salesOnAssets,
  ];
  return tests.filter((isPassed) => isPassed).length;
}

function ratiosOf(year: ScoredYear) {
  const { totalAssets, revenue } = year;
  return {
    profitOnAssets: over(year.netIncome, totalAssets),
    debtToAssets: over(year.longTermDebt, totalAssets),
    currentRatio: over(year.currentAssets, year.currentLiabilities),
    shares: year.sharesDiluted ?? Number.NaN,
    grossMargin: over(year.grossProfit, revenue),
    salesOnAssets: over(revenue, totalAssets),
  };
}

function over(amount: number | null, under: number | null): number {
  return amount === null || under === null || under <= 0 ? Number.NaN : amount / under;
}
