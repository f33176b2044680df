/** Resolves conditions: comparisons, crossings, ranges, lists and members of universes. */

import { universeName } from '../../base/datasets/universes.ts';
import { limits } from '../../base/limits.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { built, negatedIf, plainNumber } from './built.ts';
import type { Expression, SinglePart } from './expression.ts';
import type { Scope } from './scope.ts';
import type { NumberNode, SyntaxNode, TextNode } from './syntax-tree.ts';

export function resolveTest(
  scope: Scope,
  node: Extract<
    SyntaxNode,
    { kind: 'compare' | 'cross' | 'between' | 'in' | 'universe' | 'isNull' }
  >,
  depth: number,
): Expression {
  scope.counts.conditions++;
  const { conditionsMax } = limits.screens;
  if (scope.counts.conditions > conditionsMax) {
    scope.fail(node, { rule: `exceeds the limit of ${conditionsMax} conditions` });
  }
  switch (node.kind) {
    case 'compare':
      return resolveCompare(scope, node, depth);
    case 'cross': {
      const left = scope.number(node.left, depth);
      const right = scope.number(node.right, depth);
      const place = {
        name: '"crosses"',
        field: 'compare it with > or <',
        interval: 'write the comparison inside, as in weekly(close crosses above sma(10))',
      };
      for (const side of [left, right]) scope.checkHistory(side, place);
      if (!left.readsBars && !right.readsBars) scope.needBars(left);
      const { direction } = node;
      return built(node, 'condition', { kind: 'cross', direction, left, right }, [left, right]);
    }
    case 'between': {
      for (const end of [node.low, node.high]) checkDate(scope, node.left, end);
      const of = scope.number(node.left, depth);
      const low = scope.number(dateAgainst(node.left, node.low), depth);
      const high = scope.number(dateAgainst(node.left, node.high), depth);
      const between = built(node, 'condition', { kind: 'between', of, low, high }, [of, low, high]);
      return negatedIf(node.isNot, between);
    }
    case 'in':
      return negatedIf(node.isNot, resolveIn(scope, node, depth));
    case 'universe':
      return resolveUniverse(scope, node);
    case 'isNull': {
      const of = scope.resolve(node.left, depth);
      if (of.kind === 'text') scope.failType(of, 'a number or a condition');
      return negatedIf(node.isNot, built(node, 'condition', { kind: 'isNull', of }, [of]));
    }
  }
}

function resolveCompare(
  scope: Scope,
  node: Extract<SyntaxNode, { kind: 'compare' }>,
  depth: number,
): Expression {
  const { operator } = node;
  checkDate(scope, node.left, node.right);
  checkDate(scope, node.right, node.left);
  const left = scope.resolve(dateAgainst(node.right, node.left), depth);
  const right = scope.resolve(dateAgainst(node.left, node.right), depth);
  if (left.type !== 'text' && right.type !== 'text') {
    for (const side of [left, right]) scope.checkType(side, 'number');
    return built(node, 'condition', { kind: 'compare', operator, left, right }, [left, right]);
  }
  const field = [left, right].find((side) => side.type === 'text' && side.kind === 'field');
  const text = [left, right].find(({ kind }) => kind === 'text');
  if (field?.kind !== 'field') {
    const other = left.type === 'text' ? right : left;
    if (other.type !== 'text') scope.failType(text!, 'a number');
    scope.fail(left, {
      rule: 'expected a text field, such as sector,',
      found: scope.slice(left),
    });
  }
  if (text?.kind !== 'text') scope.failType(field === left ? right : left, 'a text');
  if (operator !== '=' && operator !== '!=') {
    const hint = 'use "=", "!=" or "in"';
    scope.fail(field, { rule: `texts can't be compared with "${operator}"`, hint });
  }
  const form = { kind: 'inTexts', name: field.name, list: [text.value] } as const;
  return negatedIf(operator === '!=', built(node, 'condition', form, [field]));
}

function resolveIn(
  scope: Scope,
  node: Extract<SyntaxNode, { kind: 'in' }>,
  depth: number,
): Expression {
  const of = scope.resolve(node.left, depth);
  if (of.type === 'text') {
    if (of.kind !== 'field') scope.failType(of, 'a field or a number');
    const values = node.list.map((item) => textItem(scope, item));
    const list = [...new Set(values)].sort();
    return built(node, 'condition', { kind: 'inTexts', name: of.name, list }, [of]);
  }
  scope.checkType(of, 'number');
  for (const item of node.list) checkDate(scope, node.left, item);
  const values = node.list.map((item) => numberItem(scope, dateAgainst(node.left, item)));
  const list = [...new Set(values)].sort((a, b) => a - b);
  return built(node, 'condition', { kind: 'inNumbers', of, list }, [of]);
}

function resolveUniverse(
  scope: Scope,
  { name, ...span }: Extract<SyntaxNode, { kind: 'universe' }>,
): Expression {
  const { universes } = scope.own;
  const known = universes.find((one) => one === universeName(name.value));
  if (known === undefined) {
    if (universes.length === 0) {
      const hint = 'load members with backfill files members';
      scope.fail(name, { rule: 'no universe is loaded', found: name.value, hint });
    }
    const expected = `a universe (${universes.join(', ')})`;
    const nearest = nearestName(name.value, universes);
    scope.fail(name, { rule: `expected ${expected}`, expected, nearest, found: name.value });
  }
  const single: SinglePart = { ...span, kind: 'field', name: `in universe('${known}')` };
  return { ...built(span, 'condition', { kind: 'field', name: `universe ${known}` }), single };
}

function textItem(scope: Scope, item: NumberNode | TextNode): string {
  if (item.kind === 'text') return item.value.toLowerCase();
  scope.fail(item, { rule: 'expected a text in the list', found: scope.slice(item) });
}

function numberItem(scope: Scope, item: NumberNode | TextNode): number {
  if (item.kind === 'number') return scope.finite(item);
  scope.fail(item, { rule: 'expected a number in the list', found: scope.slice(item) });
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Days as numbers, from 1900 to 2099. */
const DAY = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** Checks that `date` is compared with a day: 2024-03-15 without quotes is the number 2006. */
function checkDate(scope: Scope, other: SyntaxNode, node: SyntaxNode): void {
  if (other.kind !== 'reference' || other.name !== 'date') return;
  const isWritten =
    node.kind === 'arithmetic' &&
    [node.first, ...node.rest.map(({ operand }) => operand)].every((one) => one.kind === 'number');
  const number = node.kind === 'text' ? Number(node.value.replaceAll('-', '')) : plainNumber(node);
  const value = isWritten ? 0 : number;
  if (value === undefined || DAY.test(String(value))) return;
  const hint = "write a day in quotes, as in date >= '2024-03-15'";
  scope.fail(node, { rule: 'expected a day', found: scope.slice(node), hint });
}

/** Returns the number that a text such as '2024-03-15' is next to `date`, else the node. */
function dateAgainst<T extends SyntaxNode>(other: SyntaxNode, node: T): T | NumberNode {
  const isDate = other.kind === 'reference' && other.name === 'date';
  if (!isDate || node.kind !== 'text' || !ISO_DATE.test(node.value)) return node;
  return { ...node, kind: 'number', value: Number(node.value.replaceAll('-', '')) };
}
