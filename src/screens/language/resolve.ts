/** Resolves names, and checks types, parameters and places: syntax nodes to expressions. */

import { limits } from '../../base/limits.ts';
import { indicatorByName } from '../../compute/indicators/catalogue.ts';
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
        for (const [at, { operator, operand }] of node.rest.entries()) {
          checkHyphen(this, node.rest[at - 1]?.operand ?? node.first, operand);
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

/** Refuses `sma-50` and `rsi-14`, which may mean sma(50) and rsi(14). Blanks make it a difference. */
function checkHyphen(scope: Scope, first: SyntaxNode, operand: SyntaxNode): void {
  if (first.kind !== 'reference' || operand.kind !== 'number') return;
  const spec = indicatorByName(first.name);
  const [param] = spec?.params ?? [];
  const { value } = operand;
  const span = { start: first.start, end: operand.end };
  const found = scope.slice(span);
  if (!spec || !param?.integer || found.toLowerCase() !== `${spec.name}-${value}`) return;
  if (value !== param.default && !(spec.priceOutputs.includes(spec.mainOutput) && value > 1))
    return;
  const hint = `write ${spec.name}(${value}), or ${spec.name} - ${value} for the difference`;
  scope.fail(span, { rule: 'expected blanks around the minus', found, hint });
}
