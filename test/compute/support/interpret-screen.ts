/**
 * Interprets the language of screens, slowly and plainly: every part becomes a value for each bar,
 * computed by its definition. It starts from syntax, so that names and types are looked up twice.
 */

import type { BarColumns } from '../../../src/base/bars.ts';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import type { SyntaxNode } from '../../../src/screens/language/syntax-tree.ts';

type Bars = Omit<BarColumns, 'timestampUs'>;

/** Bars of one security, and its fields; NaN and null are unknown. */
export interface Security {
  '1d': Bars;
  '1w': Bars;
  '1M': Bars;
  numbers: Readonly<Record<string, number>>;
  texts: Readonly<Record<string, string | null>>;
}

/** Two numbers are so near that rounding may decide which one is larger. */
export class TooNear extends Error {}

const NONE = Number.NaN;

/** Value at the newest bar: a number, or 1, 0 or NaN of a condition. */
export function interpret(node: SyntaxNode, security: Security): number {
  return series(node, security, '1d').at(-1)!;
}

function series(node: SyntaxNode, security: Security, interval: '1d' | '1w' | '1M'): number[] {
  const of = (part: SyntaxNode) => series(part, security, interval);
  const bars = security[interval];
  // A security without bars has one without values, and no history.
  const isEmpty = bars.close.length === 0;
  const rows = Math.max(1, bars.close.length);
  const each = (value: (row: number) => number) => Array.from({ length: rows }, (_, i) => value(i));
  switch (node.kind) {
    case 'number':
      return each(() => node.value);
    case 'group':
      return of(node.of);
    case 'negate':
      return of(node.of).map((value) => -value);
    case 'arithmetic': {
      let left = of(node.first);
      for (const { operator, operand } of node.rest) {
        const right = of(operand);
        left = left.map((value, i) => arithmetic(operator, value, right[i]));
      }
      return left;
    }
    case 'offset': {
      const values = of(node.of);
      return each((row) => (isEmpty ? NONE : (values[row - node.bars.value] ?? NONE)));
    }
    case 'compare': {
      const text = textTest(node, security);
      if (text !== undefined) return each(() => text);
      const [left, right] = [of(node.left), of(node.right)];
      return each((row) => compare(node.operator, left[row], right[row]));
    }
    case 'between': {
      const [value, low, high] = [of(node.left), of(node.low), of(node.high)];
      return each((row) => {
        const isIn = and(compare('>=', value[row], low[row]), compare('<=', value[row], high[row]));
        return node.isNot ? not(isIn) : isIn;
      });
    }
    case 'in': {
      const text = textTest(node, security);
      if (text !== undefined) return each(() => text);
      const values = of(node.left);
      return each((row) => {
        const isIn = node.list.map((item) => compare('=', values[row], Number(item.value)));
        const isOne = isIn.reduce(or);
        return node.isNot ? not(isOne) : isOne;
      });
    }
    case 'isNull': {
      const values = of(node.left);
      return values.map((value) => (Number.isNaN(value) === node.isNot ? 0 : 1));
    }
    case 'cross': {
      const [left, right] = [of(node.left), of(node.right)];
      const isAbove = (row: number) => compare('>', left[row] ?? NONE, right[row] ?? NONE);
      const isBelow = (row: number) => compare('<', left[row] ?? NONE, right[row] ?? NONE);
      // A number has the same value before the first bar.
      const isConstant = [isNumber(node.left), isNumber(node.right)];
      const beforeFirst = [isConstant[0] ? left[0] : NONE, isConstant[1] ? right[0] : NONE];
      const wasAbove = (row: number) =>
        row > 0 ? isAbove(row - 1) : compare('>', beforeFirst[0], beforeFirst[1]);
      const wasBelow = (row: number) =>
        row > 0 ? isBelow(row - 1) : compare('<', beforeFirst[0], beforeFirst[1]);
      return each((row) => {
        const up = and(isAbove(row), not(wasAbove(row)));
        const down = and(isBelow(row), not(wasBelow(row)));
        if (node.direction === 'either') return or(up, down);
        return node.direction === 'above' ? up : down;
      });
    }
    case 'window': {
      const truths = of(node.of);
      return each((row) => {
        if (isEmpty) return NONE;
        const last = Array.from({ length: node.bars.value }, (_, i) => truths[row - i] ?? NONE);
        return last.reduce(node.word === 'within' ? or : and);
      });
    }
    case 'not':
      return of(node.of).map(not);
    case 'and':
    case 'or':
      return node.of
        .map(of)
        .reduce((a, b) => a.map((value, i) => (node.kind === 'and' ? and : or)(value, b[i])));
    case 'reference':
      return reference(node, security, interval);
    default:
      throw new Error(`no values for ${node.kind}`);
  }
}

