/** Resolves an indicator with its source, parameters and output. */

import { limits } from '../../base/limits.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Interval } from '../../base/time/intervals.ts';
import { type IndicatorSpec, isAllowed } from '../../compute/columns/indicator-spec.ts';
import { defaultParams } from '../../compute/indicators/catalogue.ts';
import { callOf } from './advice/advice.ts';
import { built, overBars, plainNumber } from './built.ts';
import type { Expression } from './expression.ts';
import { joined } from './names.ts';
import type { Scope } from './scope.ts';
import type { ReferenceNode, SyntaxNode } from './syntax-tree.ts';

/** Indicators whose usual number of bars differs so much that none is taken for granted. */
const EXTREMES: readonly string[] = ['highest', 'lowest'];

export function resolveIndicator(
  scope: Scope,
  node: ReferenceNode,
  spec: IndicatorSpec,
  namedOutput: string | undefined,
  depth: number,
): Expression {
  const { params: short } = node;
  checkOrder(scope, node, spec);
  const args = [...(node.args ?? [])];
  if (short.length > 0 && args.length > 0) {
    const rule = `${spec.name} takes its numbers behind colons or in parentheses, not both,`;
    scope.fail(args[0], { rule });
  }
  let source: Expression | undefined;
  if (args.length > 0 && plainNumber(args[0]) === undefined) {
    const first = args.shift()!;
    if (spec.inputs.length > 1) {
      const rule = `${spec.name} reads ${joined(spec.inputs)} and takes only numbers`;
      const numbers = args.filter((arg) => plainNumber(arg) !== undefined).map(scope.slice, scope);
      const hint = `write ${numbers.length > 0 ? `${spec.name}(${numbers.join(', ')})` : callOf(spec)}`;
      scope.fail(first, { rule, found: scope.slice(first), hint });
    }
    source = scope.source(first, `${spec.name}(x)`, depth);
    if (args.length === 0 && EXTREMES.includes(spec.name)) {
      const form = `${spec.name}(x, n)`;
      const hint = `write ${spec.name}(${scope.slice(first)}, 252) for a year`;
      scope.fail(node, {
        rule: `expected a number of bars in ${form}`,
        expected: form,
        found: scope.slice(node),
        hint,
      });
    }
    if (source.kind === 'price' && source.name === spec.inputs[0]) source = undefined;
  }
  const params = indicatorParams(scope, spec, [...short, ...args], node);
  const output = indicatorOutput(scope, node, spec, namedOutput);
  const form = { kind: 'indicator', spec, params, output, source } as const;
  return overBars(built(node, 'number', form, source ? [source] : []));
}

/** Checks an indicator whose numbers stand in another order in Pine, which writes `ta.` before it. */
function checkOrder(scope: Scope, node: ReferenceNode, { name }: IndicatorSpec): void {
  const [first, second] = (node.args ?? []).map(plainNumber);
  const isPine = /^ta\./i.test(scope.slice(node));
  if (name !== 'supertrend' || !isPine || first === undefined || second === undefined) return;
  const rule = 'supertrend takes the bars before the factor';
  const hint = `write supertrend(${second}, ${first})`;
  scope.fail(node, { rule, found: scope.slice(node), hint });
}

function barsOf({ interval, barInterval }: Scope): Interval {
  return interval === '1d' ? barInterval : interval;
}

function indicatorParams(
  scope: Scope,
  spec: IndicatorSpec,
  given: readonly SyntaxNode[],
  node: ReferenceNode,
) {
  const names = spec.params.map(({ name }) => name);
  if (given.length > names.length) {
    const most = names.length === 0 ? 'no numbers' : `only ${names.join(', ')}`;
    const surplus = given[names.length];
    const found = scope.slice(surplus);
    const isSource = plainNumber(surplus) === undefined && spec.inputs.length === 1;
    const numbers = given.slice(0, names.length).map(scope.slice, scope);
    const written = isSource ? [found, ...numbers] : numbers;
    const isLonger = /^\W*(?:timeframe\W*)?(?:\d*[wm]\b|week|month)/i.test(found);
    const hint = isLonger
      ? `write weekly(${spec.name}(${numbers.join(', ')}))`
      : names.length > 0
        ? `write ${spec.name}(${written.join(', ')})`
        : undefined;
    scope.fail(surplus, { rule: `${spec.name} takes ${most}`, found, hint });
  }
  const params = { ...defaultParams(spec, barsOf(scope)) };
  for (const [i, param] of spec.params.entries()) {
    if (i >= given.length) break;
    const value = plainNumber(given[i]);
    const found = scope.slice(given[i]);
    if (value === undefined) {
      scope.fail(given[i], {
        rule: `expected a number for ${param.name} of ${spec.name}`,
        found,
      });
    }
    const max = param.max === limits.indicator.periodMax ? limits.screens.windowMax : param.max;
    if (!isAllowed({ ...param, max }, value)) {
      const kind = param.integer ? 'an integer' : 'a number';
      const rule = `${spec.name} ${param.name} must be ${kind} from ${param.min} to ${max}`;
      scope.fail(given[i], { rule, found });
    }
    params[param.name] = value;
  }
  const conflict = spec.conflict?.(params);
  if (conflict) scope.fail(given[0] ?? node, { rule: `${spec.name} ${conflict}` });
  return params;
}

function indicatorOutput(
  scope: Scope,
  node: ReferenceNode,
  spec: IndicatorSpec,
  named: string | undefined,
): string {
  const [first, second] = node.outputs;
  const surplus = named !== undefined ? first : second;
  if (surplus) scope.fail(surplus, { rule: 'one output is enough', found: surplus.text });
  if (named !== undefined) return named;
  if (first === undefined) return spec.mainOutput;
  if (spec.outputs.includes(first.text)) return first.text;
  if (spec.outputs.length === 1) scope.checkNoOutput(node);
  const expected = `an output of ${spec.name} (${spec.outputs.join(', ')})`;
  const nearest = nearestName(first.text, spec.outputs);
  scope.fail(first, { rule: `expected ${expected}`, expected, nearest, found: first.text });
}
