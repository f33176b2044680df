/** Makes expressions of resolved parts. */

import type { Expression, Form } from './expression.ts';
import type { Span, SyntaxNode } from './syntax-tree.ts';

export function built(
  { start, end }: Span,
  type: Expression['type'],
  form: Form,
  parts: readonly Expression[] = [],
): Expression {
  return {
    ...form,
    type,
    start,
    end,
    readsBars: parts.some(({ readsBars }) => readsBars),
    single: parts.find(({ single }) => single)?.single,
  };
}

export function overBars(expression: Expression): Expression {
  return { ...expression, readsBars: true };
}

export function negatedIf(isNot: boolean, of: Expression): Expression {
  return isNot ? built(of, 'condition', { kind: 'not', of }, [of]) : of;
}

/** Returns the value of a number with or without signs. */
export function plainNumber(node: SyntaxNode): number | undefined {
  let sign = 1;
  let inner = node;
  for (; inner.kind === 'negate'; inner = inner.of) sign = -sign;
  return inner.kind === 'number' ? sign * inner.value : undefined;
}
