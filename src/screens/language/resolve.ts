/** Resolves names, and checks types, parameters and places: syntax nodes to expressions. */

import { universeName } from '../../base/datasets/universes.ts';
import { ParameterError } from '../../base/errors.ts';
import {
  fieldOfWord,
  SCREEN_FIELD_NAMES,
  type ScreenFieldName,
  screenField,
} from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { AcrossName } from '../../base/symbol-expression.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { type IndicatorSpec, isAllowed } from '../../compute/columns/indicator-spec.ts';
import {
  defaultParams,
  indicatorByName,
  indicatorCatalogue,
} from '../../compute/indicators/catalogue.ts';
import {
  type Expression,
  type Form,
  PRICE_NAMES,
  type PriceName,
  type RowFunction,
  type SinglePart,
  type WindowFunction,
} from './expression.ts';
import { type Complaint, ExpressionError, type TextName } from './expression-error.ts';
import { isReserved } from './grammar.ts';
import { nestingError } from './parse.ts';
import type {
  ArithmeticSign,
  NumberNode,
  ReferenceNode,
  Span,
  SyntaxNode,
  TextNode,
} from './syntax-tree.ts';
import { USUAL_WORDS } from './usual-words.ts';

const ROW_FUNCTIONS: Readonly<Record<string, { name: RowFunction; form: string; count: number }>> =
  {
    abs: { name: 'abs', form: 'abs(x)', count: 1 },
    log: { name: 'log', form: 'log(x)', count: 1 },
    min: { name: 'min', form: 'min(a, b)', count: 2 },
    max: { name: 'max', form: 'max(a, b)', count: 2 },
    if: { name: 'if', form: 'if(condition, a, b)', count: 3 },
  };

const WINDOW_FUNCTIONS: Readonly<
  Record<
    string,
    {
      name: WindowFunction;
      form: string;
      defaultBars?: number;
      isOfCondition?: true;
      /** Fewest bars of the window; by default 1. */
      least?: number;
    }
  >
> = {
  avg: { name: 'avg', form: 'avg(x, n)' },
  sum: { name: 'sum', form: 'sum(x, n)' },
  pct_change: { name: 'pct_change', form: 'pct_change(x, n)', defaultBars: 1 },
  count: { name: 'count', form: 'count(condition, n)', isOfCondition: true },
  beta: { name: 'beta', form: 'beta(x, n)', least: 2 },
  correlation: { name: 'correlation', form: 'correlation(x, n)', least: 2 },
  percent_change: { name: 'pct_change', form: 'pct_change(x, n)', defaultBars: 1 },
};

/** Values of days, which weeks and months have none of. */
const OF_DAYS: readonly string[] = ['date', 'weekday', 'month', 'year_to_date'];

/** Indicators whose usual number of bars differs so much that none is taken for granted. */
const EXTREMES: readonly string[] = ['highest', 'lowest'];

const ACROSS = ['rank', 'demean', 'standard'] as const satisfies AcrossName[];

const INTERVALS = { weekly: '1w', monthly: '1M' } as const;

const SIGNS: Readonly<Record<ArithmeticSign, RowFunction>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
};

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

const ACROSS_HINT = 'it compares symbols on one session, so what looks back stands inside it';

/** Texts that groups are made of. */
const GROUP_FIELDS: readonly string[] = ['sector', 'industry', 'country', 'exchange', 'type'];

/** Share of a name that may be misspelled: `roc` is not `roce`, and `vwap` no `gap`. */
const MISSPELLED_MAX = 0.4;

/** All names that an expression may begin with, for the nearest to a wrong one. */
const NAMES: readonly string[] = [
  ...PRICE_NAMES,
  ...indicatorCatalogue.map(({ name }) => name),
  ...Object.keys(WINDOW_FUNCTIONS),
  'bars_since',
  ...Object.keys(ROW_FUNCTIONS),
  ...Object.keys(INTERVALS),
  ...ACROSS,
  ...SCREEN_FIELD_NAMES,
];

