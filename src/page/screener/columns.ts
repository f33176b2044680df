/** The columns of the table: their titles, units, values as text, and whether they sort. */

import type { ScreenedRow } from '../../../clients/typescript/operations.js';
import {
  FIELDS,
  type Field,
  type FieldUnit,
  fieldTitle,
  SCREENER_FILTERS,
  SCREENER_ROW,
} from '../../base/fields.ts';
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

export function titleOf(text: string): string {
  // Expressions are shown as they are.
  return fieldTitle(text) ?? text;
}

const ROW_FIELDS = new Map<string, keyof ScreenedRow>([
  ['company_name', 'companyName'],
  ...SCREENER_FILTERS.map(({ name, column }) => [name, column] as const),
  ...SCREENER_ROW.flatMap(({ name, isText }) => (isText ? [[name, name] as const] : [])),
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

function fieldOf(text: string): Field | undefined {
  return (FIELDS as Readonly<Record<string, Field>>)[text];
}

function isChange(text: string): boolean {
  return text === 'change_pct' || /^(pct|percent)_change\(/.test(text);
}

function numberText(text: string, value: number): string {
  if (isChange(text)) return percentText(value, true);
  if (BAR_PRICES.has(text)) return priceText(value);
  const unit = fieldOf(text)?.unit;
  return unit ? UNIT_TEXTS[unit](value) : valueText(value);
}

/** Width of the values of a unit. */
const WIDTHS: Readonly<Partial<Record<FieldUnit, number>>> = {
  ...{ usd: 8, price: 6.5, percent: 5.5, fraction: 5, shares: 6, ratio: 4.75 },
};

function widthOf(text: string, title: string): number {
  if (text === 'trend') return 7.5;
  const field = fieldOf(text);
  const ofTitle = Math.min(16, title.length * 0.5 + 2);
  const ofValues = (field?.unit && WIDTHS[field.unit]) ?? (field ? 10 : 6.5);
  return Math.max(ofTitle, ofValues);
}

/** Fields of `sort` that are not expressions, or cost less as names. */
const SORTS: Readonly<Record<string, string>> = { rsi14: 'rsi(14)' };

export function columnOf(text: string): Column {
  const field = ROW_FIELDS.get(text);
  const isText = fieldOf(text)?.kind === 'text';
  const title = text === 'trend' ? '60 sessions' : titleOf(text);
  return {
    text,
    title,
    isText,
    width: widthOf(text, title),
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
