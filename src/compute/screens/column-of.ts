/** Columns over bars for expressions that read nothing else. */

import {
  above,
  absolute,
  add,
  type Bars,
  bar,
  both,
  type Column,
  delay,
  divide,
  either,
  equal,
  held,
  isNull,
  larger,
  logarithm,
  mean,
  multiply,
  negation,
  percentChange,
  smaller,
  subtract,
  sum,
  throughout,
  typicalPrice,
  within,
} from '../columns/column.ts';
import { mayLackValues } from '../columns/column-facts.ts';
import type { Expression, PriceName, RowFunction } from './expression.ts';
import type { Comparator } from './syntax-tree.ts';

/** Returns the column that it has made of an equal expression before, or else makes it. */
export type Memo = (expression: Expression, make: () => Column) => Column;

/**
 * @param expression Without fields of companies, `weekly(…)` and `monthly(…)`.
 * @param memo Used for the parts that take many operations.
 */
export function columnOf(expression: Expression, memo: Memo): Column {
  const of = (part: Expression) => columnOf(part, memo);
  switch (expression.kind) {
    case 'number':
      return { kind: 'number', value: expression.value, first: 0 };
    case 'price':
      return priceColumn(expression.name);
    case 'indicator': {
      const { spec, params, output, source } = expression;
      return memo(expression, () => {
        const from = (bars: Bars) =>
          spec.expressions(params, false, bars)[spec.outputs.indexOf(output)];
        if (!source) return from(bar);
        const [name] = spec.inputs;
        const column = of(source);
        // Such an indicator skips absent bars; one row without a value would end it for good.
        const isHeld = spec.gaps === 'absent' && mayLackValues(column);
        return from({ ...bar, [name]: isHeld ? held(column) : column });
      });
    }
    case 'rolling': {
      const { name, bars } = expression;
      const column = of(expression.of);
      if (name === 'pct_change') return percentChange(column, bars);
      return name === 'avg' ? mean(column, bars) : sum(column, bars);
    }
    case 'row':
      return rowColumn(expression.name, expression.of.map(of));
    case 'offset':
      return delay(of(expression.of), expression.bars);
    case 'compare':
      return comparison(expression.operator, of(expression.left), of(expression.right));
    case 'cross': {
      const { direction } = expression;
      const [a, b] = [of(expression.left), of(expression.right)];
      const up = () => both(above(a, b), negation(above(before(a), before(b))));
      const down = () => both(above(b, a), negation(above(before(b), before(a))));
      if (direction === 'either') return either(up(), down());
      return direction === 'above' ? up() : down();
    }
    case 'between': {
      const a = of(expression.of);
      return both(
        comparison('>=', a, of(expression.low)),
        comparison('<=', a, of(expression.high)),
      );
    }
    case 'inNumbers': {
      const a = of(expression.of);
      return expression.list.map((value) => equal(a, value)).reduce(either);
    }
    case 'isNull':
      return isNull(of(expression.of));
    case 'window': {
      const { word, bars } = expression;
      const condition = of(expression.of);
      return word === 'within' ? within(condition, bars) : throughout(condition, bars);
    }
    case 'not':
      return negation(of(expression.of));
    case 'and':
      return expression.of.map(of).reduce(both);
    case 'or':
      return expression.of.map(of).reduce(either);
    default:
      throw new Error(`Assertion failed: "${expression.kind}" has no column`);
  }
}

/** Values one bar before; a number has none. */
function before(a: Column): Column {
  return a.kind === 'number' ? a : delay(a, 1);
}

function priceColumn(name: PriceName): Column {
  const { open, high, low, close } = bar;
  switch (name) {
    case 'hl2':
      return divide(add(high, low), 2);
    case 'hlc3':
      return typicalPrice(bar);
    case 'ohlc4':
      return divide(add(add(add(open, high), low), close), 4);
    default:
      return bar[name];
  }
}

function rowColumn(name: RowFunction, [a, b]: readonly Column[]): Column {
  switch (name) {
    case 'abs':
      return absolute(a);
    case 'log':
      return logarithm(a);
    case 'negate':
      return subtract(0, a);
    case 'min':
      return smaller(a, b);
    case 'max':
      return larger(a, b);
    case 'add':
      return add(a, b);
    case 'subtract':
      return subtract(a, b);
    case 'multiply':
      return multiply(a, b);
    case 'divide':
      return divide(a, b);
  }
}

function comparison(operator: Comparator, a: Column, b: Column): Column {
  switch (operator) {
    case '>':
      return above(a, b);
    case '<':
      return above(b, a);
    case '>=':
      return negation(above(b, a));
    case '<=':
      return negation(above(a, b));
    case '=':
      return equal(a, b);
    case '!=':
      return negation(equal(a, b));
  }
}