/** Returns true for a name that means something in a screen, so that an own column can't have it. */
export function isScreenWord(name: string): boolean {
  return NAMES.includes(name) || isReserved(name) || indicatorAndOutput(name) !== undefined;
}

/** Part of an expression whose operands need values at earlier bars. */
interface Place {
  name: string;
  /** Advice for a field of a company, and for `weekly(…)` or `monthly(…)`. */
  field: string;
  interval: string;
}

/** Names of one store that expressions may have. */
export interface OwnNames {
  universes: readonly string[];
  columns: readonly string[];
}

export const NO_OWN_NAMES: OwnNames = { universes: [], columns: [] };

/** Counts of a whole screen, over all of its texts. */
export interface Counts {
  conditions: number;
  /** Arithmetic and functions of numbers. */
  operations: number;
}

/** Resolves the nodes of one text. */
export class Resolver {
  readonly #field: TextName;
  readonly #text: string;
  readonly #counts: Counts;
  readonly #own: OwnNames;
  /** Symbol whose bars the part reads that is being resolved; undefined for the security's own. */
  #other: string | undefined;
  /** Bars of the part that is being resolved. */
  #interval: DailyInterval = '1d';

  /** @param counts Counts of the screen so far; updated. */
  constructor(field: TextName, text: string, counts: Counts, own: OwnNames) {
    this.#field = field;
    this.#text = text;
    this.#counts = counts;
    this.#own = own;
  }

  /** @throws {ExpressionError} a name is unknown, a type is wrong, or a limit is passed. */
  resolve(node: SyntaxNode): Expression {
    return this.#resolve(node, 0);
  }

  /** @throws {ExpressionError} also if the type is another one. */
  condition(node: SyntaxNode): Expression {
    return this.#condition(node, 0);
  }

  /** @throws {ExpressionError} also if the type is another one. */
  number(node: SyntaxNode): Expression {
    return this.#number(node, 0);
  }

