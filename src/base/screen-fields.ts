/**
 * Fields of a company that a screen's expression can use by name, each declared once. They have one
 * value at the moment of a screen, so an expression over earlier bars can't use them.
 */

import { RATIOS, type RatioField, ratioField } from './companies/ratios.ts';
import type { FieldUnit } from './quote-fields.ts';

interface ScreenField {
  kind: 'number' | 'text';
  /** Undefined for texts. */
  unit?: FieldUnit;
  /** Words that people use for it, which messages translate. */
  words?: readonly string[];
  /** Its text in the reference. */
  description: string;
  /** Value of a screen as of a past day; the default is the value that was known then. */
  past?: /** The value of today. */
    | 'present'
    /** Null: the published rows do not show what was known on a past day. */
    | 'null';
}

const twelveMonths = (what: string) => `${what} of the last twelve months filed, in US dollars.`;
const newestBalance = (what: string) => `${what} in the newest balance sheet, in US dollars.`;
const ninetyDays = (what: string) => `${what}, filed within 90 days.`;

const number = (unit: FieldUnit, description: string, past?: ScreenField['past']): ScreenField => ({
  kind: 'number',
  unit,
  description,
  past,
});
const text = (description: string, past?: ScreenField['past']): ScreenField => ({
  kind: 'text',
  description,
  past,
});

/** @param words Those that people use for the field, with blanks between. */
const called = (field: ScreenField, words: string): ScreenField => ({
  ...field,
  words: words.split(' '),
});

const OWN_FIELDS = {
  price: number('price', 'Close of the newest bar (a minute or a day).'),
  change_pct: called(number('percent', 'Change since the previous session, in percent.'), 'chg'),
  market_cap: called(number('usd', 'Price times shares outstanding.'), 'mcap capitalization'),
  pe_ratio: called(
    number('ratio', 'Price over the diluted earnings per share of the last twelve months filed.'),
    'per',
  ),
  dividend_yield: called(
    number('fraction', "The last year's dividends as a fraction of the price."),
    'yield div_yield',
  ),
  shares_outstanding: called(
    number('shares', 'Shares outstanding by the newest filing, adjusted for later splits.'),
    'shares',
  ),
  price_to_sales: called(number('ratio', '`market_cap` over `revenue`.'), 'psr'),
  price_to_book: called(
    number('ratio', '`market_cap` over `total_equity`; null if that is not positive.'),
    'pbr',
  ),
  enterprise_value: called(number('usd', '`market_cap` plus `total_debt` minus `cash`.'), 'ev'),
  revenue: called(number('usd', twelveMonths('Revenue')), 'sales turnover'),
  gross_profit: number('usd', twelveMonths('Gross profit')),
  operating_income: number('usd', twelveMonths('Operating income')),
  net_income: called(number('usd', twelveMonths('Net income')), 'profit earnings'),
  eps: number('price', `${twelveMonths('Basic earnings per share')} Adjusted for later splits.`),
  eps_diluted: number(
    'price',
    `${twelveMonths('Diluted earnings per share')} Adjusted for later splits.`,
  ),
  revenue_growth: number(
    'fraction',
    'Change of revenue from the twelve months a year before, as a fraction.',
  ),
  net_income_growth: number(
    'fraction',
    'Change of net income from the twelve months a year before, as a fraction; null after a loss.',
  ),
  gross_margin: number('fraction', 'Gross profit as a fraction of revenue.'),
  operating_margin: number('fraction', 'Operating income as a fraction of revenue.'),
  net_margin: called(number('fraction', 'Net income as a fraction of revenue.'), 'profit_margin'),
  return_on_equity: number(
    'fraction',
    'Net income of twelve months as a fraction of the newest `total_equity`.',
  ),
  total_assets: called(number('usd', newestBalance('Total assets')), 'assets'),
  total_liabilities: called(number('usd', newestBalance('Total liabilities')), 'liabilities'),
  total_equity: called(number('usd', newestBalance('Total equity')), 'equity book_value'),
  cash: number('usd', newestBalance('Cash and cash equivalents')),
  total_debt: called(number('usd', newestBalance('Short and long borrowings')), 'debt'),
  debt_to_equity: called(
    number('ratio', '`total_debt` over `total_equity`; null if that is not positive.'),
    'de',
  ),
  days_since_filing: number(
    'count',
    'Days from the newest filing that changed one of these figures to the newest session.',
  ),
  days_to_earnings: number(
    'count',
    'Days from the newest session to the next expected report; 0 on its day, null if none is ' +
      'known.',
    'null',
  ),
  days_since_earnings: number(
    'count',
    'Days from the last report before the newest session; null if none is known.',
    'null',
  ),
  analyst_count: number('count', 'Number of analysts in the consensus.', 'null'),
  target_price: called(
    number('price', 'Mean of the price targets.', 'null'),
    'target price_target',
  ),
  target_upside: called(
    number('fraction', '`target_price` above the price, as a fraction of the price.', 'null'),
    'upside',
  ),
  insider_net_shares_90d: number(
    'shares',
    ninetyDays('Shares that insiders bought minus sold'),
    'null',
  ),
  insider_net_value_90d: number(
    'usd',
    ninetyDays('Purchases minus sales of insiders, in US dollars'),
    'null',
  ),
  insider_buys_90d: number('count', ninetyDays('Purchases of insiders'), 'null'),
  insider_sells_90d: number('count', ninetyDays('Sales of insiders'), 'null'),
  symbol: text('Ticker.'),
  company_name: called(text('Name of the company.', 'present'), 'name company'),
  sector: text('Sector.', 'present'),
  industry: text('Industry.', 'present'),
  country: text('Two-letter country code (ISO 3166).', 'present'),
  exchange: text('Exchange that lists it.', 'present'),
  type: text('Kind of security: stock, etf and so on.', 'present'),
  analyst_consensus: text('Strong Buy, Buy, Hold, Sell or Strong Sell.', 'null'),
} satisfies Record<string, ScreenField>;

export type ScreenFieldName = keyof typeof OWN_FIELDS | RatioField;

/** Fields of ratios. Those of the same name above are the same. */
const RATIO_FIELDS = RATIOS.map(({ name, unit, description }) => {
  return [ratioField(name), number(unit, description)] as const;
});

export const SCREEN_FIELDS = {
  ...Object.fromEntries(RATIO_FIELDS),
  ...OWN_FIELDS,
} as Readonly<Record<ScreenFieldName, ScreenField>>;

export const SCREEN_FIELD_NAMES = [
  ...new Set([...Object.keys(OWN_FIELDS), ...RATIO_FIELDS.map(([name]) => name)]),
] as ScreenFieldName[];

/** Returns the declaration of a field. */
export function screenField(name: ScreenFieldName): ScreenField {
  return SCREEN_FIELDS[name];
}

/** Returns the field that people mean by a word: `price_to_book` by `pb`. */
export function fieldOfWord(word: string): ScreenFieldName | undefined {
  return SCREEN_FIELD_NAMES.find((name) => screenField(name).words?.includes(word));
}
