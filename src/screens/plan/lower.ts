/** Divides expressions into columns over bars, and operations on one value a symbol. */

import type { ScreenFieldName } from '../../base/fields.ts';
import type { AcrossExpression, SymbolExpression } from '../../base/symbol-expression.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../../compute/columns/column.ts';
import { columnText, operationText } from '../../compute/columns/column-text.ts';
import { canonicalText } from '../language/canonical.ts';
import type { Expression } from '../language/expression.ts';
import { operationOf, type Term } from '../language/operations.ts';
import type { Comparator } from '../language/syntax-tree.ts';
import { columnOf } from './column-of.ts';
import type { ScreenColumns } from './screen-plan.ts';

/** Columns of one interval, and their places by name. */
interface Group {
  interval: DailyInterval;
  columns: Column[];
  places: Map<string, number>;
}

/**
 * Columns and operations of one screen.
 *
 * Only the newest row of a column counts. Functions of one bar at the top of an expression are
 * therefore computed once a symbol, and columns begin below them: a comparison costs nothing per
 * bar, and different screens share most columns.
 */
export class Lowering {
  readonly fields = new Set<ScreenFieldName>();
  /** By normal form, comparisons across symbols, those inside of others first. */
  readonly across = new Map<string, AcrossExpression>();
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

  lower(expression: Expression): SymbolExpression {
    return this.#lower(expression, '1d', new Map());
  }

  /** @param known What terms have become: an operand may stand in several operations. */
  #lower(
    term: Term,
    interval: DailyInterval,
    known: Map<Term, SymbolExpression>,
  ): SymbolExpression {
    const made = known.get(term) ?? this.#make(term, interval, known);
    known.set(term, made);
    return made;
  }

  #make(term: Term, interval: DailyInterval, known: Map<Term, SymbolExpression>): SymbolExpression {
    switch (term.kind) {
      case 'number':
        return { kind: 'number', value: term.value };
      case 'field': {
        const { name, type } = term;
        this.fields.add(name);
        // Only a test for null reads a text as a value.
        return type === 'text' ? { kind: 'text', name, accepted: [] } : { kind: 'field', name };
      }
      case 'inTexts':
        this.fields.add(term.name);
        return { kind: 'text', name: term.name, accepted: term.list };
      case 'interval':
        return this.#lower(term.of, term.interval, known);
      case 'across':
        return this.#across(term, interval, known);
      case 'offset':
        if (term.bars === 0) return this.#lower(term.of, interval, known);
        return this.#column(term, interval);
    }
    const range = rangeOf(term);
    if (range) {
      this.fields.add(range.name as ScreenFieldName);
      this.#symbolOperations++;
      this.#onNew();
      return range;
    }
    const operation = term.kind === 'operation' ? term : operationOf(term);
    if (!operation) return this.#column(term as Expression, interval);
    const operands = operation.operands.map((part) => this.#lower(part, interval, known));
    this.#symbolOperations += Math.max(1, operands.length - 1);
    this.#onNew();
    return { kind: 'operation', operator: operation.operator, operands };
  }

  #across(
    expression: Extract<Expression, { kind: 'across' }>,
    interval: DailyInterval,
    known: Map<Term, SymbolExpression>,
  ): AcrossExpression {
    const text = canonicalText(expression);
    const before = this.across.get(text);
    if (before) return before;
    const { name, of, by, among } = expression;
    const made: AcrossExpression = {
      ...{ kind: 'across', name, by },
      of: this.#lower(of, interval, known),
      among: among && this.#lower(among, interval, known),
    };
    if (by) this.fields.add(by);
    this.across.set(text, made);
    this.#symbolOperations++;
    this.#onNew();
    return made;
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
    if (column.kind === 'input' && column.made?.kind === 'symbol') this.#count(column.made.column);
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

type Range = Extract<SymbolExpression, { kind: 'range' }>;

/** Returns the range that a comparison of a field with a number is, as a filter says it. */
function rangeOf(term: Term): Range | undefined {
  if (term.kind === 'between') {
    const { of, low, high } = term;
    const isRange = of.kind === 'field' && low.kind === 'number' && high.kind === 'number';
    return isRange ? { kind: 'range', name: of.name, min: low.value, max: high.value } : undefined;
  }
  if (term.kind !== 'compare') return undefined;
  const { left, operator, right } = term;
  if (left.kind === 'number' && right.kind === 'field') {
    return rangeOf({ ...term, left: right, operator: MIRRORED[operator], right: left });
  }
  if (left.kind !== 'field' || right.kind !== 'number') return undefined;
  const bounds = boundsOf(operator, right.value);
  return bounds && { kind: 'range', name: left.name, min: bounds[0], max: bounds[1] };
}

const MIRRORED = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', '=': '=', '!=': '!=' } as const;

function boundsOf(operator: Comparator, value: number): [min: number, max: number] | undefined {
  switch (operator) {
    case '>':
      return [beyond(value, 1n), Number.POSITIVE_INFINITY];
    case '>=':
      return [value, Number.POSITIVE_INFINITY];
    case '<':
      return [Number.NEGATIVE_INFINITY, beyond(value, -1n)];
    case '<=':
      return [Number.NEGATIVE_INFINITY, value];
    case '=':
      return [value, value];
    case '!=':
      return undefined;
  }
}

/** Returns the number next to a finite one, above or below it. */
function beyond(value: number, step: 1n | -1n): number {
  if (value === 0) return step === 1n ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const double = Float64Array.of(value);
  const bits = new BigInt64Array(double.buffer);
  bits[0] += value > 0 ? step : -step;
  return double[0];
}