  #resolve(node: SyntaxNode, depth: number): Expression {
    if (depth > limits.screens.nestingMax) throw nestingError(this.#field, this.#text, node.start);
    const inner = depth + 1;
    switch (node.kind) {
      case 'number':
        return built(node, 'number', { kind: 'number', value: this.#finite(node) });
      case 'text':
        return built(node, 'text', { kind: 'text', value: node.value.toLowerCase() });
      case 'group':
        return { ...this.#resolve(node.of, inner), start: node.start, end: node.end };
      case 'reference':
        return this.#reference(node, inner);
      case 'negate': {
        return this.#row(node, 'negate', [this.#number(node.of, inner)]);
      }
      case 'arithmetic': {
        let left = this.#number(node.first, depth);
        for (const { operator, operand } of node.rest) {
          const of = [left, this.#number(operand, depth)];
          const span = { start: node.start, end: of[1].end };
          left = this.#row(span, SIGNS[operator], of);
        }
        return left;
      }
      case 'offset':
        return this.#offset(node, inner);
      case 'window':
        return this.#window(node, inner);
      case 'not': {
        const of = this.#condition(node.of, inner);
        return built(node, 'condition', { kind: 'not', of }, [of]);
      }
      case 'and':
      case 'or': {
        const of = node.of.map((one) => this.#condition(one, depth));
        return built(node, 'condition', { kind: node.kind, of }, of);
      }
      default:
        return this.#test(node, depth);
    }
  }

  #test(
    node: Extract<
      SyntaxNode,
      { kind: 'compare' | 'cross' | 'between' | 'in' | 'universe' | 'isNull' }
    >,
    depth: number,
  ): Expression {
    this.#counts.conditions++;
    const { conditionsMax } = limits.screens;
    if (this.#counts.conditions > conditionsMax) {
      this.#fail(node, { rule: `exceeds the limit of ${conditionsMax} conditions` });
    }
    switch (node.kind) {
      case 'compare':
        return this.#compare(node, depth);
      case 'cross': {
        const left = this.#number(node.left, depth);
        const right = this.#number(node.right, depth);
        const place = {
          name: '"crosses"',
          field: 'compare it with > or <',
          interval: 'write the comparison inside, as in weekly(close crosses above sma(10))',
        };
        for (const side of [left, right]) this.#checkHistory(side, place);
        if (!left.readsBars && !right.readsBars) this.#needBars(left);
        const { direction } = node;
        return built(node, 'condition', { kind: 'cross', direction, left, right }, [left, right]);
      }
      case 'between': {
        const of = this.#number(node.left, depth);
        const low = this.#number(dateAgainst(node.left, node.low), depth);
        const high = this.#number(dateAgainst(node.left, node.high), depth);
        const between = built(node, 'condition', { kind: 'between', of, low, high }, [
          of,
          low,
          high,
        ]);
        return negatedIf(node.isNot, between);
      }
      case 'in':
        return negatedIf(node.isNot, this.#in(node, depth));
      case 'universe':
        return this.#universe(node);
      case 'isNull': {
        const of = this.#resolve(node.left, depth);
        if (of.kind === 'text') this.#failType(of, 'a number or a condition');
        return negatedIf(node.isNot, built(node, 'condition', { kind: 'isNull', of }, [of]));
      }
    }
  }

  #compare(node: Extract<SyntaxNode, { kind: 'compare' }>, depth: number): Expression {
    const { operator } = node;
    const left = this.#resolve(dateAgainst(node.right, node.left), depth);
    const right = this.#resolve(dateAgainst(node.left, node.right), depth);
    if (left.type !== 'text' && right.type !== 'text') {
      for (const side of [left, right]) this.#checkType(side, 'number');
      return built(node, 'condition', { kind: 'compare', operator, left, right }, [left, right]);
    }
    const field = [left, right].find((side) => side.type === 'text' && side.kind === 'field');
    const text = [left, right].find(({ kind }) => kind === 'text');
    if (field?.kind !== 'field') {
      const other = left.type === 'text' ? right : left;
      if (other.type !== 'text') this.#failType(text!, 'a number');
      this.#fail(left, {
        rule: 'expected a text field, such as sector,',
        found: this.#slice(left),
      });
    }
    if (text?.kind !== 'text') this.#failType(field === left ? right : left, 'a text');
    if (operator !== '=' && operator !== '!=') {
      const hint = 'use "=", "!=" or "in"';
      this.#fail(field, { rule: `texts can't be compared with "${operator}"`, hint });
    }
    const form = { kind: 'inTexts', name: field.name, list: [text.value] } as const;
    return negatedIf(operator === '!=', built(node, 'condition', form, [field]));
  }

  #in(node: Extract<SyntaxNode, { kind: 'in' }>, depth: number): Expression {
    const of = this.#resolve(node.left, depth);
    if (of.type === 'text') {
      if (of.kind !== 'field') this.#failType(of, 'a field or a number');
      const values = node.list.map((item) => this.#textItem(item));
      const list = [...new Set(values)].sort();
      return built(node, 'condition', { kind: 'inTexts', name: of.name, list }, [of]);
    }
    this.#checkType(of, 'number');
    const values = node.list.map((item) => this.#numberItem(item));
    const list = [...new Set(values)].sort((a, b) => a - b);
    return built(node, 'condition', { kind: 'inNumbers', of, list }, [of]);
  }

  #universe({ name, ...span }: Extract<SyntaxNode, { kind: 'universe' }>): Expression {
    const { universes } = this.#own;
    const known = universes.find((one) => one === universeName(name.value));
    if (known === undefined) {
      const expected = `a universe (${universes.join(', ')})`;
      const nearest = nearestName(name.value, universes);
      this.#fail(name, { rule: `expected ${expected}`, expected, nearest, found: name.value });
    }
    const single: SinglePart = { ...span, kind: 'field', name: `in universe('${known}')` };
    return { ...built(span, 'condition', { kind: 'field', name: `universe ${known}` }), single };
  }

  #textItem(item: NumberNode | TextNode): string {
    if (item.kind === 'text') return item.value.toLowerCase();
    this.#fail(item, { rule: 'expected a text in the list', found: this.#slice(item) });
  }

  #numberItem(item: NumberNode | TextNode): number {
    if (item.kind === 'number') return this.#finite(item);
    this.#fail(item, { rule: 'expected a number in the list', found: this.#slice(item) });
  }

