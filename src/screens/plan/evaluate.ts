/** Evaluates expressions that have one value a symbol, for all symbols at once. */

import { assert } from '../../base/errors.ts';
import type {
  NumberOperator,
  SymbolExpression,
  SymbolValues,
} from '../../base/symbol-expression.ts';
import * as codes from '../../compute/columns/operations/opcodes.ts';
import { rowLoops } from '../../compute/columns/plain/rows.ts';

/**
 * @returns a value for each symbol, NaN where it is unknown. It may be a column of the values
 *   themselves, so it must not be changed.
 */
export function evaluateExpression(
  expression: SymbolExpression,
  values: SymbolValues,
): Float64Array {
  return evaluator(values)(expression);
}

/** Returns `evaluateExpression` for expressions whose common parts are computed once. */
export function evaluator(values: SymbolValues): (expression: SymbolExpression) => Float64Array {
  const evaluation = new Evaluation(values);
  return (expression) => evaluation.of(expression);
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
    const { count } = this.#values;
    switch (expression.kind) {
      case 'number':
        return filled(count, expression.value);
      case 'bars':
        return this.#values.bars[expression.bars][expression.column];
      case 'field':
        return this.#values.number(expression.name);
      case 'range':
        return inRange(this.#values.number(expression.name), expression.min, expression.max);
      case 'text': {
        return isAccepted(this.#values.text(expression.name), expression.accepted);
      }
      case 'across': {
        const { across } = this.#values;
        assert(across, 'the values have comparisons across symbols');
        return across(expression);
      }
      case 'operation': {
        const { operator, operands } = expression;
        if (operator === 'choose') {
          const [condition, yes, no] = operands.map((operand) => this.of(operand));
          return condition.map((truth, row) =>
            truth === 1 ? yes[row] : truth === 0 ? no[row] : Number.NaN,
          );
        }
        const [first, ...rest] = operands.map((operand) => this.of(operand));
        if (operator === 'not') return applied('subtract', filled(count, 1), first);
        if (rest.length === 0) return applied(operator, first, first);
        return rest.reduce((left, right) => applied(operator, left, right), first);
      }
    }
  }
}

function inRange(column: Float64Array, min: number, max: number): Float64Array {
  const out = new Float64Array(column.length);
  for (let i = 0; i < out.length; i++) {
    const value = column[i];
    out[i] = value >= min && value <= max ? 1 : Number.isNaN(value) ? Number.NaN : 0;
  }
  return out;
}

const CODES: Readonly<Record<Exclude<NumberOperator, 'not' | 'choose'>, number>> = {
  add: codes.ADD,
  subtract: codes.SUBTRACT,
  multiply: codes.MULTIPLY,
  divide: codes.DIVIDE,
  smaller: codes.SMALLER,
  larger: codes.LARGER,
  absolute: codes.ABSOLUTE,
  logarithm: codes.LOGARITHM,
  above: codes.ABOVE,
  equal: codes.EQUAL,
  and: codes.BOTH,
  or: codes.EITHER,
  isNull: codes.IS_NULL,
};

/** Symbols are the rows of an operation. */
function applied(operator: keyof typeof CODES, a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  rowLoops[CODES[operator]]!(out, 0, a, 0, b, 0, a.length);
  return out;
}

function filled(count: number, value: number): Float64Array {
  return new Float64Array(count).fill(value);
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
