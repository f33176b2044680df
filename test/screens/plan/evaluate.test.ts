/** Operations on one value a symbol, with NaN and null as unknown. */

import { describe, expect, it } from 'vitest';
import type {
  NumberOperator,
  SymbolExpression,
  SymbolValues,
} from '../../../src/base/symbol-expression.ts';
import { evaluateExpression } from '../../../src/screens/plan/evaluate.ts';

const NONE = Number.NaN;
const TRUTHS = [1, 0, NONE];
const PAIRS = TRUTHS.flatMap((a) => TRUTHS.map((b) => [a, b]));

const column = (place: number): SymbolExpression => ({ kind: 'bars', bars: 0, column: place });
const operation = (
  operator: NumberOperator,
  ...operands: SymbolExpression[]
): SymbolExpression => ({
  kind: 'operation',
  operator,
  operands,
});

function valuesOf(columns: readonly (readonly number[])[], texts: (string | null)[] = []) {
  const values: SymbolValues = {
    count: columns[0]?.length ?? texts.length,
    bars: [columns.map((numbers) => Float64Array.from(numbers))],
    number: () => Float64Array.from(columns[0]),
    text: () => texts,
  };
  return (expression: SymbolExpression) => [...evaluateExpression(expression, values)];
}

describe('evaluateExpression', () => {
  const left = PAIRS.map(([a]) => a);
  const right = PAIRS.map(([, b]) => b);

  it.each([
    ['and', [1, 0, NONE, 0, 0, 0, NONE, 0, NONE]],
    ['or', [1, 1, 1, 1, 0, NONE, 1, NONE, NONE]],
  ] as const)('has the table of Kleene for %s', (operator, expected) => {
    const evaluate = valuesOf([left, right]);
    expect(evaluate(operation(operator, column(0), column(1)))).toEqual(expected);
  });

  it('has not and isNull of true, false and unknown', () => {
    const evaluate = valuesOf([TRUTHS]);
    expect(evaluate(operation('not', column(0)))).toEqual([0, 1, NONE]);
    expect(evaluate(operation('isNull', column(0)))).toEqual([0, 0, 1]);
  });

  it.each([
    ['add', [5, NONE, NONE]],
    ['subtract', [-1, NONE, NONE]],
    ['multiply', [6, NONE, NONE]],
    ['divide', [2 / 3, NONE, NONE]],
    ['smaller', [2, NONE, NONE]],
    ['larger', [3, NONE, NONE]],
    ['above', [0, NONE, NONE]],
    ['equal', [0, NONE, NONE]],
  ] as const)('has no value of %s where an operand has none', (operator, expected) => {
    const evaluate = valuesOf([
      [2, NONE, 4],
      [3, 5, NONE],
    ]);
    expect(evaluate(operation(operator, column(0), column(1)))).toEqual(expected);
  });

  it('divides by zero to unknown, and has no logarithm of zero or less', () => {
    const evaluate = valuesOf([[1, 0, -1, Infinity]]);
    const zero: SymbolExpression = { kind: 'number', value: 0 };
    expect(evaluate(operation('divide', column(0), zero))).toEqual([NONE, NONE, NONE, NONE]);
    expect(evaluate(operation('logarithm', column(0)))).toEqual([0, NONE, NONE, NONE]);
    expect(evaluate(operation('absolute', column(0)))).toEqual([1, 0, 1, Infinity]);
  });

  it('joins any number of operands from the left', () => {
    const evaluate = valuesOf([
      [1, 1],
      [1, NONE],
      [0, 1],
    ]);
    expect(evaluate(operation('and', column(0), column(1), column(2)))).toEqual([0, NONE]);
    expect(evaluate(operation('add', column(0), column(1), column(2)))).toEqual([2, NONE]);
  });

  it('compares texts without regard to case, null being unknown', () => {
    const evaluate = valuesOf([], ['Technology', 'energy', null]);
    const text: SymbolExpression = { kind: 'text', name: 'sector', accepted: ['technology'] };
    expect(evaluate(text)).toEqual([1, 0, NONE]);
    expect(evaluate(operation('isNull', { ...text, accepted: [] }))).toEqual([0, 0, 1]);
  });
});
