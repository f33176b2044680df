/** Checks of types, counts and places that all parts of an expression share. */

import { limits } from '../../base/limits.ts';
import type { DailyInterval, Interval } from '../../base/time/intervals.ts';
import { isAllowed } from '../../compute/columns/indicator-spec.ts';
import { phraseHint } from './advice/phrases.ts';
import { squashed } from './advice/words.ts';
import type { Expression } from './expression.ts';
import { type Complaint, ExpressionError, type TextName } from './expression-error.ts';
import { nameOfLetters } from './names.ts';
import type { NumberNode, ReferenceNode, Span, SyntaxNode } from './syntax-tree.ts';

const ACROSS_HINT = 'it compares symbols on one session, so what looks back stands inside it';

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

/** Place of a part in a text of a screen. */
export interface TextPlace {
  field: TextName;
  text: string;
  offset: number;
}

/** Counts of a whole screen, over all of its texts. */
export interface Counts {
  /** Other symbols whose bars it reads, each where it stands first. */
  symbols: Map<string, TextPlace>;
  conditions: number;
  /** Arithmetic and functions of numbers. */
  operations: number;
}

/** Examples of functions. */
const EXAMPLES: Readonly<Record<string, string>> = {
  avg: 'avg(volume, 20)',
  sum: 'sum(volume, 20)',
  pct_change: 'pct_change(close, 5)',
  count: 'count(close > open, 10)',
  beta: "beta(symbol('SPY').close, 252)",
  correlation: "correlation(symbol('SPY').close, 252)",
  percent_rank: 'percent_rank(close, 100)',
  quantile: 'quantile(close, 100, 0.5)',
  anchored_vwap: "anchored_vwap(date = '2024-03-04')",
  bars_since: 'bars_since(close < open)',
  weekly: 'weekly(rsi(14))',
  monthly: 'monthly(close)',
  rank: 'rank(market_cap)',
};

function hintOf(form: string): string | undefined {
  const [name] = form.split('(');
  if (!Object.hasOwn(EXAMPLES, name)) return undefined;
  const rule = form.includes('n)') ? ': x is an expression over bars and n a number of bars' : '';
  return `write ${EXAMPLES[name]}${rule}`;
}

/** Returns true for a text in quotes that was meant as an expression. */
function isExpression(text: string): boolean {
  return nameOfLetters(squashed(text)) !== undefined || /^[\d.]+$|[<>=()]/.test(text);
}

/** One text that is being resolved, and the place that has been reached in it. */
export abstract class Scope {
  readonly field: TextName;
  readonly text: string;
  readonly counts: Counts;
  readonly own: OwnNames;
  /** Symbol whose bars the part reads that is being resolved; undefined for the security's own. */
  other: string | undefined;
  /** Bars of the part that is being resolved; '1d' stands for those that need no word. */
  interval: DailyInterval = '1d';
  /** Length of the bars that need no word, on which defaults depend. */
  barInterval: Interval = '1d';

  /** @param counts Counts of the screen so far; updated. */
  constructor(field: TextName, text: string, counts: Counts, own: OwnNames) {
    this.field = field;
    this.text = text;
    this.counts = counts;
    this.own = own;
  }

  /** Resolves a node, of which `depth` others are around. */
  abstract resolve(node: SyntaxNode, depth: number): Expression;

  /** @param hint Advice where it is no number. */
  number(node: SyntaxNode, depth = 0, hint?: string): Expression {
    const expression = this.resolve(node, depth);
    if (expression.type !== 'number') this.failType(expression, 'a number', hint);
    return expression;
  }

  condition(node: SyntaxNode, depth = 0): Expression {
    const expression = this.resolve(node, depth);
    this.checkType(expression, 'condition');
    return expression;
  }

  /** Resolves an expression whose values at earlier bars a function reads. */
  source(
    node: SyntaxNode,
    form: string,
    depth: number,
    type: 'number' | 'condition' = 'number',
  ): Expression {
    const source = this.resolve(node, depth);
    this.checkType(source, type);
    this.checkHistory(source, {
      name: form,
      field: 'use expressions over bars there, as in avg(close, 20)',
      interval: 'write it inside, as in weekly(avg(close, 20))',
    });
    this.needBars(source);
    return source;
  }