  #offset(node: Extract<SyntaxNode, { kind: 'offset' }>, depth: number): Expression {
    const of = this.#resolve(node.of, depth);
    const bars = this.#bars(node.bars, 'offset', 0);
    this.#checkHistory(of, {
      name: `an offset [${bars}]`,
      field: `remove [${bars}]`,
      interval: `write the offset inside, as in weekly(close[${bars}])`,
    });
    this.#needBars(of);
    return built(node, of.type, { kind: 'offset', of, bars }, [of]);
  }

  #window(node: Extract<SyntaxNode, { kind: 'window' }>, depth: number): Expression {
    const { word } = node;
    const of = this.#condition(node.of, depth);
    const bars = this.#bars(node.bars, `number of bars after "${word}"`, 1);
    const suffix = `${word} ${bars}`;
    this.#checkHistory(of, {
      name: `"${suffix}"`,
      field: `join it outside, as in market_cap > 1B and (close > open ${suffix})`,
      interval: `write "${suffix}" inside, as in weekly(close > open ${suffix})`,
    });
    this.#needBars(of);
    return built(node, 'condition', { kind: 'window', word, of, bars }, [of]);
  }

  #reference(node: ReferenceNode, depth: number): Expression {
    const { name } = node;
    if (name === 'symbol' && node.args) return this.#otherSymbol(node, depth);
    if (PRICE_NAMES.includes(name as PriceName)) {
      this.#checkBare(node, `write ${name}[5] for the value 5 bars before`);
      if (OF_DAYS.includes(name)) this.#checkDays(node, name);
      return overBars(built(node, 'number', { kind: 'price', name: name as PriceName }));
    }
    if (Object.hasOwn(INTERVALS, name)) return this.#ofInterval(node, depth);
    if (node.by || node.among) this.#checkClauses(node);
    if (ACROSS.includes(name as AcrossName)) return this.#across(node, depth);
    if (Object.hasOwn(ROW_FUNCTIONS, name)) return this.#rowFunction(node, depth);
    if (name === 'bars_since') return this.#barsSince(node, depth);
    if (Object.hasOwn(WINDOW_FUNCTIONS, name)) return this.#windowFunction(node, depth);
    const found = indicatorAndOutput(name);
    if (found) return this.#indicator(node, found.spec, found.output, depth);
    if (SCREEN_FIELD_NAMES.includes(name as ScreenFieldName)) {
      this.#checkBare(node);
      const field = name as ScreenFieldName;
      const type = screenField(field).kind === 'text' ? 'text' : 'number';
      const single = { kind: 'field', name, start: node.start, end: node.end } as const;
      return { ...built(node, type, { kind: 'field', name: field }), single };
    }
    if (this.#own.columns.includes(name)) {
      this.#checkBare(node);
      const single: SinglePart = { kind: 'field', name, start: node.start, end: node.end };
      return { ...built(node, 'number', { kind: 'field', name: `own ${name}` }), single };
    }
    const [, indicator, period] = /^([a-z_]+?)_?(\d{1,4})$/.exec(name) ?? [];
    const numbered = node.args || node.params.length > 0 ? undefined : indicatorByName(indicator);
    if (numbered && numbered.params.length > 0) {
      const value: NumberNode = { ...node, kind: 'number', value: Number(period) };
      return this.#indicator({ ...node, params: [value] }, numbered, undefined, depth);
    }
    const usual = Object.hasOwn(USUAL_WORDS, name) ? USUAL_WORDS[name] : undefined;
    const names = [...NAMES, ...this.#own.columns];
    this.#fail(node, {
      rule: 'expected an indicator, a column or a number',
      found: name,
      expected: 'an indicator, a column or a number',
      nearest: usual ? undefined : (fieldOfWord(name) ?? nearestName(name, names, MISSPELLED_MAX)),
      hint: usual && `write ${usual}`,
    });
  }

  /** Resolves `symbol('SPY').close`, or `symbol('SPY', close > sma(200))`. */
  #otherSymbol(node: ReferenceNode, depth: number): Expression {
    const form = "symbol('SPY').close or symbol('SPY', close > sma(200))";
    this.#checkNoOutput(node);
    this.#checkDays(node, 'symbol(…)');
    const [name, argument, surplus] = node.args!;
    const of = node.of ?? argument;
    const isOne = (node.of !== undefined) !== (argument !== undefined);
    if (name.kind !== 'text' || !of || !isOne || surplus) {
      this.#fail(node, { rule: `expected ${form}`, expected: form, found: this.#slice(node) });
    }
    if (this.#other !== undefined) {
      this.#fail(node, { rule: `symbol(…) can't stand in symbol('${this.#other}')` });
    }
    const symbol = this.#canonical(name);
    this.#other = symbol;
    const inner = this.#resolve(of, depth);
    this.#other = undefined;
    if (inner.type === 'text') this.#failType(inner, 'a number or a condition');
    this.#checkHistory(inner, {
      name: `symbol('${symbol}')`,
      field: 'fields are those of the security itself',
      interval: 'it takes expressions over its days',
    });
    this.#needBars(inner);
    return overBars(built(node, inner.type, { kind: 'symbol', symbol, of: inner }, [inner]));
  }

  #canonical(node: TextNode): string {
    try {
      return canonicalSymbol(node.value);
    } catch (error) {
      const hint = error instanceof ParameterError ? error.message : undefined;
      this.#fail(node, { rule: 'expected a symbol', found: node.value, hint });
    }
  }

  /** Checks that a part stands over days, not in `weekly(…)` or `monthly(…)`. */
  #checkDays(span: Span, shown: string): void {
    if (this.#interval === '1d') return;
    const word = this.#interval === '1w' ? 'weekly(…)' : 'monthly(…)';
    this.#fail(span, { rule: `${shown} is one of days and can't stand in ${word}` });
  }

  #ofInterval(node: ReferenceNode, depth: number): Expression {
    const name = node.name as keyof typeof INTERVALS;
    this.#checkNoOutput(node);
    const [of] = this.#operands(node, `${name}(x)`, 1, 1);
    this.#interval = INTERVALS[name];
    const inner = this.#resolve(of, depth);
    this.#interval = '1d';
    this.#checkHistory(inner, {
      name: `${name}(…)`,
      field: `write it outside, as in ${name}(rsi(14)) > 50 and market_cap > 1B`,
      interval: 'write them side by side, as in weekly(rsi(14)) > 50 and monthly(rsi(14)) > 50',
    });
    this.#needBars(inner);
    const form = { kind: 'interval', interval: INTERVALS[name], of: inner } as const;
    const single: SinglePart = { kind: 'interval', name, start: node.start, end: node.end };
    return { ...built(node, inner.type, form, [inner]), single };
  }

  #across(node: ReferenceNode, depth: number): Expression {
    const name = node.name as AcrossName;
    this.#checkNoOutput(node);
    const [arg] = this.#operands(node, `${name}(x)`, 1, 1);
    const of = this.#number(arg, depth);
    const by = node.by && this.#group(node.by, depth);
    const among = node.among && this.#condition(node.among, depth);
    const parts = among ? [of, among] : [of];
    const form = { kind: 'across', name, of, by: by?.name, among } as const;
    const single: SinglePart = { kind: 'across', name, start: node.start, end: node.end };
    return { ...built(node, 'number', form, parts), single };
  }

  /** Resolves the field after `by`. */
  #group(node: ReferenceNode, depth: number): { name: ScreenFieldName } {
    const field = this.#resolve(node, depth);
    if (field.kind === 'field' && GROUP_FIELDS.includes(field.name)) return field;
    const expected = `one of ${GROUP_FIELDS.join(', ')} after "by"`;
    this.#fail(node, { rule: `expected ${expected}`, expected, found: this.#slice(node) });
  }

  /** Checks that the function takes `by` and `among`. */
  #checkClauses({ name, by, among }: ReferenceNode): void {
    if (ACROSS.includes(name as AcrossName)) return;
    const [word, clause] = by ? ['by', by] : ['among', among!];
    const rule = `"${word}" stands in ${joined(ACROSS)} alone`;
    this.#fail(clause, { rule, found: `${word} ${this.#slice(clause)}` });
  }

  #rowFunction(node: ReferenceNode, depth: number): Expression {
    const { name, form, count } = ROW_FUNCTIONS[node.name];
    this.#checkNoOutput(node);
    const of = this.#operands(node, form, count, count).map((arg, place) =>
      name === 'if' && place === 0 ? this.#condition(arg, depth) : this.#number(arg, depth),
    );
    return this.#row(node, name, of);
  }

  /** A function of numbers; of constants it is a constant. */
  #row(span: Span, name: RowFunction, of: readonly Expression[]): Expression {
    this.#counts.operations++;
    const { operationsMax } = limits.screens;
    if (this.#counts.operations > operationsMax) {
      this.#fail(span, { rule: `exceeds the limit of ${operationsMax} operations` });
    }
    const constants = of.flatMap((one) => (one.kind === 'number' ? [one.value] : []));
    if (constants.length < of.length) return built(span, 'number', { kind: 'row', name, of }, of);
    const value = CONSTANT_FUNCTIONS[name](constants[0], constants[1]);
    if (Number.isFinite(value)) return built(span, 'number', { kind: 'number', value });
    this.#fail(span, {
      rule: 'expected a number',
      found: this.#slice(span),
      hint: 'it has no value',
    });
  }

  #finite(node: NumberNode): number {
    if (Number.isFinite(node.value)) return node.value;
    this.#fail(node, {
      rule: `expected a number up to ${Number.MAX_VALUE}`,
      found: this.#slice(node),
    });
  }

  #windowFunction(node: ReferenceNode, depth: number): Expression {
    const { name, form, defaultBars, isOfCondition, least = 1 } = WINDOW_FUNCTIONS[node.name];
    this.#checkNoOutput(node);
    const args = this.#operands(node, form, defaultBars === undefined ? 2 : 1, 2);
    const of = this.#source(args[0], form, depth, isOfCondition ? 'condition' : 'number');
    const [, count] = args;
    const bars = count ? this.#count(count, node.name, form, least) : defaultBars!;
    return built(node, 'number', { kind: 'rolling', name, of, bars }, [of]);
  }

  #barsSince(node: ReferenceNode, depth: number): Expression {
    this.#checkNoOutput(node);
    const form = 'bars_since(condition)';
    const [arg] = this.#operands(node, form, 1, 1);
    const of = this.#source(arg, form, depth, 'condition');
    return built(node, 'number', { kind: 'rolling', name: 'bars_since', of, bars: 0 }, [of]);
  }

  #count(node: SyntaxNode, name: string, form: string, least: number): number {
    const value = plainNumber(node);
    if (value === undefined) {
      const rule = `expected a number of bars in ${form}`;
      this.#fail(node, { rule, found: this.#slice(node) });
    }
    return this.#bars({ ...node, kind: 'number', value }, `${name} n`, least);
  }

  #indicator(
    node: ReferenceNode,
    spec: IndicatorSpec,
    namedOutput: string | undefined,
    depth: number,
  ): Expression {
    const { params: short } = node;
    const args = [...(node.args ?? [])];
    if (short.length > 0 && args.length > 0) {
      const rule = `${spec.name} takes its numbers behind colons or in parentheses, not both,`;
      this.#fail(args[0], { rule });
    }
    let source: Expression | undefined;
    if (args.length > 0 && plainNumber(args[0]) === undefined) {
      const first = args.shift()!;
      if (spec.inputs.length > 1) {
        const rule = `${spec.name} reads ${joined(spec.inputs)} and takes only numbers`;
        this.#fail(first, { rule, found: this.#slice(first) });
      }
      source = this.#source(first, `${spec.name}(x)`, depth);
      if (args.length === 0 && EXTREMES.includes(spec.name)) {
        const form = `${spec.name}(x, n)`;
        const hint = `write ${spec.name}(${this.#slice(first)}, 252) for a year`;
        this.#fail(node, {
          rule: `expected a number of bars in ${form}`,
          expected: form,
          found: this.#slice(node),
          hint,
        });
      }
      if (source.kind === 'price' && source.name === spec.inputs[0]) source = undefined;
    }
    const params = this.#params(spec, [...short, ...args], node);
    const output = this.#output(node, spec, namedOutput);
    const form = { kind: 'indicator', spec, params, output, source } as const;
    return overBars(built(node, 'number', form, source ? [source] : []));
  }

  #params(spec: IndicatorSpec, given: readonly SyntaxNode[], node: ReferenceNode) {
    const names = spec.params.map(({ name }) => name);
    if (given.length > names.length) {
      const most = names.length === 0 ? 'no numbers' : `only ${names.join(', ')}`;
      const surplus = given[names.length];
      this.#fail(surplus, { rule: `${spec.name} takes ${most}`, found: this.#slice(surplus) });
    }
    const params = { ...defaultParams(spec, this.#interval) };
    for (const [i, param] of spec.params.entries()) {
      if (i >= given.length) break;
      const value = plainNumber(given[i]);
      const found = this.#slice(given[i]);
      if (value === undefined) {
        this.#fail(given[i], {
          rule: `expected a number for ${param.name} of ${spec.name}`,
          found,
        });
      }
      const max = param.max === limits.indicator.periodMax ? limits.screens.windowMax : param.max;
      if (!isAllowed({ ...param, max }, value)) {
        const kind = param.integer ? 'an integer' : 'a number';
        const rule = `${spec.name} ${param.name} must be ${kind} from ${param.min} to ${max}`;
        this.#fail(given[i], { rule, found });
      }
      params[param.name] = value;
    }
    const conflict = spec.conflict?.(params);
    if (conflict) this.#fail(given[0] ?? node, { rule: `${spec.name} ${conflict}` });
    return params;
  }

  #output(node: ReferenceNode, spec: IndicatorSpec, named: string | undefined): string {
    const [first, second] = node.outputs;
    const surplus = named !== undefined ? first : second;
    if (surplus) this.#fail(surplus, { rule: 'one output is enough', found: surplus.text });
    if (named !== undefined) return named;
    if (first === undefined) return spec.mainOutput;
    if (spec.outputs.includes(first.text)) return first.text;
    if (spec.outputs.length === 1) this.#checkNoOutput(node);
    const expected = `an output of ${spec.name} (${spec.outputs.join(', ')})`;
    const nearest = nearestName(first.text, spec.outputs);
    this.#fail(first, { rule: `expected ${expected}`, expected, nearest, found: first.text });
  }

  /** Resolves an expression whose values at earlier bars a function reads. */
  #source(
    node: SyntaxNode,
    form: string,
    depth: number,
    type: 'number' | 'condition' = 'number',
  ): Expression {
    const source = this.#resolve(node, depth);
    this.#checkType(source, type);
    this.#checkHistory(source, {
      name: form,
      field: 'use expressions over bars there, as in avg(close, 20)',
      interval: 'write it inside, as in weekly(avg(close, 20))',
    });
    this.#needBars(source);
    return source;
  }

  /** Checks the count of arguments. */
  #operands(node: ReferenceNode, form: string, least: number, most: number): readonly SyntaxNode[] {
    const args = node.args ?? [];
    if (node.params.length === 0 && args.length >= least && args.length <= most) return args;
    this.#fail(node, {
      rule: `expected ${form}`,
      found: this.#slice(node),
      expected: form,
      hint: form.includes('n)') ? 'x is an expression over bars and n a number of bars' : undefined,
    });
  }

  /** Checks that a name has no arguments and no output. */
  #checkBare(node: ReferenceNode, hint?: string): void {
    this.#checkNoOutput(node);
    if (node.args === null && node.params.length === 0) return;
    this.#fail(node, { rule: `${node.name} takes no arguments`, found: this.#slice(node), hint });
  }

  #checkNoOutput({ name, outputs }: ReferenceNode): void {
    if (outputs.length === 0) return;
    this.#fail(outputs[0], { rule: `${name} has no outputs`, found: outputs[0].text });
  }

  #number(node: SyntaxNode, depth: number): Expression {
    const expression = this.#resolve(node, depth);
    this.#checkType(expression, 'number');
    return expression;
  }

  #condition(node: SyntaxNode, depth: number): Expression {
    const expression = this.#resolve(node, depth);
    this.#checkType(expression, 'condition');
    return expression;
  }

  #checkType(expression: Expression, type: 'number' | 'condition'): void {
    if (expression.type !== type) this.#failType(expression, `a ${type}`);
  }

  #failType(expression: Expression, expected: string): never {
    const hints = {
      number: 'compare it, as in close > 100',
      condition: undefined,
      text: `compare it with "=" or "in", as in sector in ('technology')`,
    };
    const hint = expected === 'a condition' ? hints[expression.type] : undefined;
    const found = this.#slice(expression);
    this.#fail(expression, { rule: `expected ${expected}`, expected, found, hint });
  }

  #bars(node: NumberNode, what: string, least: number): number {
    const { windowMax } = limits.screens;
    if (
      isAllowed({ name: what, default: 0, min: least, max: windowMax, integer: true }, node.value)
    )
      return node.value;
    const rule = `${what} must be an integer from ${least} to ${windowMax}`;
    this.#fail(node, { rule, found: this.#slice(node) });
  }

  /** Checks that a part has values at earlier bars. */
  #checkHistory({ single }: Expression, place: Place): void {
    if (!single) return;
    const [shown, hint] =
      single.kind === 'field'
        ? [single.name, place.field]
        : [`${single.name}(…)`, single.kind === 'interval' ? place.interval : ACROSS_HINT];
    const rule = `${shown} has one value and can't stand in ${place.name}`;
    this.#fail(single, { rule, hint });
  }

  #needBars(expression: Expression): void {
    if (expression.readsBars) return;
    const expected = 'an expression over bars';
    this.#fail(expression, {
      rule: `expected ${expected}`,
      expected,
      found: this.#slice(expression),
    });
  }

  #slice({ start, end }: Span): string {
    return this.#text.slice(start, end).trim();
  }

  #fail({ start }: Span, complaint: Complaint): never {
    throw new ExpressionError(this.#field, this.#text, start, complaint);
  }
}

