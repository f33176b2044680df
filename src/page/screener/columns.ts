/** The columns of the table: their titles, units, values as text, and whether they sort. */

import type { ScreenedRow } from '../../../clients/typescript/operations.js';
import { SCREEN_FIELDS } from '../../base/screen-fields.ts';
import {
  compactText,
  countText,
  dollarsText,
  percentText,
  priceText,
  valueText,
} from '../parts/numbers.ts';

export type Cell = number | boolean | string | null | undefined;

export interface Column {
  /** Its text in the address. */
  text: string;
  title: string;
  isText: boolean;
  /** Width in rem, at least. */
  width: number;
  /** Text to sort by; undefined if it can't be sorted by. */
  sort: string | undefined;
  valueOf(row: ScreenedRow): Cell;
  textOf(value: Cell): string;
  /** True if its sign is coloured. */
  isSigned?: boolean;
}

const FRACTIONS = new Set([
  'dividend_yield',
  'revenue_growth',
  'net_income_growth',
  'gross_margin',
  'operating_margin',
  'net_margin',
  'return_on_equity',
  'target_upside',
]);

const DOLLARS = new Set([
  'market_cap',
  'enterprise_value',
  'revenue',
  'gross_profit',
  'operating_income',
  'net_income',
  'total_assets',
  'total_liabilities',
  'total_equity',
  'cash',
  'total_debt',
  'insider_net_value_90d',
]);

const PRICES = new Set(['price', 'target_price', 'eps', 'eps_diluted']);
const BAR_PRICES = new Set(['open', 'high', 'low', 'close', 'hl2', 'hlc3', 'ohlc4']);

const TITLES: Readonly<Record<string, string>> = {
  company_name: 'Name',
  price: 'Price, USD',
  change_pct: 'Change',
  pe_ratio: 'P/E',
  dividend_yield: 'Yield',
  rsi14: 'RSI 14',
  eps: 'EPS, USD',
  eps_diluted: 'EPS diluted, USD',
  target_price: 'Target, USD',
};

export function titleOf(text: string): string {
  const known = TITLES[text];
  if (known !== undefined) return known;
  // Expressions are shown as they are; names of fields as words.
  if (!(text in SCREEN_FIELDS) && text !== 'volume') return text;
  const words = text.replaceAll('_', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

function numberText(text: string, value: number): string {
  if (text === 'change_pct' || /^(pct|percent)_change\(/.test(text))
    return percentText(value, true);
  if (FRACTIONS.has(text)) return percentText(value * 100);
  if (DOLLARS.has(text)) return dollarsText(value);
  if (PRICES.has(text) || BAR_PRICES.has(text)) return priceText(value);
  if (text === 'volume' || text === 'shares_outstanding') return compactText(value);
  if (text.startsWith('days_') || text === 'analyst_count' || /^insider_(buys|sells)/.test(text))
    return countText(value);
  if (['pe_ratio', 'rsi14', 'price_to_sales', 'price_to_book', 'debt_to_equity'].includes(text))
    return priceText(value);
  return valueText(value);
}

const WIDTHS: Readonly<Record<string, number>> = {
  company_name: 10,
  sector: 10,
  industry: 13,
  trend: 7.5,
  price: 6.5,
  change_pct: 5.5,
  market_cap: 8,
  volume: 6,
  pe_ratio: 4.75,
  dividend_yield: 5,
  rsi14: 5,
};

const ROW_FIELDS: Readonly<Record<string, keyof ScreenedRow>> = {
  company_name: 'companyName',
  price: 'price',
  change_pct: 'changePct',
  market_cap: 'marketCap',
  pe_ratio: 'peRatio',
  dividend_yield: 'dividendYield',
  sector: 'sector',
  industry: 'industry',
  volume: 'volume',
  rsi14: 'rsi14',
};

/** Fields of `sort` that are not expressions, or cost less as names. */
const SORTS: Readonly<Record<string, string>> = { rsi14: 'rsi(14)' };

function isTextField(text: string): boolean {
  return (SCREEN_FIELDS as Record<string, { kind: string }>)[text]?.kind === 'text';
}

export function columnOf(text: string): Column {
  const field = ROW_FIELDS[text];
  const isText = isTextField(text);
  return {
    text,
    title: text === 'trend' ? '60 sessions' : titleOf(text),
    isText,
    width: WIDTHS[text] ?? Math.min(16, Math.max(6.5, titleOf(text).length * 0.5 + 2)),
    sort: isText || text === 'trend' ? undefined : (SORTS[text] ?? text),
    valueOf: field ? (row) => row[field] as Cell : (row) => row.columns?.[text],
    textOf(value) {
      if (value === null || value === undefined) return '–';
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      return typeof value === 'number' ? numberText(text, value) : value;
    },
    isSigned: text === 'change_pct' || /^(pct|percent)_change\(/.test(text),
  };
}
