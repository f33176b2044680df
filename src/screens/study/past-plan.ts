/** A screen's conditions and numbers at every day of series: each day as a screen as of it. */

import type { AcrossExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { bar, delay } from '../../compute/columns/column.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ComputedPlan } from '../plan/screen-plan.ts';
import { PastAcross } from './past-across.ts';
import { PastColumns, type PastValues } from './past-columns.ts';
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
   * @param free       Tables that nobody uses any more.
   * @throws {ParameterError} It takes too much memory.
   */
  *prepare(sessionsOf: () => Iterable<number>, free: Float64Array[]): Generator<undefined> {
    if (this.#compared.length === 0) return;
    const sessions = new Set(sessionsOf());
    this.#across = new PastAcross(this.#daily, this.#compared, sessions, free);
    yield* this.#across.fill((numbers) => this.of(numbers));
  }

  /** Bytes of the comparisons. */
  get bytes(): number {
    return this.#across?.bytes ?? 0;
  }

  /** Gives the memory of the comparisons back. */
  release(): void {
    this.#across?.release();
  }

  /**
   * @param numbers Symbols with bars, at most `LANES`.
   * @returns By symbol, what its expressions are evaluated over: a row is a day. Columns are computed
   *   if they are read: comparisons stand for those in them.
   */
  of(numbers: Int32Array): SymbolValues[] {
    let columns: PastValues[] | undefined;
    const columnsOf = (i: number) => {
      columns ??= this.#columns.of(numbers);
      return columns[i];
    };
    return Array.from(numbers, (number, i) => ({
      count: this.#daily.series.ends[number],
      get bars() {
        return columnsOf(i);
      },
      across: (expression) => this.#across!.valuesOf(expression, number),
      ...(this.#hasFields ? this.#fields(number, columnsOf(i).at(-1)!) : NO_FIELDS),
    }));
  }

  #fields(number: number, [close, before]: readonly Float64Array[]): FieldsOfDays {
    const days = this.#daily.days.daysOf(number);
    const info = this.#daily.infos[number]!;
    return fieldsOfDays(this.#snapshot, { info, days, close, before });
  }
}
