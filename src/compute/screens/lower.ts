/** Divides expressions into columns over bars, and operations on one value a symbol. */

import type { ScreenFieldName } from '../../base/screen-fields.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../columns/column.ts';
import { columnText, operationText } from '../columns/column-text.ts';
import { canonicalText } from './canonical.ts';
import { columnOf } from './column-of.ts';
import type { Expression, RowFunction } from './expression.ts';
import type { NumberOperator, ScreenColumns, SymbolExpression } from './screen-plan.ts';
import type { Comparator } from './syntax-tree.ts';

/** Columns of one interval, and their places by name. */
interface Group {
  interval: DailyInterval;
  columns: Column[];
  places: Map<string, number>;
}

const ROW_OPERATORS: Readonly<Partial<Record<RowFunction, NumberOperator>>> = {
  abs: 'absolute',
  min: 'smaller',
  max: 'larger',
  add: 'add',
  subtract: 'subtract',
  multiply: 'multiply',
  divide: 'divide',
};

/**
 * Columns and operations of one screen.
 *
 * Only the newest row of a column counts. Functions of one bar at the top of an expression are
 * therefore computed once a symbol, and columns begin below them: a comparison costs nothing per
 * bar, and different screens share most columns.
 */
export class Lowering {
  readonly fields = new Set<ScreenFieldName>();
  /** Numbers of state for one symbol. */
  stateRows = 0;
  readonly #groups: Group[] = [];
  /** Indicators, by text. */
  readonly #indicators = new Map<string, Column>();
  /** Texts of the counted operations over bars. */
  readonly #counted = new Set<string>();
  readonly #onNew: () => void;
  #symbolOperations = 0;

  /** @param onNew Called after each new operation; may throw to end the work. */
  constructor(onNew: () => void) {
    this.#onNew = onNew;
  }

  /** Distinct operations over bars, and those per symbol. */
  get operationCount(): number {
    return this.#counted.size + this.#symbolOperations;
  }

  bars(): ScreenColumns[] {
    return this.#groups.map(({ interval, columns }) => ({ interval, columns }));
  }

  lower(expression: Expression, interval: DailyInterval = '1d'): SymbolExpression {
    const lower = (part: Expression) => this.lower(part, interval);
    switch (expression.kind) {
      case 'number':
        return { kind: 'number', value: expression.value };
      case 'field':
        this.fields.add(expression.name);
        return { kind: 'field', name: expression.name };
      case 'interval':
        return this.lower(expression.of, expression.interval);
      case 'row':
        return this.#row(expression, interval);
      case 'offset':
        if (expression.bars === 0) return lower(expression.of);
        return this.#column(expression, interval);
      case 'compare':
        return this.#compare(expression.operator, lower(expression.left), lower(expression.right));
      case 'cross': {
        const { direction, left, right } = expression;
        const [now, other] = [left, right].map(lower);
        const [last, lastOther] = [left, right].map((side) => lower(before(side)));
        const up = () => this.#cross(now, other, last, lastOther);
        const down = () => this.#cross(other, now, lastOther, last);
        if (direction === 'either') return this.#operation('or', up(), down());
        return direction === 'above' ? up() : down();
      }
      case 'between': {
        const of = lower(expression.of);
        const isHigh = this.#compare('>=', of, lower(expression.low));
        return this.#operation('and', isHigh, this.#compare('<=', of, lower(expression.high)));
      }
      case 'inNumbers': {
        const of = lower(expression.of);
        const isOne = expression.list.map((value) =>
          this.#operation('equal', of, { kind: 'number', value }),
        );
        return isOne.length === 1 ? isOne[0] : this.#operation('or', ...isOne);
      }
      case 'inTexts': {
        const { name, list } = expression;
        this.fields.add(name);
        return { kind: 'text', name, accepted: list };
      }
      case 'isNull': {
        const { of } = expression;
        if (of.type !== 'text' || of.kind !== 'field') return this.#operation('isNull', lower(of));
        this.fields.add(of.name);
        return this.#operation('isNull', { kind: 'text', name: of.name, accepted: [] });
      }
      case 'not':
        return this.#operation('not', lower(expression.of));
      case 'and':
      case 'or':
        return this.#operation(expression.kind, ...expression.of.map(lower));
      default:
        return this.#column(expression, interval);
    }
  }

  #row(
    expression: Extract<Expression, { kind: 'row' }>,
    interval: DailyInterval,
  ): SymbolExpression {
    const { name, of } = expression;
    // The logarithm of the columns' module may differ from JavaScript's in its last digit.
    if (name === 'log' && !expression.single) return this.#column(expression, interval);
    const operands = of.map((part) => this.lower(part, interval));
    if (name === 'log') return this.#operation('logarithm', ...operands);
    if (name === 'negate') {
      return this.#operation('subtract', { kind: 'number', value: 0 }, ...operands);
    }
    return this.#operation(ROW_OPERATORS[name]!, ...operands);
  }

  #compare(operator: Comparator, a: SymbolExpression, b: SymbolExpression): SymbolExpression {
    switch (operator) {
      case '>':
        return this.#operation('above', a, b);
      case '<':
        return this.#operation('above', b, a);
      case '>=':
        return this.#operation('not', this.#operation('above', b, a));
      case '<=':
        return this.#operation('not', this.#operation('above', a, b));
      case '=':
        return this.#operation('equal', a, b);
      case '!=':
        return this.#operation('not', this.#operation('equal', a, b));
    }
  }

  #cross(
    now: SymbolExpression,
    other: SymbolExpression,
    last: SymbolExpression,
    lastOther: SymbolExpression,
  ): SymbolExpression {
    const wasNot = this.#operation('not', this.#operation('above', last, lastOther));
    return this.#operation('and', this.#operation('above', now, other), wasNot);
  }

  #operation(operator: NumberOperator, ...operands: SymbolExpression[]): SymbolExpression {
    this.#symbolOperations += Math.max(1, operands.length - 1);
    this.#onNew();
    return { kind: 'operation', operator, operands };
  }

  #column(expression: Expression, interval: DailyInterval): SymbolExpression {
    let bars = this.#groups.findIndex((group) => group.interval === interval);
    if (bars < 0) {
      bars = this.#groups.length;
      this.#groups.push({ interval, columns: [], places: new Map() });
    }
    const { columns, places } = this.#groups[bars];
    const column = columnOf(expression, (part, make) => this.#indicator(part, make));
    this.#count(column);
    const name = columnText(column);
    const place = places.get(name) ?? columns.push(column) - 1;
    places.set(name, place);
    return { kind: 'bars', bars, column: place };
  }

  /** Counts the operations of a column that are not equal to one before. */
  #count(column: Column): void {
    if (column.kind !== 'operation') return;
    const { operation } = column;
    const text = operationText(operation);
    if (this.#counted.has(text)) return;
    for (const input of operation.inputs) this.#count(input);
    this.#counted.add(text);
    this.stateRows += operation.stateRows;
    this.#onNew();
  }

  #indicator(expression: Expression, make: () => Column): Column {
    const text = canonicalText(expression);
    let column = this.#indicators.get(text);
    if (column === undefined) {
      column = make();
      // Counts its operations before more are made.
      this.#count(column);
      this.#indicators.set(text, column);
    }
    return column;
  }
}

/** The expression one bar before; a number is the same at each. */
export function before(of: Expression, bars = 1): Expression {
  return of.readsBars ? { ...of, kind: 'offset', of, bars } : of;
}
