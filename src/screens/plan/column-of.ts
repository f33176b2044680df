/** Columns over bars for expressions that read nothing else. */

import type { NumberOperator } from '../../base/symbol-expression.ts';
import {
  above,
  absolute,
  add,
  type Bars,
  bar,
  both,
  type Column,
  chooseAny,
  correlationOf,
  countOf,
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
  percentRank,
  quantileOf,
  rowNumber,
  rowsSince,
  slopeOn,
  smaller,
  subtract,
  sum,
  throughout,
  typicalPrice,
  within,
} from '../../compute/columns/column.ts';
import { mayLackValues } from '../../compute/columns/column-facts.ts';
import { columnText } from '../../compute/columns/column-text.ts';
import { anchoredVwap } from '../../compute/indicators/averages/vwap.ts';
import type { Expression, PriceName } from '../language/expression.ts';
import { operationOf, type Term } from '../language/operations.ts';

/** Returns the column that it has made of an equal expression before, or else makes it. */
export type Memo = (expression: Expression, make: () => Column) => Column;

/** Columns of the operations that have one value a row. */
export const OPERATORS: Readonly<
  Record<Exclude<NumberOperator, 'choose'>, (a: Column, b: Column) => Column>
> = {
  ...{ add, subtract, multiply, divide, smaller, larger, absolute, logarithm, above, equal },
  ...{ and: both, or: either, not: negation, isNull },
};

const WINDOWS = {
  ...{ avg: mean, sum, pct_change: percentChange, count: countOf, percent_rank: percentRank },
} as const;

/**
 * @param expression Without fields of companies, `weekly(…)` and `monthly(…)`.
 * @param memo Used for the parts that take many operations.
 * @param isIntraday True for bars shorter than a day, which have a `session`.
 */
export function columnOf(expression: Expression, memo: Memo, isIntraday = false): Column {
  const known = new Map<Term, Column>();
  const of = (term: Term): Column => {
    const column = known.get(term) ?? made(term, of, memo, isIntraday);
    known.set(term, column);
    return column;
  };
  return of(expression);
}

/** @param of Gives the column of a part. */
function made(term: Term, of: (part: Term) => Column, memo: Memo, isIntraday: boolean): Column {
  const operation = term.kind === 'operation' ? term : operationOf(term);
  if (operation?.operator === 'choose') {
    const [condition, yes, no] = operation.operands.map(of);
    return chooseAny(condition, yes, no);
  }
  if (operation) {
    const operator = OPERATORS[operation.operator];
    const [first, ...rest] = operation.operands.map(of);
    return rest.length === 0
      ? operator(first, first)
      : rest.reduce((a, b) => operator(a, b), first);
  }
  switch (term.kind) {
    case 'number':
      return { kind: 'number', value: term.value, first: 0 };
    case 'price':
      return priceColumn(term.name);
    case 'indicator': {
      const { spec, params, output, source } = term;
      return memo(term, () => {
        const from = (bars: Bars) =>
          spec.expressions(params, isIntraday, bars)[spec.outputs.indexOf(output)];
        if (!source) return from(bar);
        const [name] = spec.inputs;
        const column = of(source);
        // Such an indicator skips absent bars; one row without a value would end it for good.
        const isHeld = spec.gaps === 'absent' && mayLackValues(column);
        return from({ ...bar, [name]: isHeld ? held(column) : column });
      });
    }
    case 'rolling': {
      const column = of(term.of);
      if (term.name === 'bars_since') return rowsSince(column);
      if (term.name === 'anchored_vwap') return anchoredVwap(bar, column, term.share!);
      if (term.name === 'beta' || term.name === 'correlation') {
        const [own, other] = [bar.close, column].map((one) => percentChange(one, 1));
        return (term.name === 'beta' ? slopeOn : correlationOf)(own, other, term.bars);
      }
      if (term.name === 'quantile') return quantileOf(column, term.bars, term.share!);
      return WINDOWS[term.name](column, term.bars);
    }
    case 'symbol': {
      const column = of(term.of);
      const name = `made ${term.symbol} ${columnText(column)}` as const;
      return {
        kind: 'input',
        name,
        first: 0,
        made: { kind: 'symbol', symbol: term.symbol, column },
      };
    }
    case 'offset':
      return delay(of(term.of), term.bars);
    case 'window':
      return (term.word === 'within' ? within : throughout)(of(term.of), term.bars);
    default:
      throw new Error(`Assertion failed: "${term.kind}" has no column`);
  }
}

function calendar(name: 'date' | 'weekday' | 'month' | 'year'): Column {
  return { kind: 'input', name: `made ${name}`, first: 0, made: { kind: 'calendar', name } };
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
    case 'listed_bars':
      return rowNumber;
    case 'date':
    case 'weekday':
    case 'month':
      return calendar(name);
    case 'year_to_date': {
      const year = calendar('year');
      const before = held(divide(delay(close, 1), above(year, delay(year, 1))));
      return multiply(divide(subtract(close, before), before), 100);
    }
    default:
      return bar[name];
  }
}
