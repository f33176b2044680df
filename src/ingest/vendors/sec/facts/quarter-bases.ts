/** Marks figures of quarters that are of another definition than those of the quarter before. Pure. */

import type { Evidence } from '../../../../base/datasets/evidence.ts';
import type { Candidate } from '../concepts/sales.ts';
import type { QuarterRest } from './quarter-rests.ts';
import { SPAN_DAYS } from './statement-spans.ts';
import type { ToldSpans } from './told-spans.ts';

type Bases<F extends string> = Partial<Record<F, string>>;

export class QuarterBases<F extends string> {
  readonly #told: ToldSpans<F>;
  /** By currency and last day. */
  readonly #bases = new Map<string, Bases<F>>();

  constructor(told: ToldSpans<F>) {
    this.#told = told;
  }

  /** Adds the bases of the figures that a quarter states. */
  add(
    currency: string,
    endDay: number,
    candidates: Partial<Record<F, readonly Candidate[]>>,
  ): void {
    const bases = this.#of(currency, endDay);
    for (const field of this.#told.flows) {
      const basis = candidates[field]?.[0]?.basis;
      if (basis !== undefined) bases[field] = basis;
    }
  }

  /** Adds the bases of the figures that fill a quarter as differences. */
  addRest(currency: string, { endDay, bases }: QuarterRest<F>, fill: object): void {
    const own = this.#of(currency, endDay);
    for (const field of Object.keys(fill) as F[]) own[field] = bases[field] ?? own[field];
  }

  /** Marks the evidence of a quarter's figures that are known to differ from those before. */
  marked(currency: string, endDay: number, evidence: Evidence = {}): Evidence {
    const own = this.#of(currency, endDay);
    const before = this.#before(currency, endDay);
    if (!before) return evidence;
    const apart = (Object.keys(own) as F[]).filter((field) => {
      const basis = before[field];
      return basis !== undefined && this.#told.differs(field, own[field]!, basis);
    });
    const marks = apart.map((field) => {
      return [field, { verdict: 'stated', ...evidence[field], isApart: true }] as const;
    });
    return { ...evidence, ...Object.fromEntries(marks) };
  }

  #before(currency: string, endDay: number): Bases<F> | undefined {
    const [least, most] = SPAN_DAYS.quarter;
    for (let day = endDay - least; day >= endDay - most; day--) {
      const bases = this.#bases.get(`${currency}|${day}`);
      if (bases) return bases;
    }
    return undefined;
  }

  #of(currency: string, endDay: number): Bases<F> {
    const key = `${currency}|${endDay}`;
    const bases = this.#bases.get(key) ?? {};
    this.#bases.set(key, bases);
    return bases;
  }
}
