/**
 * Fields of a company that a screen's expression can use by name, each declared once. They have one
 * value at the moment of a screen, so an expression over earlier bars can't use them.
 */

interface ScreenField {
  kind: 'number' | 'text';
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

export const SCREEN_FIELDS = {
  price: { kind: 'number', description: 'Close of the newest bar (a minute or a day).' },
  change_pct: { kind: 'number', description: 'Change since the previous session, in percent.' },
  market_cap: { kind: 'number', description: 'Price times shares outstanding.' },
  pe_ratio: {
    kind: 'number',
    description: 'Price over the diluted earnings per share of the last twelve months filed.',
  },
  dividend_yield: {
    kind: 'number',
    description: "The last year's dividends as a fraction of the price.",
  },
  shares_outstanding: {
    kind: 'number',
    description: 'Shares outstanding by the newest filing, adjusted for later splits.',
  },
  price_to_sales: { kind: 'number', description: '`market_cap` over `revenue`.' },
  price_to_book: {
    kind: 'number',
    description: '`market_cap` over `total_equity`; null if that is not positive.',
  },
  enterprise_value: {
    kind: 'number',
    description: '`market_cap` plus `total_debt` minus `cash`.',
  },
  revenue: { kind: 'number', description: twelveMonths('Revenue') },
  gross_profit: { kind: 'number', description: twelveMonths('Gross profit') },
  operating_income: { kind: 'number', description: twelveMonths('Operating income') },
  net_income: { kind: 'number', description: twelveMonths('Net income') },
  eps: {
    kind: 'number',
    description: `${twelveMonths('Basic earnings per share')} Adjusted for later splits.`,
  },
  eps_diluted: {
    kind: 'number',
    description: `${twelveMonths('Diluted earnings per share')} Adjusted for later splits.`,
  },
  revenue_growth: {
    kind: 'number',
    description: 'Change of revenue from the twelve months a year before, as a fraction.',
  },
  net_income_growth: {
    kind: 'number',
    description:
      'Change of net income from the twelve months a year before, as a fraction; null after a loss.',
  },
  gross_margin: { kind: 'number', description: 'Gross profit as a fraction of revenue.' },
  operating_margin: { kind: 'number', description: 'Operating income as a fraction of revenue.' },
  net_margin: { kind: 'number', description: 'Net income as a fraction of revenue.' },
  return_on_equity: {
    kind: 'number',
    description: 'Net income of twelve months as a fraction of the newest `total_equity`.',
  },
  total_assets: { kind: 'number', description: newestBalance('Total assets') },
  total_liabilities: { kind: 'number', description: newestBalance('Total liabilities') },
  total_equity: { kind: 'number', description: newestBalance('Total equity') },
  cash: { kind: 'number', description: newestBalance('Cash and cash equivalents') },
  total_debt: { kind: 'number', description: newestBalance('Short and long borrowings') },
  debt_to_equity: {
    kind: 'number',
    description: '`total_debt` over `total_equity`; null if that is not positive.',
  },
  days_since_filing: {
    kind: 'number',
    description:
      'Days from the newest filing that changed one of these figures to the newest session.',
  },
  days_to_earnings: {
    kind: 'number',
    description:
      'Days from the newest session to the next expected report; 0 on its day, null if none is ' +
      'known.',
    past: 'null',
  },
  days_since_earnings: {
    kind: 'number',
    description: 'Days from the last report before the newest session; null if none is known.',
    past: 'null',
  },
  analyst_count: {
    kind: 'number',
    description: 'Number of analysts in the consensus.',
    past: 'null',
  },
  target_price: { kind: 'number', description: 'Mean of the price targets.', past: 'null' },
  target_upside: {
    kind: 'number',
    description: '`target_price` above the price, as a fraction of the price.',
    past: 'null',
  },
  insider_net_shares_90d: {
    kind: 'number',
    description: ninetyDays('Shares that insiders bought minus sold'),
    past: 'null',
  },
  insider_net_value_90d: {
    kind: 'number',
    description: ninetyDays('Purchases minus sales of insiders, in US dollars'),
    past: 'null',
  },
  insider_buys_90d: {
    kind: 'number',
    description: ninetyDays('Purchases of insiders'),
    past: 'null',
  },
  insider_sells_90d: {
    kind: 'number',
    description: ninetyDays('Sales of insiders'),
    past: 'null',
  },
  symbol: { kind: 'text', description: 'Ticker.' },
  company_name: { kind: 'text', description: 'Name of the company.', past: 'present' },
  sector: { kind: 'text', description: 'Sector.', past: 'present' },
  industry: { kind: 'text', description: 'Industry.', past: 'present' },
  country: {
    kind: 'text',
    description: 'Two-letter country code (ISO 3166).',
    past: 'present',
  },
  exchange: { kind: 'text', description: 'Exchange that lists it.', past: 'present' },
  type: {
    kind: 'text',
    description: 'Kind of security: stock, etf and so on.',
    past: 'present',
  },
  analyst_consensus: {
    kind: 'text',
    description: 'Strong Buy, Buy, Hold, Sell or Strong Sell.',
    past: 'null',
  },
} as const satisfies Record<string, ScreenField>;

export type ScreenFieldName = keyof typeof SCREEN_FIELDS;

export const SCREEN_FIELD_NAMES = Object.keys(SCREEN_FIELDS) as ScreenFieldName[];

/** Returns the declaration of a field, without the literal types of `SCREEN_FIELDS`. */
export function screenField(name: ScreenFieldName): ScreenField {
  return SCREEN_FIELDS[name];
}
