/** Keeps the figures of quarters that filings state. Differences never replace them. Pure. */

import type { QuarterRest } from './quarter-rests.ts';
import {
  FLOWS,
  type FlowField,
  MEANS,
  type StatementFigures,
  type StatementReport,
} from './statement-spans.ts';

type Stated = Partial<Record<FlowField, number>>;

export const NO_FIGURES = Object.fromEntries(
  [...FLOWS, ...MEANS].map((field) => [field, null]),
) as StatementFigures;

export class StatedQuarters {
  readonly #stated = new Map<string, Stated>();

  /** Keeps the quarters of a report. @returns them by their last day. */
  add({ currency, spans }: StatementReport): Map<number, StatementFigures> {
    const quarters = new Map<number, StatementFigures>();
    for (const { endDay, length, figures } of spans) {
      if (length !== 'quarter') continue;
      quarters.set(endDay, figures);
      const key = `${currency}|${endDay}`;
      const stated = this.#stated.get(key) ?? {};
      for (const field of FLOWS) stated[field] = figures[field] ?? stated[field];
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
    { endDay, figures, restated }: QuarterRest,
    known: StatementFigures | undefined,
  ): Stated | undefined {
    const stated = this.#stated.get(`${currency}|${endDay}`) ?? {};
    if (!agrees(figures, stated)) return undefined;
    const fields = FLOWS.filter((field) => {
      const isKnown = stated[field] !== undefined || (known?.[field] ?? null) !== null;
      return (
        figures[field] !== undefined &&
        (!isKnown || (stated[field] === undefined && restated.has(field)))
      );
    });
    if (fields.length === 0) return undefined;
    return Object.fromEntries(fields.map((field) => [field, figures[field]]));
  }
}

/** Largest gap by rounding between stated figures and differences, as a share of the greater. */
const ROUNDED_SHARE = 0.01;

function agrees(rest: QuarterRest['figures'], stated: Stated): boolean {
  return FLOWS.every((field) => {
    const [worked, own] = [rest[field], stated[field]];
    if (field === 'dividendsPerShare' || worked === undefined || own === undefined) return true;
    const most = Math.max(Math.abs(worked), Math.abs(own));
    return Math.abs(worked - own) <= ROUNDED_SHARE * most;
  });
}
