/**
 * Ratios of companies, each defined once: its name, title, unit, inputs and formula. Rows of the
 * API, their schema and formats, tables of agents, the page and fields of screens follow.
 *
 * Flows are of twelve months, amounts of the newest balance sheet. A ratio is NaN if an input is
 * unknown, or if a divisor is not above zero.
 */

import type { FigureName } from './figures.ts';

/** `price` is on the split basis of the figures per share; both are NaN outside of US dollars. */
export type RatioInput = FigureName | 'price' | 'marketCap';

type InputValue = (name: RatioInput) => number;

export interface Ratio {
  name: string;
  title: string;
  unit: 'usd' | 'fraction' | 'ratio' | 'count';
  /** Formula in words, for the reference. */
  description: string;
  inputs: readonly RatioInput[];
  formula: (value: InputValue) => number;
}

const positive = (value: number) => (value > 0 ? value : Number.NaN);

function ratio<const N extends string>(
  name: N,
  title: string,
  unit: Ratio['unit'],
  description: string,
  inputs: readonly RatioInput[],
  formula: Ratio['formula'],
) {
  return { name, title, unit, description, inputs, formula } satisfies Ratio;
}

/** Declares one figure over another. */
function quotient<const N extends string>(
  name: N,
  title: string,
  unit: Ratio['unit'],
  over: RatioInput,
  under: RatioInput,
) {
  const description = `\`${over}\` over \`${under}\`.`;
  const formula: Ratio['formula'] = (value) => value(over) / positive(value(under));
  return ratio(name, title, unit, description, [over, under], formula);
}

/** Declares the yearly growth over some years. */
function growth<const N extends string>(
  name: N,
  title: string,
  now: FigureName,
  before: FigureName,
  years: number,
) {
  const [what, rate] =
    years === 1
      ? ['Change', 'as a fraction']
      : [`Mean yearly change over ${years} years`, 'as a fraction, compounded'];
  return ratio(
    name,
    title,
    'fraction',
    `${what} of \`${now}\` of twelve months, ${rate}.`,
    [now, before],
    (value) => {
      const factor = value(now) / positive(value(before));
      return years === 1 ? factor - 1 : positive(factor) ** (1 / years) - 1;
    },
  );
}

const enterpriseValue: Ratio['formula'] = (value) =>
  value('marketCap') + value('totalDebt') - value('cash');
const EV_INPUTS = ['marketCap', 'totalDebt', 'cash'] as const;

