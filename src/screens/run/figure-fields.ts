/** Fields that follow from the filings of companies, and from prices. */

import type { Split } from '../../base/bars.ts';
import type { FigureName } from '../../base/companies/figures.ts';
import { RATIOS, type Ratio, type RatioField, ratioField } from '../../base/companies/ratios.ts';
import { filingDay } from '../../base/datasets/insider-filing.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import { decimalSum } from '../../base/prices/decimals.ts';
import { newShares } from '../../compute/companies/company-facts.ts';
import type { ScreenerTable } from '../../store/arrow/snapshot/snapshot.ts';

/** Figures by row; NaN for a security that is no share, or has none. */
export interface RowFigures {
  knownMs: Float64Array;
  figures: Record<FigureName, Float64Array>;
  splits: readonly (readonly Split[])[];
  /** Rows of the table: figures per share are given on the split basis of its prices. */
  columns: ScreenerTable['columns'];
  /** By row, the newest session of any security. */
  newestDays: ArrayLike<number>;
}

type Figure = (rows: RowFigures, row: number) => number;

const positive = (value: number) => (value > 0 ? value : Number.NaN);

const plain =
  (name: FigureName): Figure =>
  ({ figures }, row) =>
    figures[name][row];

const dollars =
  (name: FigureName): Figure =>
  ({ figures }, row) =>
    figures.isInDollars[row] === 1 ? figures[name][row] : Number.NaN;

const ratio =
  (over: Figure, under: Figure): Figure =>
  (rows, row) =>
    over(rows, row) / positive(under(rows, row));

const growth =
  (name: FigureName, before: FigureName): Figure =>
  ({ figures }, row) =>
    figures[name][row] / positive(figures[before][row]) - 1;

/** New shares for an old one, by the splits after the filing. */
const sharesSince =
  (day: 'sharesDay' | 'filedDay'): Figure =>
  ({ splits, figures, columns }, row) =>
    newShares(splits[row], figures[day][row], columns.lastBarDay[row]);

/** NaN for a class of stock of which the figures are not proved to be. */
const ofClass =
  (figure: Figure): Figure =>
  (rows, row) =>
    rows.figures.adsRatio[row] === 0 ? Number.NaN : figure(rows, row);

const perShare = (name: FigureName) => ofClass(ratio(dollars(name), sharesSince('filedDay')));
const marketCap: Figure = ({ columns }, row) => columns.marketCap[row];

/** Figures of a ratio; the price-earnings ratio is that of the table. */
const ratioFigure =
  ({ name, formula }: Ratio): Figure =>
  (rows, row) => {
    if (name === 'pe') return rows.columns.peRatio[row];
    return formula((input) => {
      if (input === 'price') return Number.NaN;
      return input === 'marketCap' ? dollarCap(rows, row) : rows.figures[input][row];
    });
  };

const dollarCap: Figure = ({ figures, columns }, row) =>
  figures.isInDollars[row] === 1 ? columns.marketCap[row] : Number.NaN;

const RATIO_FIGURES = Object.fromEntries(
  RATIOS.map((one) => [ratioField(one.name), ratioFigure(one)]),
) as Record<RatioField, Figure>;

export const FIGURE_FIELDS = {
  ...RATIO_FIGURES,
  shares_outstanding: ofClass(
    (rows, row) => rows.figures.shares[row] * sharesSince('sharesDay')(rows, row),
  ),
  price_to_sales: ratio(marketCap, dollars('revenue')),
  price_to_book: ratio(marketCap, dollars('totalEquity')),
  enterprise_value: (rows, row) =>
    decimalSum([
      marketCap(rows, row),
      dollars('totalDebt')(rows, row),
      -dollars('cash')(rows, row),
    ]),
  revenue: dollars('revenue'),
  gross_profit: dollars('grossProfit'),
  operating_income: dollars('operatingIncome'),
  net_income: dollars('netIncome'),
  eps: perShare('eps'),
  eps_diluted: perShare('epsDiluted'),
  revenue_growth: growth('revenue', 'revenueBefore'),
  net_income_growth: growth('netIncome', 'netIncomeBefore'),
  gross_margin: ratio(plain('grossProfit'), plain('revenue')),
  operating_margin: ratio(plain('operatingIncome'), plain('revenue')),
  net_margin: ratio(plain('netIncome'), plain('revenue')),
  return_on_equity: ratio(plain('netIncome'), plain('totalEquity')),
  total_assets: dollars('totalAssets'),
  total_liabilities: dollars('totalLiabilities'),
  total_equity: dollars('totalEquity'),
  cash: dollars('cash'),
  total_debt: dollars('totalDebt'),
  debt_to_equity: ratio(plain('totalDebt'), plain('totalEquity')),
  days_since_filing: ({ knownMs, newestDays }, row) =>
    Math.max(0, newestDays[row] - filingDay(knownMs[row])),
} as const satisfies Partial<Record<ScreenFieldName, Figure>>;

/** Rows that a step computes, some 0.1 µs each. */
const STEP_ROWS = 4096;

/** Computes a field of all rows. */
export function* figureField(
  name: keyof typeof FIGURE_FIELDS,
  rows: RowFigures,
): Generator<void, Float64Array> {
  const figure: Figure = FIGURE_FIELDS[name];
  const values = new Float64Array(rows.knownMs.length).fill(Number.NaN);
  for (let row = 0; row < values.length; row++) {
    if (row % STEP_ROWS === 0) yield;
    if (!Number.isNaN(rows.knownMs[row])) values[row] = figure(rows, row);
  }
  return values;
}
