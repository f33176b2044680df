/** Resolves names: prices, fields, functions, indicators, and the bars of others. */

import { ParameterError } from '../../base/errors.ts';
import { SCREEN_FIELD_NAMES, type ScreenFieldName, screenField } from '../../base/fields.ts';
import type { AcrossName } from '../../base/symbol-expression.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { indicatorByName } from '../../compute/indicators/catalogue.ts';
import { adviceFor } from './advice/advice.ts';
import { OTHER_NAMES } from './advice/other-names.ts';
import { squashed } from './advice/words.ts';
import { built, overBars } from './built.ts';
import { type Expression, PRICE_NAMES, type PriceName, type SinglePart } from './expression.ts';
import { resolveRowFunction, resolveSince, resolveWindowFunction } from './functions.ts';
import { resolveIndicator } from './indicator.ts';
import {
  ACROSS,
  INTERVALS,
  indicatorAndOutput,
  joined,
  NAMES,
  nameOfLetters,
  ROW_FUNCTIONS,
  WINDOW_FUNCTIONS,
} from './names.ts';
import type { Scope } from './scope.ts';
import type { NumberNode, ReferenceNode, TextNode } from './syntax-tree.ts';

/** Values of days, which weeks and months have none of. */
const OF_DAYS: readonly string[] = ['date', 'weekday', 'month', 'year_to_date'];

/** Texts that groups are made of. */
const GROUP_FIELDS: readonly string[] = ['sector', 'industry', 'country', 'exchange', 'type'];

export function resolveReference(scope: Scope, node: ReferenceNode, depth: number): Expression {
  const { name } = node;
  if (name === 'symbol' && node.args) return resolveOtherSymbol(scope, node, depth);
  if (PRICE_NAMES.includes(name as PriceName)) {
    scope.checkBare(node, `write ${name}[5] for the value 5 bars before`);
    if (OF_DAYS.includes(name)) scope.checkDays(node, name);
    return overBars(built(node, 'number', { kind: 'price', name: name as PriceName }));
  }
  if (Object.hasOwn(INTERVALS, name)) return resolveInterval(scope, node, depth);
  if (node.by || node.among) checkClauses(scope, node);
  if (ACROSS.includes(name as AcrossName)) return resolveAcross(scope, node, depth);
  if (Object.hasOwn(ROW_FUNCTIONS, name)) return resolveRowFunction(scope, node, depth);
  if (name === 'bars_since' || name === 'anchored_vwap') return resolveSince(scope, node, depth);
  if (Object.hasOwn(WINDOW_FUNCTIONS, name)) return resolveWindowFunction(scope, node, depth);
  const found = indicatorAndOutput(name);
  if (found) return resolveIndicator(scope, node, found.spec, found.output, depth);
  if (SCREEN_FIELD_NAMES.includes(name as ScreenFieldName)) {
    scope.checkBare(node);
    const field = name as ScreenFieldName;
    const type = screenField(field).kind === 'text' ? 'text' : 'number';
    const single = { kind: 'field', name, start: node.start, end: node.end } as const;
    return { ...built(node, type, { kind: 'field', name: field }), single };
  }
  if (scope.own.columns.includes(name)) {
    scope.checkBare(node);
    const single: SinglePart = { kind: 'field', name, start: node.start, end: node.end };
    return { ...built(node, 'number', { kind: 'field', name: `own ${name}` }), single };
  }
  const [, indicator, period] = /^([a-z_]+?)_?(\d{1,4})$/.exec(name) ?? [];
  const isBare = node.args === null && node.params.length === 0;
  const numbered = isBare && indicator && indicatorByName(otherName(indicator) ?? indicator);
  if (numbered && numbered.params.length > 0) {
    const value: NumberNode = { ...node, kind: 'number', value: Number(period) };
    return resolveIndicator(scope, { ...node, params: [value] }, numbered, undefined, depth);
  }
  const other = otherName(name);
  const isSame = other && (!isBare || indicatorByName(other)?.params.length === 0);
  const meant = isSame ? other : nameOfLetters(squashed(name));
  if (meant) return resolveReference(scope, { ...node, name: meant }, depth);
  const names = [...NAMES, ...scope.own.columns];
  scope.fail(node, {
    rule: 'expected an indicator, a column or a number',
    found: name,
    expected: 'an indicator, a column or a number',
    ...adviceFor(scope.text, node.start, names, nameOfLetters),
  });
}

function otherName(name: string): string | undefined {
  const letters = squashed(name);
  return Object.hasOwn(OTHER_NAMES, letters) ? OTHER_NAMES[letters] : undefined;
}