function built(
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

function overBars(expression: Expression): Expression {
  return { ...expression, readsBars: true };
}

function negatedIf(isNot: boolean, of: Expression): Expression {
  return isNot ? built(of, 'condition', { kind: 'not', of }, [of]) : of;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the number that a text such as '2024-03-15' is next to `date`, else the node. */
function dateAgainst(other: SyntaxNode, node: SyntaxNode): SyntaxNode {
  const isDate = other.kind === 'reference' && other.name === 'date';
  if (!isDate || node.kind !== 'text' || !ISO_DATE.test(node.value)) return node;
  return { ...node, kind: 'number', value: Number(node.value.replaceAll('-', '')) };
}

/** Returns the value of a number with or without signs. */
function plainNumber(node: SyntaxNode): number | undefined {
  let sign = 1;
  let inner = node;
  for (; inner.kind === 'negate'; inner = inner.of) sign = -sign;
  return inner.kind === 'number' ? sign * inner.value : undefined;
}

/** Finds an indicator by its name, or by that of a column in files, such as `bollinger_upper`. */
function indicatorAndOutput(
  name: string,
): { spec: IndicatorSpec; output: string | undefined } | undefined {
  const whole = indicatorByName(name);
  if (whole) return { spec: whole, output: undefined };
  for (let end = name.lastIndexOf('_'); end > 0; end = name.lastIndexOf('_', end - 1)) {
    const spec = indicatorByName(name.slice(0, end));
    const output = name.slice(end + 1);
    if (spec?.outputs.includes(output)) return { spec, output };
  }
  return undefined;
}

function joined(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
