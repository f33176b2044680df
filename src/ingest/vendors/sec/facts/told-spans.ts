/** Figures that filings gave for each period, to decide which share a basis. Pure. */

import {
  FLOWS,
  type FlowField,
  type Span,
  type SpanLength,
  type StatementReport,
} from './statement-spans.ts';

/** A figure as filings gave it. Filings are numbered in their order. */
export interface Telling {
  value: number;
  /** The first and the last filing that gave this value. */
  firstFiling: number;
  lastFiling: number;
  /** True if the value differs from the one that was given first. */
  isRestated: boolean;
  /** True if only filings about a later period gave it, for comparison. */
  isBeside: boolean;
}

export interface ToldSpan {
  startDay: number;
  endDay: number;
  length: SpanLength;
  /** The last filing with a figure of the period. */
  lastFiling: number;
  tellings: Partial<Record<FlowField, Telling & { firstValue: number }>>;
}

/** Periods by currency. A restatement in another currency starts another history. */
export class ToldSpans {
  readonly #spans = new Map<string, Map<string, ToldSpan>>();
  #filing = 0;

  get filing(): number {
    return this.#filing;
  }

  add({ currency, spans, newestEndDay }: StatementReport): void {
    this.#filing++;
    const told = this.#spans.get(currency) ?? new Map<string, ToldSpan>();
    this.#spans.set(currency, told);
    for (const span of spans) this.#addSpan(told, span, span.endDay !== newestEndDay);
  }

  #addSpan(told: Map<string, ToldSpan>, span: Span, isBeside: boolean): void {
    const { startDay, endDay, length, figures } = span;
    const key = `${startDay}|${endDay}`;
    const known = told.get(key) ?? { startDay, endDay, length, lastFiling: 0, tellings: {} };
    known.lastFiling = this.#filing;
    told.set(key, known);
    for (const field of FLOWS) {
      const value = figures[field];
      if (value === null) continue;
      const before = known.tellings[field];
      const isRepeated = before !== undefined && isSameButRounded(before.value, value);
      const firstValue = before?.firstValue ?? value;
      known.tellings[field] = {
        value,
        firstValue,
        firstFiling: isRepeated ? before.firstFiling : this.#filing,
        lastFiling: this.#filing,
        isRestated: !isSameButRounded(firstValue, value),
        isBeside: isBeside && (before?.isBeside ?? true),
      };
    }
  }

  in(currency: string): ToldSpan[] {
    return [...(this.#spans.get(currency)?.values() ?? [])];
  }
}

const ROUNDING_UNITS = [1e3, 1e5, 1e6, 1e8];

/** Returns true if two values are equal, or one is the other in thousands or millions. */
function isSameButRounded(a: number, b: number): boolean {
  if (a === b) return true;
  return ROUNDING_UNITS.some((unit) => {
    const [whole, other] = a % unit === 0 ? [a, b] : [b, a];
    return whole % unit === 0 && Math.abs(other - whole) <= unit / 2;
  });
}
