/** Resolves names, and checks types, parameters and places: syntax nodes to expressions. */

import { limits } from '../../base/limits.ts';
import { built } from './built.ts';
import { resolveTest } from './conditions.ts';
import type { Expression, RowFunction } from './expression.ts';
import { resolveOffset, resolveWindow, rowOf } from './functions.ts';
import { nestingError } from './parse.ts';
import { resolveReference } from './reference.ts';
import { Scope } from './scope.ts';
import type { ArithmeticSign, SyntaxNode } from './syntax-tree.ts';

const SIGNS: Readonly<Record<ArithmeticSign, RowFunction>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
};

/**
 * Resolves the nodes of one text.
 *
 * @throws {ExpressionError} a name is unknown, a type is wrong, or a limit is passed.
 */
export class Resolver extends Scope {
  override resolve(node: SyntaxNode, depth = 0): Expression {
    if (depth > limits.screens.nestingMax) throw nestingError(this.field, this.text, node.start);
    const inner = depth + 1;
    switch (node.kind) {
      case 'number':
        return built(node, 'number', { kind: 'number', value: this.finite(node) });
      case 'text':
        return built(node, 'text', { kind: 'text', value: node.value.toLowerCase() });
      case 'group':
        return { ...this.resolve(node.of, inner), start: node.start, end: node.end };
      case 'reference':
        return resolveReference(this, node, inner);
      case 'negate': {
        return rowOf(this, node, 'negate', [this.number(node.of, inner)]);
      }
      case 'arithmetic': {
        let left = this.number(node.first, depth);
        for (const { operator, operand } of node.rest) {
          const of = [left, this.number(operand, depth)];
          const span = { start: node.start, end: of[1].end };
          left = rowOf(this, span, SIGNS[operator], of);
        }
        return left;
      }
      case 'offset':
        return resolveOffset(this, node, inner);
      case 'window':
        return resolveWindow(this, node, inner);
      case 'not': {
        const of = this.condition(node.of, inner);
        return built(node, 'condition', { kind: 'not', of }, [of]);
      }
      case 'and':
      case 'or': {
        const of = node.of.map((one) => this.condition(one, depth));
        return built(node, 'condition', { kind: node.kind, of }, of);
      }
      default:
        return resolveTest(this, node, depth);
    }
  }
}
