/** A screen's conditions and numbers at every day of series: each day as a screen as of it. */

import type { AcrossExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { bar, delay } from '../../compute/columns/column.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ComputedPlan } from '../plan/screen-plan.ts';
import { PastAcross } from './past-across.ts';
import { PastColumns } from './past-columns.ts';
import { type FieldsOfDays, fieldsOfDays } from './past-fields.ts';
import type { StudyMarket } from './study-market.ts';

/** Columns that the fields of a company are computed with. */
const PRICES = { interval: '1d', columns: [bar.close, delay(bar.close, 1)] } as const;

const NO_FIELDS: FieldsOfDays = { number: noField, text: noField };

function noField(): never {
  throw new Error('Assertion failed: the plan reads no field');
}

export class PastPlan {
  readonly #snapshot: Snapshot;
  readonly #daily: StudyMarket;
  readonly #columns: PastColumns;
  readonly #hasFields: boolean;
  readonly #compared: readonly AcrossExpression[];
  #across: PastAcross | undefined;

  constructor(snapshot: Snapshot, daily: StudyMarket, plan: ComputedPlan) {
    this.#snapshot = snapshot;
    this.#daily = daily;
    this.#hasFields = plan.fields.length > 0;
    this.#compared = plan.across;
    this.#columns = new PastColumns(daily, this.#hasFields ? [...plan.bars, PRICES] : plan.bars);
  }

  /**
   * Compares symbols on some sessions, if the plan does.
   *
   * @param sessionsOf Gives the sessions whose values are needed.
   * @throws {ParameterError} It takes too much memory.
   */
  *prepare(sessionsOf: () => Iterable<number>): Generator<undefined> {
    if (this.#compared.length === 0) return;
    this.#across = new PastAcross(this.#daily, this.#compared, new Set(sessionsOf()));
    yield* this.#across.fill((numbers) => this.of(numbers));
  }

  /**
   * @param numbers Symbols with bars, at most `LANES`.
   * @returns By symbol, what its expressions are evaluated over: a row is a day.
   */
  of(numbers: Int32Array): SymbolValues[] {
    const values = this.#columns.of(numbers);
    return Array.from(numbers, (number, i) => ({
      count: this.#daily.series.ends[number],
      bars: values[i],
      across: (expression) => this.#across!.valuesOf(expression, number),
      ...(this.#hasFields ? this.#fields(number, values[i].at(-1)!) : NO_FIELDS),
    }));
  }

  #fields(number: number, [close, before]: readonly Float64Array[]): FieldsOfDays {
    const days = this.#daily.days.daysOf(number);
    const info = this.#daily.infos[number]!;
    return fieldsOfDays(this.#snapshot, { info, days, close, before });
  }
}