  /** Checks a number: a day without quotes, such as 2024-03-15, would be the number 2006. */
  finite(node: NumberNode): number {
    const [day] = /^\d{4}([-/])\d\d\1\d\d(?![\w.])/.exec(this.text.slice(node.start)) ?? [];
    if (day !== undefined) {
      const example = `date = '${day.replaceAll('/', '-')}'`;
      const hint = `write a day as in ${example}, and spaces around signs of arithmetic`;
      this.fail(node, { rule: 'expected a number', expected: 'a number', found: day, hint });
    }
    if (Number.isFinite(node.value)) return node.value;
    this.fail(node, {
      rule: `expected a number up to ${Number.MAX_VALUE}`,
      found: this.slice(node),
    });
  }

  bars(node: NumberNode, what: string, least: number): number {
    const { windowMax } = limits.screens;
    if (
      isAllowed({ name: what, default: 0, min: least, max: windowMax, integer: true }, node.value)
    )
      return node.value;
    const rule = `${what} must be an integer from ${least} to ${windowMax}`;
    const isLater = what === 'offset' && node.value < 0;
    const hint = isLater ? 'close[1] is one bar before, and later bars are not known' : undefined;
    this.fail(node, { rule, found: this.slice(node), hint });
  }

  /** Checks the count of arguments. */
  operands(node: ReferenceNode, form: string, least: number, most: number): readonly SyntaxNode[] {
    const args = node.args ?? [];
    if (node.params.length === 0 && args.length >= least && args.length <= most) return args;
    this.fail(node, {
      rule: `expected ${form}`,
      found: this.slice(node),
      expected: form,
      hint: hintOf(form),
    });
  }

  /** Checks that a name has no arguments and no output. */
  checkBare(node: ReferenceNode, hint?: string): void {
    this.checkNoOutput(node);
    if (node.args === null && node.params.length === 0) return;
    this.fail(node, { rule: `${node.name} takes no arguments`, found: this.slice(node), hint });
  }

  checkNoOutput({ name, outputs }: ReferenceNode): void {
    if (outputs.length === 0) return;
    this.fail(outputs[0], { rule: `${name} has no outputs`, found: outputs[0].text });
  }

  /** Checks that a part stands over days, not in `weekly(…)` or `monthly(…)`. */
  checkDays(span: Span, shown: string): void {
    if (this.interval === '1d') return;
    const word = this.interval === '1w' ? 'weekly(…)' : 'monthly(…)';
    this.fail(span, { rule: `${shown} is one of days and can't stand in ${word}` });
  }

  checkType(expression: Expression, type: 'number' | 'condition'): void {
    if (expression.type !== type) this.failType(expression, `a ${type}`);
  }

  failType(expression: Expression, expected: string, advice?: string): never {
    const hints = {
      number: 'compare it, as in close > 100',
      condition: undefined,
      text: `compare it with "=" or "in", as in sector in ('technology')`,
    };
    const isQuoted = expression.kind === 'text';
    const other = expected === 'a condition' ? hints[expression.type] : advice;
    const found = this.slice(expression);
    const hint = isQuoted && isExpression(expression.value) ? 'leave the quotes out' : other;
    this.fail(expression, { rule: `expected ${expected}`, expected, found, hint });
  }

  /** Checks that a part has values at earlier bars. */
  checkHistory({ single }: Expression, place: Place): void {
    if (!single) return;
    const [shown, hint] =
      single.kind === 'field'
        ? [single.name, place.field]
        : [`${single.name}(…)`, single.kind === 'interval' ? place.interval : ACROSS_HINT];
    const rule = `${shown} has one value and can't stand in ${place.name}`;
    this.fail(single, { rule, hint });
  }

  needBars(expression: Expression): void {
    if (expression.readsBars) return;
    const expected = 'an expression over bars';
    this.fail(expression, {
      rule: `expected ${expected}`,
      expected,
      found: this.slice(expression),
    });
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end).trim();
  }

  fail({ start }: Span, complaint: Complaint): never {
    const { nearest, hint = nearest ? undefined : phraseHint(this.text, start) } = complaint;
    throw new ExpressionError(this.field, this.text, start, { ...complaint, hint });
  }
}
