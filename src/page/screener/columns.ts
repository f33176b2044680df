/** The columns of the table: their titles, units, values as text, and whether they sort. */

import type { ScreenedRow } from '../../../clients/typescript/operations.js';
import {
  type FieldUnit,
  quoteField,
  SCREENER_FILTERS,
  type ScreenerField,
} from '../../base/quote-fields.ts';
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

const FIELDS: Readonly<Record<string, { kind: string; unit?: FieldUnit }>> = SCREEN_FIELDS;
const ROW_FIELDS = new Map<string, ScreenerField['name']>([
  ...SCREENER_FILTERS.map(({ name, column }) => [name, column] as const),
  ['sector', 'sector'],
  ['industry', 'industry'],
]);

const UNIT_TEXTS: Readonly<Record<FieldUnit, (value: number) => string>> = {
  usd: dollarsText,
  price: priceText,
  fraction: (value) => percentText(value * 100),
  percent: (value) => percentText(value, true),
  shares: (value) => `${value < 0 ? '−' : ''}${compactText(Math.abs(value))}`,
  count: countText,
  ratio: priceText,
};

function isChange(text: string): boolean {
  return text === 'change_pct' || /^(pct|percent)_change\(/.test(text);
}

function numberText(text: string, value: number): string {
  if (isChange(text)) return percentText(value, true);
  if (BAR_PRICES.has(text)) return priceText(value);
  const filter = SCREENER_FILTERS.find(({ name }) => name === text);
  const unit = FIELDS[text]?.unit ?? (filter && quoteField(filter.column).unit);
  return unit ? UNIT_TEXTS[unit](value) : valueText(value);
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

/** Fields of `sort` that are not expressions, or cost less as names. */
const SORTS: Readonly<Record<string, string>> = { rsi14: 'rsi(14)' };

function isTextField(text: string): boolean {
  return FIELDS[text]?.kind === 'text';
}

export function columnOf(text: string): Column {
  const field = text === 'company_name' ? 'companyName' : ROW_FIELDS.get(text);
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
    isSigned: isChange(text),
  };
}
