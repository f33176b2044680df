/** Expressions that have one value a symbol, and the values that they read. */

import type { FilterName, ScreenFieldName } from './fields.ts';

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
  /** The second operand where the first is 1, the third where it is 0. */
  | 'choose'
  | 'isNull';

/** Comparisons of a value with those of other symbols on the same session. */
export type AcrossName = 'rank' | 'demean' | 'standard';

export interface AcrossExpression {
  kind: 'across';
  name: AcrossName;
  of: SymbolExpression;
  /** Text whose values are groups, in which alone symbols are compared. */
  by: ScreenFieldName | undefined;
  /** Condition of the symbols that are compared. */
  among: SymbolExpression | undefined;
}

/** An expression with one value a symbol. */
export type SymbolExpression =
  | { kind: 'number'; value: number }
  /** Newest row of a column: `columns[column]` of `plan.bars[bars]`. */
  | { kind: 'bars'; bars: number; column: number }
  /** A number of the company. */
  | { kind: 'field'; name: ScreenFieldName }
  | { kind: 'operation'; operator: NumberOperator; operands: readonly SymbolExpression[] }
  | AcrossExpression
  /** 1 if min ≤ number of the company ≤ max, NaN if it is null. */
  | { kind: 'range'; name: FilterName; min: number; max: number }
  /** 1 if a text of the company is one of the accepted ones, in lower case; NaN if it is null. */
  | { kind: 'text'; name: ScreenFieldName; accepted: readonly string[] };

/** Values of symbols, all in one order; NaN and null are unknown. */
export interface SymbolValues {
  count: number;
  /** By place in `plan.bars` and column: the newest row of each symbol. */
  bars: readonly (readonly Float64Array[])[];
  number(name: FilterName): Float64Array;
  text(name: ScreenFieldName): readonly (string | null)[];
  /** Returns a comparison across symbols, which filters of the table have none of. */
  across?(expression: AcrossExpression): Float64Array;
  /** Returns a text of few distinct values by code, if it is known so. */
  coded?(name: ScreenFieldName): CodedTexts | undefined;
}

export interface CodedTexts {
  codes: Uint16Array;
  /** By code; null first. */
  texts: readonly (string | null)[];
}
