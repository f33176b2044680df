/** Expressions of screens with names and types resolved. */

import type { ScreenFieldName } from '../../base/fields.ts';
import type { AcrossName } from '../../base/symbol-expression.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { IndicatorParams, IndicatorSpec } from '../../compute/columns/indicator-spec.ts';
import type { Comparator, CrossDirection, Span, WindowWord } from './syntax-tree.ts';

/** Columns of a bar, and means of several of them. */
export const PRICE_NAMES = [
  'open',
  'high',
  'low',
  'close',
  'volume',
  'hl2',
  'hlc3',
  'ohlc4',
  'listed_bars',
  'date',
  'weekday',
  'month',
  'year_to_date',
] as const;

export type PriceName = (typeof PRICE_NAMES)[number];

/** Functions of numbers of one bar. */
export type RowFunction =
  | 'abs'
  | 'log'
  | 'min'
  | 'max'
  | 'negate'
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'if';

/** Functions of the last bars. */
export type WindowFunction =
  | 'avg'
  | 'sum'
  | 'pct_change'
  | 'count'
  | 'percent_rank'
  | 'quantile'
  | 'bars_since'
  | 'anchored_vwap'
  | 'beta'
  | 'correlation';

export type Form =
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'price'; name: PriceName }
  | {
      kind: 'indicator';
      spec: IndicatorSpec;
      params: IndicatorParams;
      output: string;
      /** Stands for the one column of bars that the indicator reads. */
      source: Expression | undefined;
    }
  | {
      kind: 'rolling';
      name: WindowFunction;
      of: Expression;
      bars: number;
      /** Share of a quantile, from 0 to 1, or standard deviations of a band. */
      share?: number;
    }
  | { kind: 'row'; name: RowFunction; of: readonly Expression[] }
  /** Over the bars of another symbol. */
  | { kind: 'symbol'; symbol: string; of: Expression }
  /** Membership in a universe is a condition. */
  | { kind: 'field'; name: ScreenFieldName }
  | { kind: 'interval'; interval: DailyInterval; of: Expression }
  | {
      kind: 'across';
      name: AcrossName;
      of: Expression;
      by: ScreenFieldName | undefined;
      among: Expression | undefined;
    }
  | { kind: 'offset'; of: Expression; bars: number }
  | { kind: 'compare'; operator: Comparator; left: Expression; right: Expression }
  | { kind: 'cross'; direction: CrossDirection; left: Expression; right: Expression }
  | { kind: 'between'; of: Expression; low: Expression; high: Expression }
  | { kind: 'inNumbers'; of: Expression; list: readonly number[] }
  /** Accepted texts in lower case. */
  | { kind: 'inTexts'; name: ScreenFieldName; list: readonly string[] }
  | { kind: 'isNull'; of: Expression }
  | { kind: 'window'; word: WindowWord; of: Expression; bars: number }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; of: readonly Expression[] };

/** A part with one value a symbol: a field, `weekly(…)`, `monthly(…)`, or `rank(…)` and the like. */
export type SinglePart = Span & { kind: 'field' | 'interval' | 'across'; name: string };

export type Expression = Span &
  Form & {
    readonly type: 'number' | 'condition' | 'text';
    /** True if it reads bars. */
    readonly readsBars: boolean;
    /** The first such part in it, if any: then it has no values at earlier bars. */
    readonly single: SinglePart | undefined;
  };
