/** Fields that follow from the filings of companies, and from prices. */

import type { Split } from '../../../base/bars.ts';
import {
  type CompanyFigures,
  FIGURE_NAMES,
  type FigureName,
} from '../../../base/company-figures.ts';
import { filingDay } from '../../../base/datasets/insider-filing.ts';
import type { ScreenFieldName } from '../../../base/screen-fields.ts';
import { newShares } from '../../../compute/companies/company-facts.ts';
import type { ScreenerTable } from '../snapshot/snapshot.ts';

/** Figures of a company and the price of a moment. */
interface Company extends CompanyFigures {
  knownMs: number;
  marketCap: number;
  splits: readonly Split[];
  /** Session of the price, on whose split basis figures per share are given. */
  day: number;
  /** Newest session of any security. */
  newestDay: number;
}

type Figure = (company: Company) => number;

const positive = (value: number) => (value > 0 ? value : Number.NaN);
const dollars =
  (name: FigureName): Figure =>
  (one) =>
    one.isInDollars === 1 ? one[name] : Number.NaN;
const ofRevenue =
  (name: FigureName): Figure =>
  (one) =>
    one[name] / positive(one.revenue);
const growth =
  (name: FigureName, before: FigureName): Figure =>
  (one) =>
    one[name] / positive(one[before]) - 1;
const perShare =
  (name: FigureName): Figure =>
  (one) =>
    dollars(name)(one) / newShares(one.splits, one.filedDay, one.day);
const toMarketCap =
  (name: FigureName): Figure =>
  (one) =>
    one.marketCap / positive(dollars(name)(one));

export const FIGURE_FIELDS = {
  shares_outstanding: ({ shares, sharesDay, splits, day }) =>
    shares * newShares(splits, sharesDay, day),
  price_to_sales: toMarketCap('revenue'),
  price_to_book: toMarketCap('totalEquity'),
  enterprise_value: (one) => one.marketCap + dollars('totalDebt')(one) - one.cash,
  revenue: dollars('revenue'),
  gross_profit: dollars('grossProfit'),
  operating_income: dollars('operatingIncome'),
  net_income: dollars('netIncome'),
  eps: perShare('eps'),
  eps_diluted: perShare('epsDiluted'),
  revenue_growth: growth('revenue', 'revenueBefore'),
  net_income_growth: growth('netIncome', 'netIncomeBefore'),
  gross_margin: ofRevenue('grossProfit'),
  operating_margin: ofRevenue('operatingIncome'),
  net_margin: ofRevenue('netIncome'),
  return_on_equity: ({ netIncome, totalEquity }) => netIncome / positive(totalEquity),
  total_assets: dollars('totalAssets'),
  total_liabilities: dollars('totalLiabilities'),
  total_equity: dollars('totalEquity'),
  cash: dollars('cash'),
  total_debt: dollars('totalDebt'),
  debt_to_equity: ({ totalDebt, totalEquity }) => totalDebt / positive(totalEquity),
  days_since_filing: ({ knownMs, newestDay }) => Math.max(0, newestDay - filingDay(knownMs)),
} as const satisfies Partial<Record<ScreenFieldName, Figure>>;

/** Figures by row; NaN for a security that is no share, or has none. */
export interface RowFigures {
  knownMs: Float64Array;
  figures: Record<FigureName, Float64Array>;
  splits: readonly (readonly Split[])[];
}

/** Returns a field of all rows. */
export function figureField(
  name: keyof typeof FIGURE_FIELDS,
  { knownMs, figures, splits }: RowFigures,
  { columns }: ScreenerTable,
  newestDay: number,
): Float64Array {
  const figure: Figure = FIGURE_FIELDS[name];
  return Float64Array.from(knownMs, (known, row) => {
    if (Number.isNaN(known)) return Number.NaN;
    const company = {
      knownMs: known,
      marketCap: columns.marketCap[row],
      splits: splits[row],
      day: columns.lastBarDay[row],
      newestDay,
    } as Company;
    for (const one of FIGURE_NAMES) company[one] = figures[one][row];
    return figure(company);
  });
}