export const RATIOS = [
  quotient('grossMargin', 'Gross margin', 'fraction', 'grossProfit', 'revenue'),
  quotient('operatingMargin', 'Operating margin', 'fraction', 'operatingIncome', 'revenue'),
  quotient('netMargin', 'Net margin', 'fraction', 'netIncome', 'revenue'),
  quotient('roe', 'Return on equity', 'fraction', 'netIncome', 'totalEquity'),
  quotient('roa', 'Return on assets', 'fraction', 'netIncome', 'totalAssets'),
  ratio(
    'roic',
    'Return on invested capital',
    'fraction',
    '`operatingIncome` after tax over `totalDebt` + `totalEquity` − `cash`. The tax rate is ' +
      '`incomeTax` over `pretaxIncome`; null if that is below 0 or above 1.',
    ['operatingIncome', 'incomeTax', 'pretaxIncome', 'totalDebt', 'totalEquity', 'cash'],
    (value) => {
      const rate = value('incomeTax') / positive(value('pretaxIncome'));
      const afterTax = rate >= 0 && rate <= 1 ? value('operatingIncome') * (1 - rate) : Number.NaN;
      const capital = value('totalDebt') + value('totalEquity') - value('cash');
      return afterTax / positive(capital);
    },
  ),
  quotient('currentRatio', 'Current ratio', 'ratio', 'currentAssets', 'currentLiabilities'),
  ratio(
    'quickRatio',
    'Quick ratio',
    'ratio',
    '`currentAssets` − `inventory`, over `currentLiabilities`.',
    ['currentAssets', 'inventory', 'currentLiabilities'],
    (value) =>
      (value('currentAssets') - value('inventory')) / positive(value('currentLiabilities')),
  ),
  quotient('debtToEquity', 'Debt to equity', 'ratio', 'totalDebt', 'totalEquity'),
  quotient('interestCover', 'Interest cover', 'ratio', 'ebit', 'interestExpense'),
  quotient('assetTurnover', 'Asset turnover', 'ratio', 'revenue', 'totalAssets'),
  quotient('pe', 'Price to earnings', 'ratio', 'price', 'epsDiluted'),
  quotient('ps', 'Price to sales', 'ratio', 'marketCap', 'revenue'),
  quotient('pb', 'Price to book', 'ratio', 'marketCap', 'totalEquity'),
  quotient('pfcf', 'Price to free cash flow', 'ratio', 'marketCap', 'freeCashFlow'),
  ratio(
    'enterpriseValue',
    'Enterprise value',
    'usd',
    '`marketCap` + `totalDebt` − `cash`.',
    EV_INPUTS,
    enterpriseValue,
  ),
  ratio(
    'evToEbitda',
    'EV to EBITDA',
    'ratio',
    '`enterpriseValue` over `ebitda`.',
    [...EV_INPUTS, 'ebitda'],
    (value) => enterpriseValue(value) / positive(value('ebitda')),
  ),
  ratio(
    'evToSales',
    'EV to sales',
    'ratio',
    '`enterpriseValue` over `revenue`.',
    [...EV_INPUTS, 'revenue'],
    (value) => enterpriseValue(value) / positive(value('revenue')),
  ),
  quotient('fcfYield', 'Free cash flow yield', 'fraction', 'freeCashFlow', 'marketCap'),
  quotient('buybackYield', 'Buyback yield', 'fraction', 'shareRepurchases', 'marketCap'),
  quotient('payoutRatio', 'Payout ratio', 'fraction', 'dividendsPaid', 'netIncome'),
  growth('revenueGrowth1y', 'Revenue growth', 'revenue', 'revenueBefore', 1),
  growth('revenueGrowth3y', 'Revenue growth, 3 years', 'revenue', 'revenueBefore3y', 3),
  growth('revenueGrowth5y', 'Revenue growth, 5 years', 'revenue', 'revenueBefore5y', 5),
  growth('epsGrowth1y', 'EPS growth', 'epsDiluted', 'epsDilutedBefore', 1),
  growth('epsGrowth3y', 'EPS growth, 3 years', 'epsDiluted', 'epsDilutedBefore3y', 3),
  growth('epsGrowth5y', 'EPS growth, 5 years', 'epsDiluted', 'epsDilutedBefore5y', 5),
  growth('shareChange1y', 'Change of shares', 'sharesDiluted', 'sharesDilutedBefore', 1),
  ratio(
    'piotroski',
    'Piotroski score',
    'count',
    'Number of nine tests passed, against the year before; null if one can not be made.',
    ['piotroski'],
    (value) => value('piotroski'),
  ),
  ratio(
    'altmanZ',
    'Altman Z',
    'ratio',
    '1.2 × working capital + 1.4 × `retainedEarnings` + 3.3 × `ebit` + `revenue`, over ' +
      '`totalAssets`, + 0.6 × `marketCap` over `totalLiabilities`. Working capital is ' +
      '`currentAssets` − `currentLiabilities`.',
    [
      'currentAssets',
      'currentLiabilities',
      'retainedEarnings',
      'ebit',
      'revenue',
      'totalAssets',
      'marketCap',
      'totalLiabilities',
    ],
    (value) => {
      const workingCapital = value('currentAssets') - value('currentLiabilities');
      const earned = 1.4 * value('retainedEarnings') + 3.3 * value('ebit') + value('revenue');
      const toAssets = (1.2 * workingCapital + earned) / positive(value('totalAssets'));
      return toAssets + (0.6 * value('marketCap')) / positive(value('totalLiabilities'));
    },
  ),
] as const satisfies readonly Ratio[];

export type RatioName = (typeof RATIOS)[number]['name'];

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends '1' | '3' | '5'
    ? `_${First}${SnakeCase<Rest>}`
    : `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Name of a ratio in screens: `fcf_yield`, `revenue_growth_1y`. */
export type RatioField = SnakeCase<RatioName>;

export function ratioField(name: RatioName): RatioField {
  return name.replace(/[A-Z]|\d/g, (letter) => `_${letter.toLowerCase()}`) as RatioField;
}