function reference(
  node: Extract<SyntaxNode, { kind: 'reference' }>,
  security: Security,
  interval: '1d' | '1w' | '1M',
): number[] {
  const { name } = node;
  const bars = security[interval];
  const rows = Math.max(1, bars.close.length);
  const each = (value: (row: number) => number) => Array.from({ length: rows }, (_, i) => value(i));
  const args = node.args ?? [];
  const of = (part: SyntaxNode) => series(part, security, interval);
  const { open, high, low, close } = bars;
  switch (name) {
    case 'open':
    case 'high':
    case 'low':
    case 'close':
    case 'volume':
      return each((row) => bars[name][row] ?? NONE);
    case 'hl2':
      return each((row) => (high[row] + low[row]) / 2);
    case 'hlc3':
      return each((row) => (high[row] + low[row] + close[row]) / 3);
    case 'ohlc4':
      return each((row) => (open[row] + high[row] + low[row] + close[row]) / 4);
    case 'weekly':
    case 'monthly': {
      const newest = series(args[0], security, name === 'weekly' ? '1w' : '1M').at(-1)!;
      return each(() => newest);
    }
    case 'abs':
      return of(args[0]).map(Math.abs);
    case 'log':
      return of(args[0]).map((value) => (value > 0 ? Math.log(value) : NONE));
    case 'min':
    case 'max': {
      const [a, b] = args.map(of);
      return each((row) => Math[name](a[row], b[row]));
    }
    case 'listed_bars':
      return each((row) => (bars.close.length === 0 ? NONE : row + 1));
    case 'if': {
      const [condition, yes, no] = args.map(of);
      return each((row) => [no[row], yes[row]][condition[row]] ?? NONE);
    }
    case 'count': {
      const values = of(args[0]);
      const count = numberOf(args[1]);
      return each((row) => {
        let found = 0;
        for (let i = 0; i < count; i++) found += values[row - i] ?? NONE;
        return found;
      });
    }
    case 'anchored_vwap': {
      const values = of(args[0]);
      return each((row) => {
        const at = values.lastIndexOf(1, row);
        if (at < 0 || close.length === 0) return NONE;
        const rows = Array.from({ length: row + 1 - at }, (_, i) => at + i);
        const sum = (value: (row: number) => number) =>
          rows.reduce((total, one) => total + value(one) * bars.volume[one], 0);
        const price = (one: number) => (high[one] + low[one] + close[one]) / 3;
        const traded = sum(() => 1);
        if (traded === 0) return NONE;
        const average = sum(price) / traded;
        const variance = sum((one) => (price(one) - average) ** 2) / traded;
        return average + (args[1] ? of(args[1])[row] : 0) * Math.sqrt(variance);
      });
    }
    case 'bars_since': {
      const values = of(args[0]);
      return each((row) => {
        const at = values.lastIndexOf(1, row);
        return at < 0 || bars.close.length === 0 ? NONE : row - at;
      });
    }
    case 'avg':
    case 'sum': {
      const values = of(args[0]);
      const count = numberOf(args[1]);
      return each((row) => {
        let total = 0;
        for (let i = 0; i < count; i++) total += values[row - i] ?? NONE;
        return name === 'avg' ? total / count : total;
      });
    }
    case 'pct_change': {
      const values = of(args[0]);
      const count = args[1] ? numberOf(args[1]) : 1;
      return each((row) => {
        const before = values[row - count] ?? NONE;
        return before === 0 ? NONE : ((values[row] - before) / before) * 100;
      });
    }
  }
  if (name in security.numbers) return each(() => security.numbers[name]);
  return indicatorSeries(node, bars, of, rows);
}

function indicatorSeries(
  node: Extract<SyntaxNode, { kind: 'reference' }>,
  bars: Bars,
  of: (part: SyntaxNode) => number[],
  rows: number,
): number[] {
  const spec = indicatorCatalogue.find((row) => row.name === node.name)!;
  const args = [...(node.args ?? [])];
  const source = args.length > 0 && args[0].kind !== 'number' ? of(args.shift()!) : undefined;
  const values = spec.params.map((param, i) => [
    param.name,
    args[i] ? numberOf(args[i]) : (node.params[i]?.value ?? param.default),
  ]);
  const output = node.outputs[0]?.text ?? spec.mainOutput;
  if (bars.close.length === 0) return [NONE];
  // Where its source begins, the indicator begins.
  const lead = source ? source.findIndex((value) => !Number.isNaN(value)) : 0;
  if (lead < 0) return Array(rows).fill(NONE);
  const from = (column: ArrayLike<number>) => Float64Array.from(column).subarray(lead);
  const read = {
    open: from(bars.open),
    high: from(bars.high),
    low: from(bars.low),
    close: from(bars.close),
    volume: from(bars.volume),
    ...(source ? { [spec.inputs[0]]: from(source) } : {}),
  };
  const computed = spec.compute(read, Object.fromEntries(values))[output];
  return [...Array<number>(lead).fill(NONE), ...computed];
}

function isNumber(node: SyntaxNode): boolean {
  if (node.kind === 'group' || node.kind === 'negate') return isNumber(node.of);
  return node.kind === 'number';
}

function numberOf(node: SyntaxNode): number {
  if (node.kind !== 'number') throw new Error('expected a number');
  return node.value;
}

function textTest(
  node: Extract<SyntaxNode, { kind: 'compare' | 'in' }>,
  security: Security,
): number | undefined {
  const { left } = node;
  if (left.kind !== 'reference' || !(left.name in security.texts)) return undefined;
  const value = security.texts[left.name];
  if (value === null) return NONE;
  const items = node.kind === 'in' ? node.list : [node.right];
  const isIn = items.some(
    (item) => item.kind === 'text' && item.value.toLowerCase() === value.toLowerCase(),
  );
  const isNot = node.kind === 'in' ? node.isNot : node.operator === '!=';
  return isIn === isNot ? 0 : 1;
}

function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return b === 0 ? NONE : a / b;
  }
}

function compare(operator: string, a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return NONE;
  const isExact = Number.isInteger(a) && Number.isInteger(b);
  if (!isExact && Math.abs(a - b) < 1e-7 * (1 + Math.abs(a))) throw new TooNear();
  const truth = {
    '>': a > b,
    '>=': a >= b,
    '<': a < b,
    '<=': a <= b,
    '=': a === b,
    '!=': a !== b,
  }[operator];
  return truth ? 1 : 0;
}

function not(truth: number): number {
  if (Number.isNaN(truth)) return NONE;
  return truth === 1 ? 0 : 1;
}

function and(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return Number.isNaN(a) || Number.isNaN(b) ? NONE : 1;
}

function or(a: number, b: number): number {
  if (a === 1 || b === 1) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? NONE : 0;
}
