/** Turns every form of one row, such as a comparison, into operations on values of that row. */

import type { NumberOperator } from '../../base/symbol-expression.ts';
import type { Expression } from './expression.ts';
import type { Comparator } from './syntax-tree.ts';

/** Conditions are 1, 0 or NaN. One operand for `absolute`, `logarithm`, `not` and `isNull`. */
export interface Operation {
  kind: 'operation';
  operator: NumberOperator;
  operands: readonly Term[];
}

export type Term = Expression | Operation;

/** Returns the operation that a form stands for; undefined for one that is no operation. */
export function operationOf(expression: Expression): Operation | undefined {
  switch (expression.kind) {
    case 'row': {
      const { name, of } = expression;
      return name === 'negate' ? operation('subtract', ZERO, ...of) : operation(ROWS[name], ...of);
    }
    case 'compare':
      return compare(expression.operator, expression.left, expression.right);
    case 'cross': {
      const { direction, left, right } = expression;
      const [last, lastRight] = [before(left), before(right)];
      const up = cross(left, right, last, lastRight);
      const down = cross(right, left, lastRight, last);
      return { above: up, below: down, either: operation('or', up, down) }[direction];
    }
    case 'between': {
      const { of, low, high } = expression;
      return operation('and', compare('>=', of, low), compare('<=', of, high));
    }
    case 'inNumbers': {
      const { of, list } = expression;
      const isOne = list.map((value) => operation('equal', of, constant(value)));
      return isOne.length === 1 ? isOne[0] : operation('or', ...isOne);
    }
    case 'isNull':
    case 'not':
      return operation(expression.kind, expression.of);
    case 'and':
    case 'or':
      return operation(expression.kind, ...expression.of);
    default:
      return undefined;
  }
}

/** The expression one bar before; a number is the same at each. */
export function before(of: Expression, bars = 1): Expression {
  return of.readsBars ? { ...of, kind: 'offset', of, bars } : of;
}

const ROWS = {
  abs: 'absolute',
  log: 'logarithm',
  min: 'smaller',
  max: 'larger',
  add: 'add',
  subtract: 'subtract',
  multiply: 'multiply',
  divide: 'divide',
  if: 'choose',
} as const;

function operation(operator: NumberOperator, ...operands: Term[]): Operation {
  return { kind: 'operation', operator, operands };
}

function constant(value: number): Expression {
  const place = { start: 0, end: 0, readsBars: false, single: undefined };
  return { kind: 'number', value, type: 'number', ...place };
}

const ZERO = constant(0);

function compare(operator: Comparator, a: Term, b: Term): Operation {
  switch (operator) {
    case '>':
      return operation('above', a, b);
    case '<':
      return operation('above', b, a);
    case '>=':
      return operation('not', compare('<', a, b));
    case '<=':
      return operation('not', compare('>', a, b));
    case '=':
      return operation('equal', a, b);
    case '!=':
      return operation('not', compare('=', a, b));
  }
}

function cross(a: Term, b: Term, lastA: Term, lastB: Term): Operation {
  return operation(
    'and',
    operation('above', a, b),
    operation('not', operation('above', lastA, lastB)),
  );
}
