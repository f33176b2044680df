/** Evaluates expressions that have one value a symbol, for all symbols at once. */

import type { ScreenFieldName } from '../../base/screen-fields.ts';
import type { NumberOperator, SymbolExpression } from './screen-plan.ts';

/** Values of symbols, all in one order; NaN and null are unknown. */
export interface SymbolValues {
  count: number;
  /** By place in `plan.bars` and column: the newest row of each symbol. */
  bars: readonly (readonly Float64Array[])[];
  number(name: ScreenFieldName): Float64Array;
  text(name: ScreenFieldName): readonly (string | null)[];
}

/**
 * @returns a value for each symbol, NaN where it is unknown. It may be a column of the values
 *   themselves, so it must not be changed.
 */
export function evaluateExpression(
  expression: SymbolExpression,
  values: SymbolValues,
): Float64Array {
  return new Evaluation(values).of(expression);
}

class Evaluation {
  readonly #values: SymbolValues;
  /** Parts that several others share are computed once. */
  readonly #known = new Map<SymbolExpression, Float64Array>();

  constructor(values: SymbolValues) {
    this.#values = values;
  }

  of(expression: SymbolExpression): Float64Array {
    let column = this.#known.get(expression);
    if (column === undefined) {
      column = this.#compute(expression);
      this.#known.set(expression, column);
    }
    return column;
  }

  #compute(expression: SymbolExpression): Float64Array {
    const { count, bars } = this.#values;
    switch (expression.kind) {
      case 'number':
        return new Float64Array(count).fill(expression.value);
      case 'bars':
        return bars[expression.bars][expression.column];
      case 'field':
        return this.#values.number(expression.name);
      case 'text': {
        return isAccepted(this.#values.text(expression.name), expression.accepted);
      }
      case 'operation': {
        const [first, ...rest] = expression.operands.map((operand) => this.of(operand));
        const { operator } = expression;
        if (rest.length === 0) return unary(operator, first);
        return rest.reduce((left, right) => binary(operator, left, right), first);
      }
    }
  }
}

/** Few texts are distinct, so each is compared once. */
function isAccepted(texts: readonly (string | null)[], accepted: readonly string[]): Float64Array {
  const wanted = new Set(accepted);
  const known = new Map<string | null, number>([[null, Number.NaN]]);
  const out = new Float64Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    let truth = known.get(text);
    if (truth === undefined) {
      truth = wanted.has(text!.toLowerCase()) ? 1 : 0;
      known.set(text, truth);
    }
    out[i] = truth;
  }
  return out;
}

function unary(operator: NumberOperator, a: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  const { length } = out;
  switch (operator) {
    case 'absolute':
      for (let i = 0; i < length; i++) out[i] = Math.abs(a[i]);
      return out;
    case 'logarithm':
      for (let i = 0; i < length; i++) {
        out[i] = a[i] > 0 && a[i] < Infinity ? Math.log(a[i]) : Number.NaN;
      }
      return out;
    case 'not':
      for (let i = 0; i < length; i++) out[i] = 1 - a[i];
      return out;
    case 'isNull':
      for (let i = 0; i < length; i++) out[i] = Number(Number.isNaN(a[i]));
      return out;
    default:
      throw new Error(`Assertion failed: "${operator}" has two operands`);
  }
}

function binary(operator: NumberOperator, a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  const { length } = out;
  // A loop of its own for each operator: a function called for every symbol costs five times that.
  switch (operator) {
    case 'add':
      for (let i = 0; i < length; i++) out[i] = a[i] + b[i];
      return out;
    case 'subtract':
      for (let i = 0; i < length; i++) out[i] = a[i] - b[i];
      return out;
    case 'multiply':
      for (let i = 0; i < length; i++) out[i] = a[i] * b[i];
      return out;
    case 'divide':
      for (let i = 0; i < length; i++) out[i] = b[i] === 0 ? Number.NaN : a[i] / b[i];
      return out;
    case 'smaller':
      for (let i = 0; i < length; i++) out[i] = Math.min(a[i], b[i]);
      return out;
    case 'larger':
      for (let i = 0; i < length; i++) out[i] = Math.max(a[i], b[i]);
      return out;
    case 'above':
      for (let i = 0; i < length; i++) {
        out[i] = Number.isNaN(a[i]) || Number.isNaN(b[i]) ? Number.NaN : Number(a[i] > b[i]);
      }
      return out;
    case 'equal':
      for (let i = 0; i < length; i++) {
        out[i] = Number.isNaN(a[i]) || Number.isNaN(b[i]) ? Number.NaN : Number(a[i] === b[i]);
      }
      return out;
    case 'and':
      for (let i = 0; i < length; i++) {
        out[i] = a[i] === 0 || b[i] === 0 ? 0 : Math.min(a[i], b[i]);
      }
      return out;
    case 'or':
      for (let i = 0; i < length; i++) {
        out[i] = a[i] === 1 || b[i] === 1 ? 1 : Math.max(a[i], b[i]);
      }
      return out;
    default:
      throw new Error(`Assertion failed: "${operator}" has one operand`);
  }
}
