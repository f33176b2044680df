/** Keeps the figures of quarters that filings state. Differences never replace them. Pure. */

import type { QuarterRest } from './quarter-rests.ts';
import type { Figures, StatementField, StatementReport } from './statement-spans.ts';

type Stated<F extends string> = Partial<Record<F, number>>;

export class StatedQuarters<F extends string = StatementField> {
  readonly #flows: readonly F[];
  readonly #proving: readonly F[];
  readonly #stated = new Map<string, Stated<F>>();

  /** @param proving Flows that prove a difference wrong if they contradict it. */
  constructor(flows: readonly F[], proving: readonly F[] = flows) {
    this.#flows = flows;
    this.#proving = proving;
  }

  /** Keeps the quarters of a report. @returns them by their last day. */
  add({ currency, spans }: StatementReport<F>): Map<number, Figures<F>> {
    const quarters = new Map<number, Figures<F>>();
    for (const { endDay, length, figures } of spans) {
      if (length !== 'quarter') continue;
      quarters.set(endDay, figures);
      const key = `${currency}|${endDay}`;
      const stated: Stated<F> = this.#stated.get(key) ?? {};
      for (const field of this.#flows) stated[field] = figures[field] ?? stated[field];
      this.#stated.set(key, stated);
    }
    return quarters;
  }

  /**
   * Selects the figures of a difference that no filing states. A figure known from an earlier
   * difference changes only if it was restated since.
   * @returns undefined if there are none, or if the difference contradicts a stated figure.
   */
  unstated(
    currency: string,
    { endDay, figures, restated }: QuarterRest<F>,
    known: Figures<F> | undefined,
  ): Stated<F> | undefined {
    const stated: Stated<F> = this.#stated.get(`${currency}|${endDay}`) ?? {};
    if (!this.#proving.every((field) => agrees(field, figures[field], stated[field]))) {
      return undefined;
    }
    const fields = this.#flows.filter((field) => {
      const isKnown = stated[field] !== undefined || (known?.[field] ?? null) !== null;
      return (
        figures[field] !== undefined &&
        (!isKnown || (stated[field] === undefined && restated.has(field)))
      );
    });
    if (fields.length === 0) return undefined;
    return Object.fromEntries(fields.map((field) => [field, figures[field]])) as Stated<F>;
  }
}

/** Largest gap by rounding between stated figures and differences, as a share of the greater. */
const ROUNDED_SHARE = 0.01;

function agrees(field: string, worked: number | undefined, own: number | undefined): boolean {
  if (field === 'dividendsPerShare' || worked === undefined || own === undefined) return true;
  const most = Math.max(Math.abs(worked), Math.abs(own));
  return Math.abs(worked - own) <= ROUNDED_SHARE * most;
}