/** Resolves `symbol('SPY').close`, or `symbol('SPY', close > sma(200))`. */
function resolveOtherSymbol(scope: Scope, node: ReferenceNode, depth: number): Expression {
  const form = "symbol('SPY').close or symbol('SPY', close > sma(200))";
  scope.checkNoOutput(node);
  scope.checkDays(node, 'symbol(…)');
  const [name, argument, surplus] = node.args!;
  const of = node.of ?? argument;
  const isOne = (node.of !== undefined) !== (argument !== undefined);
  if (name.kind !== 'text' || !of || !isOne || surplus) {
    const quoted = `symbol('${scope.slice(name).toUpperCase()}')`;
    const isBare = name.kind === 'text' && !of;
    const missing = isBare ? `name a value of it, as in ${scope.slice(node)}.close` : undefined;
    const hint = name.kind === 'reference' ? `write the symbol in quotes: ${quoted}` : missing;
    scope.fail(node, { rule: `expected ${form}`, expected: form, found: scope.slice(node), hint });
  }
  if (scope.other !== undefined) {
    scope.fail(node, { rule: `symbol(…) can't stand in symbol('${scope.other}')` });
  }
  const symbol = canonicalName(scope, name);
  const { field, text, counts } = scope;
  if (!counts.symbols.has(symbol)) counts.symbols.set(symbol, { field, text, offset: name.start });
  scope.other = symbol;
  const inner = scope.resolve(of, depth);
  scope.other = undefined;
  if (inner.type === 'text') scope.failType(inner, 'a number or a condition');
  scope.checkHistory(inner, {
    name: `symbol('${symbol}')`,
    field: 'fields are those of the security itself',
    interval: 'it takes expressions over its days',
  });
  scope.needBars(inner);
  return overBars(built(node, inner.type, { kind: 'symbol', symbol, of: inner }, [inner]));
}

function canonicalName(scope: Scope, node: TextNode): string {
  try {
    return canonicalSymbol(node.value);
  } catch (error) {
    const hint = error instanceof ParameterError ? error.message : undefined;
    scope.fail(node, { rule: 'expected a symbol', found: node.value, hint });
  }
}

function resolveInterval(scope: Scope, node: ReferenceNode, depth: number): Expression {
  const name = node.name as keyof typeof INTERVALS;
  scope.checkNoOutput(node);
  const [of] = scope.operands(node, `${name}(x)`, 1, 1);
  scope.interval = INTERVALS[name];
  const inner = scope.resolve(of, depth);
  scope.interval = '1d';
  scope.checkHistory(inner, {
    name: `${name}(…)`,
    field: `write it outside, as in ${name}(rsi(14)) > 50 and market_cap > 1B`,
    interval: 'write them side by side, as in weekly(rsi(14)) > 50 and monthly(rsi(14)) > 50',
  });
  scope.needBars(inner);
  const form = { kind: 'interval', interval: INTERVALS[name], of: inner } as const;
  const single: SinglePart = { kind: 'interval', name, start: node.start, end: node.end };
  return { ...built(node, inner.type, form, [inner]), single };
}

function resolveAcross(scope: Scope, node: ReferenceNode, depth: number): Expression {
  const name = node.name as AcrossName;
  scope.checkNoOutput(node);
  const [arg] = scope.operands(node, `${name}(x)`, 1, 1);
  const of = scope.number(arg, depth, `for groups write ${name}(close, by sector)`);
  const by = node.by && groupField(scope, node.by, depth);
  const among = node.among && scope.condition(node.among, depth);
  const parts = among ? [of, among] : [of];
  const form = { kind: 'across', name, of, by: by?.name, among } as const;
  const single: SinglePart = { kind: 'across', name, start: node.start, end: node.end };
  return { ...built(node, 'number', form, parts), single };
}

/** Resolves the field after `by`. */
function groupField(scope: Scope, node: ReferenceNode, depth: number): { name: ScreenFieldName } {
  const field = scope.resolve(node, depth);
  if (field.kind === 'field' && GROUP_FIELDS.includes(field.name)) return field;
  const expected = `one of ${GROUP_FIELDS.join(', ')} after "by"`;
  scope.fail(node, { rule: `expected ${expected}`, expected, found: scope.slice(node) });
}

/** Checks that the function takes `by` and `among`. */
function checkClauses(scope: Scope, { name, by, among }: ReferenceNode): void {
  if (ACROSS.includes(name as AcrossName)) return;
  const [word, clause] = by ? ['by', by] : ['among', among!];
  const rule = `"${word}" stands in ${joined(ACROSS)} alone`;
  scope.fail(clause, { rule, found: `${word} ${scope.slice(clause)}` });
}
