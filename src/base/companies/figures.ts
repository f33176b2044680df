/** Figures of a company that follow from its filings, each named once. */

export const INCOME_FIGURES = ['revenue', 'grossProfit', 'operatingIncome', 'netIncome'] as const;
export const BALANCE_FIGURES = [
  'totalAssets',
  'totalLiabilities',
  'totalEquity',
  'cash',
  'totalDebt',
] as const;
/** Single lines that ratios need. */
export const INCOME_LINE_FIGURES = [
  'interestExpense',
  'pretaxIncome',
  'incomeTax',
  'ebit',
  'ebitda',
  'sharesDiluted',
] as const;
export const BALANCE_LINE_FIGURES = [
  'currentAssets',
  'currentLiabilities',
  'inventory',
  'retainedEarnings',
] as const;
export const CASH_FIGURES = [
  'operatingCashFlow',
  'freeCashFlow',
  'dividendsPaid',
  'shareRepurchases',
] as const;
/** Figures of twelve months that ended years before, on the split basis of `filedDay`. */
export const BEFORE_FIGURES = [
  'epsDilutedBefore',
  'sharesDilutedBefore',
  'revenueBefore3y',
  'epsDilutedBefore3y',
  'revenueBefore5y',
  'epsDilutedBefore5y',
] as const;

/**
 * Names of the figures, in the order of their published columns. Days are days since the epoch.
 * Amounts of `epsDiluted` and `dividends` are in US dollars, all others in the currency of the
 * filing. Figures per share and `shares` are on the split basis of their day, not on today's.
 */
export const FIGURE_NAMES = [
  'shares',
  /** Splits after this day are not in `shares`. */
  'sharesDay',
  /** Day on which the twelve months were filed: later splits are not in figures per share. */
  'filedDay',
  'epsDiluted',
  /** Dividends declared for a share in the twelve months; unknown also if none ever was. */
  'dividends',
  /** 1 if the filings are in US dollars, else 0. */
  'isInDollars',
  /** Last day of the twelve months. */
  'periodDay',
  ...INCOME_FIGURES,
  'eps',
  /** Figures of the twelve months that ended a year before, as known then. */
  'revenueBefore',
  'netIncomeBefore',
  /** Day of the newest balance sheet. */
  'balanceDay',
  ...BALANCE_FIGURES,
  /** 1 if the twelve months are a fiscal year as filed, else 0. */
  'isYear',
  ...INCOME_LINE_FIGURES,
  ...BALANCE_LINE_FIGURES,
  /** Cash flows of the same twelve months. */
  ...CASH_FIGURES,
  ...BEFORE_FIGURES,
  /** Score of Piotroski, 0 to 9. */
  'piotroski',
  /**
   * Ordinary shares for which a receipt stands, by which the figures above that are of a share are
   * those of a receipt; unknown if nobody states it, or if it changed between their days. Of a class
   * of stock likewise; 0 if it is not proved that the figures are of this class.
   */
  'adsRatio',
  /** 1 if `shares` are of a cover page or balance sheet, and fit the earnings per share; else 0. */
  'isCounted',
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

/** Figures from which `CompanyFacts` follow. */
export const FACT_FIGURES = [
  'shares',
  'sharesDay',
  'epsDiluted',
  'dividends',
  'filedDay',
  'adsRatio',
] as const satisfies readonly FigureName[];

export type FactFigure = (typeof FACT_FIGURES)[number];

/** NaN is unknown. */
export type CompanyFigures = Record<FigureName, number>;
