/**
 * A checked screen: what it computes from bars, and what it then computes per symbol. The bars part
 * has columns for `Program`; only their newest row counts. The other part has one value a symbol.
 */

import type { FilterName, ScreenFieldName } from '../../base/fields.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../columns/column.ts';

/** Columns over bars of one interval. The newest row of each is a value of the symbol. */
export interface ScreenColumns {
  interval: DailyInterval;
  columns: readonly Column[];
}

/** Numbers, or conditions: 1 is true, 0 is false, NaN is null. */
export type NumberOperator =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'smaller'
  | 'larger'
  | 'absolute'
  | 'logarithm'
  | 'above'
  | 'equal'
  | 'and'
  | 'or'
  | 'not'
  | 'isNull';

/** An expression with one value a symbol. */
export type SymbolExpression =
  | { kind: 'number'; value: number }
  /** Newest row of a column: `columns[column]` of `plan.bars[bars]`. */
  | { kind: 'bars'; bars: number; column: number }
  /** A number of the company. */
  | { kind: 'field'; name: ScreenFieldName }
  | { kind: 'operation'; operator: NumberOperator; operands: readonly SymbolExpression[] }
  /** 1 if min ≤ number of the company ≤ max, NaN if it is null. */
  | { kind: 'range'; name: FilterName; min: number; max: number }
  /** 1 if a text of the company is one of the accepted ones, in lower case; NaN if it is null. */
  | { kind: 'text'; name: ScreenFieldName; accepted: readonly string[] };

/** An expression as asked, with its values. */
export interface NamedExpression {
  /** The text as asked, without spaces around it. */
  text: string;
  /** `condition` is 1, 0 or NaN. A text can only be a field. */
  kind: 'number' | 'condition';
  expression: SymbolExpression;
}

/** A value to show; a text field is shown as text. */
export type ShownValue = NamedExpression | { text: string; kind: 'text'; field: ScreenFieldName };

/** One of the conditions that `and` joins at the top of an expression. */
export interface ScreenCondition extends NamedExpression {
  /** The two sides of its comparisons, for explanations: names are the texts asked. */
  operands: readonly ShownValue[];
}

export interface ScreenPlan {
  /**
   * The same for every spelling of the same screen: a key for its values. The names of columns and
   * conditions, which are the texts asked, are not in it.
   */
  canonical: string;
  bars: readonly ScreenColumns[];
  fields: readonly ScreenFieldName[];
  /** All of them must be true; empty without `where`. */
  conditions: readonly ScreenCondition[];
  /** Further values to return. */
  columns: readonly ShownValue[];
  sort: NamedExpression | undefined;
}

/** Texts of a screen, as asked. */
export interface ScreenTexts {
  where?: string | undefined;
  columns?: string | undefined;
  sort?: string | undefined;
}
