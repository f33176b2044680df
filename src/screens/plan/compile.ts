/** Compiles the texts of a screen into its plan. */

import { assert } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { canonicalText } from '../language/canonical.ts';
import type { Expression } from '../language/expression.ts';
import type { ScreenTexts } from '../language/expression-error.ts';
import { ExpressionError, type TextName } from '../language/expression-error.ts';
import { before } from '../language/operations.ts';
import { parseExpression, parseList } from '../language/parse.ts';
import { Resolver } from '../language/resolve.ts';
import { type Counts, NO_OWN_NAMES, type OwnNames } from '../language/scope.ts';
import type { Span } from '../language/syntax-tree.ts';
import { Lowering } from './lower.ts';
import type { NamedExpression, ScreenCondition, ScreenPlan, ShownValue } from './screen-plan.ts';

/**
 * @param own Names of the store, which a text may have.
 * @throws {ExpressionError} a text breaks a rule of the language, or the screen is too large.
 */
export function compileScreen(
  { where, columns, sort }: ScreenTexts,
  own: OwnNames = NO_OWN_NAMES,
): ScreenPlan {
  const counts: Counts = { symbols: new Map(), conditions: 0, operations: 0 };
  const canonical: string[] = [];
  let at: { field: TextName; text: string; span: Span } | undefined;
  const lowering = new Lowering(() => {
    const { operationsMax, stateRowsMax, acrossMax } = limits.screens;
    const fail = (rule: string) => {
      assert(at, 'an expression is being lowered');
      throw new ExpressionError(at.field, at.text, at.span.start, { rule });
    };
    if (lowering.operationCount > operationsMax)
      fail(`exceeds the limit of ${operationsMax} operations`);
    if (lowering.across.size > acrossMax) {
      fail(`exceeds the limit of ${acrossMax} different rank, demean and standard`);
    }
    if (lowering.stateRows > stateRowsMax) {
      fail(`exceeds the limit of ${stateRowsMax} bars in windows and offsets`);
    }
  });

  const named = (field: TextName, text: string, expression: Expression): NamedExpression => {
    at = { field, text, span: expression };
    assert(expression.type !== 'text', 'a text has no value');
    return {
      text: slice(text, expression),
      kind: expression.type,
      expression: lowering.lower(expression),
    };
  };

  const textField = (text: string, expression: Expression): ShownValue | undefined => {
    if (expression.type !== 'text') return undefined;
    assert(expression.kind === 'field', 'texts with values are fields');
    lowering.fields.add(expression.name);
    return { text, kind: 'text', field: expression.name };
  };

  const conditions: ScreenCondition[] = [];
  if (where !== undefined) {
    const node = parseExpression('where', where);
    const whole = new Resolver('where', where, counts, own).condition(node);
    canonical.push(`where ${canonicalText(whole)}`);
    for (const part of joinedByAnd(whole)) {
      const condition = named('where', where, part);
      const operands = new Map<string, ShownValue>();
      for (const { text, expression } of operandsOf(part, where)) {
        if (operands.has(text)) continue;
        const operand = textField(text, expression) ?? {
          ...named('where', where, expression),
          text,
        };
        operands.set(text, operand);
      }
      conditions.push({
        ...condition,
        canonical: canonicalText(part),
        operands: [...operands.values()],
      });
    }
  }

  const shown: ShownValue[] = [];
  if (columns !== undefined) {
    const resolver = new Resolver('columns', columns, counts, own);
    const nodes = parseList('columns', columns);
    const { columnsMax } = limits.screens;
    const fail = (span: Span, rule: string, found?: string) => {
      throw new ExpressionError('columns', columns, span.start, { rule, found });
    };
    if (nodes.length > columnsMax)
      fail(nodes[columnsMax], `exceeds the limit of ${columnsMax} columns`);
    const texts: string[] = [];
    for (const node of nodes) {
      const expression = resolver.resolve(node);
      const text = slice(columns, expression);
      if (shown.some((other) => other.text === text))
        fail(node, 'each column may stand once', text);
      texts.push(canonicalText(expression));
      if (expression.kind === 'text') fail(node, 'expected a number, a condition or a field', text);
      shown.push(textField(text, expression) ?? named('columns', columns, expression));
    }
    canonical.push(`columns ${texts.join(', ')}`);
  }

  let key: NamedExpression | undefined;
  if (sort !== undefined) {
    const number = new Resolver('sort', sort, counts, own).number(parseExpression('sort', sort));
    canonical.push(`sort ${canonicalText(number)}`);
    key = named('sort', sort, number);
  }

  return {
    canonical: canonical.join('; '),
    bars: lowering.bars(),
    fields: [...lowering.fields],
    symbols: counts.symbols,
    across: [...lowering.across.values()],
    conditions,
    columns: shown,
    sort: key,
  };
}

function joinedByAnd(expression: Expression): Expression[] {
  return expression.kind === 'and' ? expression.of.flatMap(joinedByAnd) : [expression];
}

interface Operand {
  text: string;
  expression: Expression;
}

/** Values that the tests in a condition compare, without constants. */
function operandsOf(expression: Expression, source: string): Operand[] {
  const sides = (parts: readonly Expression[]): Operand[] =>
    parts
      .filter((part) => part.readsBars || part.single)
      .map((part) => ({ text: slice(source, part), expression: part }));
  switch (expression.kind) {
    case 'compare':
      return sides([expression.left, expression.right]);
    case 'cross': {
      const now = sides([expression.left, expression.right]);
      return [...now, ...now.map((operand) => earlier(operand, 1))];
    }
    case 'between':
      return sides([expression.of, expression.low, expression.high]);
    case 'inNumbers':
    case 'isNull':
      return sides([expression.of]);
    case 'inTexts': {
      const { name, single } = expression;
      assert(single, 'a field has a place in the text');
      const field: Expression = { ...expression, ...single, kind: 'field', type: 'text', name };
      return [{ text: slice(source, single), expression: field }];
    }
    case 'not':
    case 'window':
      return operandsOf(expression.of, source);
    case 'offset':
      return operandsOf(expression.of, source).map((operand) => earlier(operand, expression.bars));
    case 'interval':
      return operandsOf(expression.of, source).map((operand) => ({
        text: `${expression.interval === '1w' ? 'weekly' : 'monthly'}(${operand.text})`,
        expression: { ...expression, type: operand.expression.type, of: operand.expression },
      }));
    case 'and':
    case 'or':
      return expression.of.flatMap((part) => operandsOf(part, source));
    default:
      return [];
  }
}

function earlier({ text, expression }: Operand, bars: number): Operand {
  const isCompound = ['row', 'compare', 'not', 'and', 'or', 'window'].includes(expression.kind);
  const shown = isCompound && !text.startsWith('(') ? `(${text})` : text;
  return { text: `${shown}[${bars}]`, expression: before(expression, bars) };
}

function slice(text: string, { start, end }: Span): string {
  return text.slice(start, end).trim();
}
