/**
 * A checked screen: what it computes from bars, and what it then computes per symbol. The bars part
 * has columns for `Program`; only their newest row counts. The other part has one value a symbol.
 */

import type { ScreenFieldName } from '../../base/fields.ts';
import type { AcrossExpression, SymbolExpression } from '../../base/symbol-expression.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../../compute/columns/column.ts';
import type { TextPlace } from '../language/scope.ts';

/** Columns over bars of one interval. The newest row of each is a value of the symbol. */
export interface ScreenColumns {
  interval: DailyInterval;
  columns: readonly Column[];
}

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
  /** The same for every spelling. */
  canonical: string;
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
  /** Other symbols whose bars it reads, each where it stands first. */
  symbols: ReadonlyMap<string, TextPlace>;
  /** Comparisons across symbols, those inside of others first. */
  across: readonly AcrossExpression[];
  /** All of them must be true; empty without `where`. */
  conditions: readonly ScreenCondition[];
  /** Further values to return. */
  columns: readonly ShownValue[];
  sort: NamedExpression | undefined;
}

/** The part of a plan that decides what its expressions read. */
export type ComputedPlan = Pick<ScreenPlan, 'bars' | 'fields' | 'across'>;
