/** Resolves functions of a row, and of windows of bars. */

import { limits } from '../../base/limits.ts';
import { built, plainNumber } from './built.ts';
import { type Expression, PRICE_NAMES, type PriceName, type RowFunction } from './expression.ts';
import { ROW_FUNCTIONS, WINDOW_FUNCTIONS } from './names.ts';
import type { Scope } from './scope.ts';
import type { ReferenceNode, Span, SyntaxNode } from './syntax-tree.ts';

/** Widest band, as that of `bollinger`. */
const DEVIATIONS_MAX = 100;

const CONSTANT_FUNCTIONS: Readonly<Record<RowFunction, (a: number, b: number) => number>> = {
  abs: Math.abs,
  log: Math.log,
  min: Math.min,
  max: Math.max,
  negate: (a) => -a,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  // A condition is no constant.
  if: () => Number.NaN,
};

export function resolveOffset(
  scope: Scope,
  node: Extract<SyntaxNode, { kind: 'offset' }>,
  depth: number,
): Expression {
  const of = scope.resolve(node.of, depth);
  const bars = scope.bars(node.bars, 'offset', 0);
  scope.checkHistory(of, {
    name: `an offset [${bars}]`,
    field: `remove [${bars}]`,
    interval: `write the offset inside, as in weekly(close[${bars}])`,
  });
  scope.needBars(of);
  return built(node, of.type, { kind: 'offset', of, bars }, [of]);
}

export function resolveWindow(
  scope: Scope,
  node: Extract<SyntaxNode, { kind: 'window' }>,
  depth: number,
): Expression {
  const { word } = node;
  const of = scope.condition(node.of, depth);
  const bars = scope.bars(node.bars, `number of bars after "${word}"`, 1);
  const suffix = `${word} ${bars}`;
  scope.checkHistory(of, {
    name: `"${suffix}"`,
    field: `join it outside, as in market_cap > 1B and (close > open ${suffix})`,
    interval: `write "${suffix}" inside, as in weekly(close > open ${suffix})`,
  });
  scope.needBars(of);
  return built(node, 'condition', { kind: 'window', word, of, bars }, [of]);
}

export function resolveRowFunction(scope: Scope, node: ReferenceNode, depth: number): Expression {
  const { name, form, count } = ROW_FUNCTIONS[node.name];
  scope.checkNoOutput(node);
  const args = scope.operands(node, form, count, count);
  if (name === 'max' || name === 'min') checkExtreme(scope, node, args);
  const hint = name === 'if' ? 'for conditions write (a and b) or (not a and c)' : undefined;
  const of = args.map((arg, place) =>
    name === 'if' && place === 0 ? scope.condition(arg, depth) : scope.number(arg, depth, hint),
  );
  return rowOf(scope, node, name, of);
}

/**
 * Checks that the larger of a column of bars and a whole number is no highest value: other programs
 * write that of 252 bars as max(high, 252), or as max(252, high).
 */
function checkExtreme(scope: Scope, node: ReferenceNode, args: readonly SyntaxNode[]): void {
  const column = args.find((arg) => arg.kind === 'reference' && isPrice(arg));
  const bars = args.map(plainNumber).find((value) => value !== undefined);
  if (!column || bars === undefined || !Number.isInteger(bars) || bars < 2) return;
  const of = scope.slice(column);
  const [window, sign] = node.name === 'max' ? ['highest', '>'] : ['lowest', '<'];
  scope.fail(node, {
    rule: `${node.name} of a column of bars and a whole number has two meanings`,
    found: scope.slice(node),
    hint: `write ${window}(${of}, ${bars}) for ${bars} bars, or if(${of} ${sign} ${bars}, ${of}, ${bars})`,
  });
}

function isPrice({ name, args }: ReferenceNode): boolean {
  return args === null && PRICE_NAMES.includes(name as PriceName);
}

/** A function of numbers; of constants it is a constant. */
export function rowOf(
  scope: Scope,
  span: Span,
  name: RowFunction,
  of: readonly Expression[],
): Expression {
  scope.counts.operations++;
  const { operationsMax } = limits.screens;
  if (scope.counts.operations > operationsMax) {
    scope.fail(span, { rule: `exceeds the limit of ${operationsMax} operations` });
  }
  const constants = of.flatMap((one) => (one.kind === 'number' ? [one.value] : []));
  if (constants.length < of.length) return built(span, 'number', { kind: 'row', name, of }, of);
  const value = CONSTANT_FUNCTIONS[name](constants[0], constants[1]);
  if (Number.isFinite(value)) return built(span, 'number', { kind: 'number', value });
  scope.fail(span, {
    rule: 'expected a number',
    found: scope.slice(span),
    hint: 'it has no value',
  });
}

export function resolveWindowFunction(
  scope: Scope,
  node: ReferenceNode,
  depth: number,
): Expression {
  const {
    name,
    form,
    defaultBars,
    isOfCondition,
    least = 1,
    hasShare,
  } = WINDOW_FUNCTIONS[node.name];
  scope.checkNoOutput(node);
  const most = hasShare ? 3 : 2;
  const args = scope.operands(node, form, defaultBars === undefined ? most : 1, most);
  const of = scope.source(args[0], form, depth, isOfCondition ? 'condition' : 'number');
  const [, count, share] = args;
  const bars = count ? barCount(scope, count, node.name, form, least) : defaultBars!;
  const more = share ? { share: shareOf(scope, share, form) } : {};
  return built(node, 'number', { kind: 'rolling', name, of, bars, ...more }, [of]);
}

function shareOf(scope: Scope, node: SyntaxNode, form: string): number {
  const value = plainNumber(node);
  if (value !== undefined && value >= 0 && value <= 1) return value;
  const rule = `expected a number from 0 to 1 as q in ${form}`;
  scope.fail(node, { rule, found: scope.slice(node) });
}

/** Resolves functions of the bars since a condition was true. */
export function resolveSince(scope: Scope, node: ReferenceNode, depth: number): Expression {
  scope.checkNoOutput(node);
  const isVwap = node.name === 'anchored_vwap';
  const form = isVwap ? 'anchored_vwap(condition, deviations)' : 'bars_since(condition)';
  const [arg, deviations] = scope.operands(node, form, 1, isVwap ? 2 : 1);
  const of = scope.source(arg, form, depth, 'condition');
  const share = deviations ? plainNumber(deviations) : 0;
  if (share === undefined || Math.abs(share) > DEVIATIONS_MAX) {
    const rule = `expected a number from -${DEVIATIONS_MAX} to ${DEVIATIONS_MAX} as deviations in ${form}`;
    scope.fail(deviations, { rule, found: scope.slice(deviations) });
  }
  const name = isVwap ? 'anchored_vwap' : 'bars_since';
  return built(node, 'number', { kind: 'rolling', name, of, bars: 0, ...(isVwap && { share }) }, [
    of,
  ]);
}

function barCount(
  scope: Scope,
  node: SyntaxNode,
  name: string,
  form: string,
  least: number,
): number {
  const value = plainNumber(node);
  if (value === undefined) {
    const rule = `expected a number of bars in ${form}`;
    scope.fail(node, { rule, found: scope.slice(node) });
  }
  return scope.bars({ ...node, kind: 'number', value }, `${name} n`, least);
}
