/** Conditions of several plans as one plan, in which equal parts are one: they are computed once. */

import type { ScreenFieldName } from '../../base/fields.ts';
import type { AcrossExpression, SymbolExpression } from '../../base/symbol-expression.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../../compute/columns/column.ts';
import { columnText } from '../../compute/columns/column-text.ts';
import type { ComputedPlan } from '../plan/screen-plan.ts';

export class MergedPlan implements ComputedPlan {
  readonly bars: { interval: DailyInterval; columns: Column[] }[] = [];
  readonly across: AcrossExpression[] = [];
  readonly #fields = new Set<ScreenFieldName>();
  readonly #places = new Map<string, SymbolExpression>();
  /** Parts by their text, in which other parts are numbers. */
  readonly #parts = new Map<string, SymbolExpression>();
  readonly #numbers = new Map<SymbolExpression, number>();

  get fields(): ScreenFieldName[] {
    return [...this.#fields];
  }

  get columnCount(): number {
    return this.#places.size;
  }

  /** Returns the same expression over this plan. */
  add(expression: SymbolExpression, plan: ComputedPlan): SymbolExpression {
    for (const field of plan.fields) this.#fields.add(field);
    return this.#add(expression, plan, new Map());
  }

  #add(
    part: SymbolExpression,
    plan: ComputedPlan,
    known: Map<SymbolExpression, SymbolExpression>,
  ): SymbolExpression {
    let made = known.get(part);
    if (made === undefined) {
      made = this.#shared(this.#moved(part, (inner) => this.#add(inner, plan, known), plan));
      known.set(part, made);
    }
    return made;
  }

  #moved(
    part: SymbolExpression,
    of: (inner: SymbolExpression) => SymbolExpression,
    { bars }: ComputedPlan,
  ): SymbolExpression {
    if (part.kind === 'operation') return { ...part, operands: part.operands.map(of) };
    if (part.kind === 'across') {
      return { ...part, of: of(part.of), among: part.among && of(part.among) };
    }
    if (part.kind !== 'bars') return part;
    const { interval, columns } = bars[part.bars];
    return this.#column(interval, columns[part.column]);
  }

  #column(interval: DailyInterval, column: Column): SymbolExpression {
    const text = `${interval} ${columnText(column)}`;
    const known = this.#places.get(text);
    if (known) return known;
    let place = this.bars.findIndex((group) => group.interval === interval);
    if (place < 0) place = this.bars.push({ interval, columns: [] }) - 1;
    const at = this.bars[place].columns.push(column) - 1;
    const made: SymbolExpression = { kind: 'bars', bars: place, column: at };
    this.#places.set(text, made);
    return made;
  }

  #shared(part: SymbolExpression): SymbolExpression {
    const text = JSON.stringify(part, (key, value) => {
      if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
      return key === '' ? value : (this.#numbers.get(value) ?? value);
    });
    const known = this.#parts.get(text);
    if (known) return known;
    this.#parts.set(text, part);
    this.#numbers.set(part, this.#numbers.size);
    if (part.kind === 'across') this.across.push(part);
    return part;
  }
}
