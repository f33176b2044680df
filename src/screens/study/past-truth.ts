/**
 * Rows on which all conditions of plans are true, a bit for each. Conditions over daily bars alone
 * are columns, and what several plans have is computed once.
 */

import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { evaluator } from '../plan/evaluate.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { PastColumns } from './past-columns.ts';
import { PastPlan } from './past-plan.ts';
import { changeBits } from './signal-rows.ts';
import type { StudyMarket } from './study-market.ts';
import { type ColumnParts, type OtherParts, truthParts } from './truth-parts.ts';

/** By symbol and condition, bits of its rows. */
export type Truths = readonly (readonly Uint32Array[])[];

export class PastTruth {
  /** By plan, numbers of its conditions. */
  readonly conditions: readonly (readonly number[])[];
  readonly #columns: (ColumnParts & { past: PastColumns })[];
  readonly #others: (OtherParts & { past: PastPlan })[];

  constructor(snapshot: Snapshot, market: StudyMarket, plans: readonly ScreenPlan[]) {
    const { columns, others } = truthParts(plans);
    const conditions = plans.map((): number[] => []);
    for (const [number, of] of [...columns, ...others].flatMap((part) => part.plans).entries()) {
      for (const plan of of) conditions[plan].push(number);
    }
    this.conditions = conditions;
    this.#columns = columns.map((part) => ({
      ...part,
      past: new PastColumns(market, [{ interval: '1d', columns: part.columns }]),
    }));
    this.#others = others.map((part) => ({
      ...part,
      past: new PastPlan(snapshot, market, part.plan),
    }));
  }

  /** Prepares comparisons across symbols, as `PastPlan` does. */
  *prepare(sessionsOf: () => Iterable<number>, free: Float64Array[]): Generator<undefined> {
    for (const { past } of this.#others) yield* past.prepare(sessionsOf, free);
  }

  /** Bytes of the comparisons. */
  get bytes(): number {
    return this.#others.reduce((sum, { past }) => sum + past.bytes, 0);
  }

  /** Gives the memory of the comparisons back. */
  release(): void {
    for (const { past } of this.#others) past.release();
  }

  /** @param numbers Symbols with bars, at most `LANES`. */
  *of(numbers: Int32Array): Generator<undefined, Truths> {
    const truths = Array.from(numbers, (): Uint32Array[] => []);
    for (const { past } of this.#columns) {
      for (const byLane of past.truthsOf(numbers)) {
        for (const [lane, bits] of byLane.entries()) truths[lane].push(bits);
      }
      yield;
    }
    for (const { past, expressions } of this.#others) {
      for (const [lane, values] of past.of(numbers).entries()) {
        const evaluate = evaluator(values);
        for (const expression of expressions) {
          const bits = new Uint32Array((values.count + 31) >>> 5);
          changeBits(bits, evaluate(expression), 0, values.count);
          truths[lane].push(bits);
        }
      }
      yield;
    }
    return truths;
  }
}
