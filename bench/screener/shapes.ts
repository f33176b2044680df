/** The five queries of the screener's benchmark. */

import {
  type FilterName,
  SCREENER_NUMBERS,
  type ScreenerNumber,
  type ScreenerText,
} from '../../src/base/fields.ts';
import type { SymbolExpression } from '../../src/base/symbol-expression.ts';
import type { RowsQuery } from '../../src/screens/plan/screen-rows.ts';
import { LAST_DAY } from './universe.ts';

export const NUMBERS = [...SCREENER_NUMBERS, 'lastBarDay'] as const;

/** One security as an object; NaN and '' are null. */
export type ScreenerRow = Record<ScreenerNumber | 'lastBarDay', number> &
  Record<ScreenerText | 'symbol', string>;

/** Values that differ from call to call, so that no results can be cached. */
export type Bounds = Record<string, number>;

export interface Shape {
  name: string;
  /** @param step 0 to `BOUND_STEPS` − 1. */
  bounds(step: number): Bounds;
  filters(bounds: Bounds): SymbolExpression[];
  /** Condition in SQL; bounds are named parameters. */
  sql: string;
  passes(d: ScreenerRow, $: Bounds): boolean;
  sort: ScreenerNumber;
  direction: RowsQuery['direction'];
  limit: number;
}

export const BOUND_STEPS = 8;

function range(name: FilterName, min = -Infinity, max = Infinity): SymbolExpression {
  return { kind: 'range', name, min, max };
}

function oneOf(name: ScreenerText, ...texts: string[]): SymbolExpression {
  return { kind: 'text', name, accepted: texts.map((text) => text.toLowerCase()) };
}

export const shapes: readonly Shape[] = [
  {
    name: 'largest',
    bounds: () => ({}),
    filters: () => [],
    sql: 'true',
    passes: () => true,
    sort: 'marketCap',
    direction: 'desc',
    limit: 20,
  },
  {
    name: 'cheap payers',
    bounds: (step) => ({ cap: 1e9 * (1 + step), pe: 15 + step, yield: 0.03, volume: 1e5 }),
    filters: ($) => [
      range('market_cap', $.cap),
      range('pe_ratio', -Infinity, $.pe),
      range('dividend_yield', $.yield),
      range('volume', $.volume),
    ],
    sql: `"marketCap" >= $cap AND "peRatio" <= $pe AND "dividendYield" >= $yield
      AND volume >= $volume`,
    passes: (d, $) =>
      d.marketCap >= $.cap &&
      d.peRatio <= $.pe &&
      d.dividendYield >= $.yield &&
      d.volume >= $.volume,
    sort: 'dividendYield',
    direction: 'desc',
    limit: 50,
  },
  {
    name: 'oversold',
    bounds: (step) => ({ rsi: 35 + step, volume: 1e5, price: 5 }),
    filters: ($) => [
      range('rsi14', -Infinity, $.rsi),
      range('volume', $.volume),
      range('price', $.price),
      oneOf('exchange', 'NYSE', 'NASDAQ'),
    ],
    sql: "rsi14 <= $rsi AND volume >= $volume AND price >= $price AND exchange IN ('NYSE', 'NASDAQ')",
    passes: (d, $) =>
      d.rsi14 <= $.rsi &&
      d.volume >= $.volume &&
      d.price >= $.price &&
      (d.exchange === 'NYSE' || d.exchange === 'NASDAQ'),
    sort: 'changePct',
    direction: 'asc',
    limit: 50,
  },
  {
    name: 'sector',
    bounds: (step) => ({ min: 1e8, max: 1e11 / (1 + step), day: LAST_DAY - 1 }),
    filters: ($) => [
      oneOf('sector', 'Energy', 'Materials'),
      oneOf('country', 'US', 'CA', 'GB'),
      range('market_cap', $.min, $.max),
      range('last_bar_day', $.day),
    ],
    sql: `sector IN ('Energy', 'Materials') AND country IN ('US', 'CA', 'GB')
      AND "marketCap" BETWEEN $min AND $max AND "lastBarDay" >= $day`,
    passes: (d, $) =>
      (d.sector === 'Energy' || d.sector === 'Materials') &&
      (d.country === 'US' || d.country === 'CA' || d.country === 'GB') &&
      d.marketCap >= $.min &&
      d.marketCap <= $.max &&
      d.lastBarDay >= $.day,
    sort: 'peRatio',
    direction: 'asc',
    limit: 100,
  },
  {
    name: 'movers',
    bounds: (step) => ({ price: 5 + step, volume: 1e4, day: LAST_DAY - 1 }),
    filters: ($) => [
      range('price', $.price),
      range('volume', $.volume),
      range('last_bar_day', $.day),
    ],
    sql: 'price >= $price AND volume >= $volume AND "lastBarDay" >= $day',
    passes: (d, $) => d.price >= $.price && d.volume >= $.volume && d.lastBarDay >= $.day,
    sort: 'changePct',
    direction: 'desc',
    limit: 200,
  },
];
