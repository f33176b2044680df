/** Figures that filings gave for each period, to decide which share a basis. Pure. */

import type { Candidate } from '../concepts/sales.ts';
import type { Span, SpanLength, StatementField, StatementReport } from './statement-spans.ts';

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

export interface ToldSpan<F extends string = StatementField> {
  startDay: number;
  endDay: number;
  length: SpanLength;
  /** The last filing with a figure of the period. */
  lastFiling: number;
  tellings: Partial<Record<F, FieldTellings>>;
  /** Weighted shares, as the last filing with them gave them. */
  shares: Partial<Record<SharesField, number>>;
}

export type SharesField = 'sharesBasic' | 'sharesDiluted';

/** Values of a figure by the concept or sum that each is. */
interface FieldTellings {
  /** Basis of the figure in the last filing with it. */
  basis: string;
  byBasis: Map<string, Telling & { firstValue: number }>;
}

/** A figure has one basis if a table has no other amounts for it. */
const ONLY_BASIS = '';

/** Periods by currency. A restatement in another currency starts another history. */
export class ToldSpans<F extends string = StatementField> {
  /** Figures that grow with the length of the period. */
  readonly flows: readonly F[];
  readonly #spans = new Map<string, Map<string, ToldSpan<F>>>();
  /** Pairs of bases that had different values for one period. */
  readonly #differing = new Set<string>();
  /** Figures of which a filing restates an earlier period, as for a business that was sold. */
  readonly #recast = new Set<string>();
  #filing = 0;

  constructor(flows: readonly F[]) {
    this.flows = flows;
  }

  get filing(): number {
    return this.#filing;
  }

  add({ currency, spans, newestEndDay }: StatementReport<F>): void {
    this.#filing++;
    const told = this.#spans.get(currency) ?? new Map<string, ToldSpan<F>>();
    this.#spans.set(currency, told);
    for (const span of spans) this.#addSpan(told, span, span.endDay !== newestEndDay);
  }

  #addSpan(told: Map<string, ToldSpan<F>>, span: Span<F>, isBeside: boolean): void {
    const { startDay, endDay, length, figures, candidates } = span;
    const key = `${startDay}|${endDay}`;
    const place = { startDay, endDay, length, lastFiling: 0 };
    const known: ToldSpan<F> = told.get(key) ?? { ...place, tellings: {}, shares: {} };
    known.lastFiling = this.#filing;
    told.set(key, known);
    for (const field of ['sharesBasic', 'sharesDiluted'] as const) {
      const counts: Partial<Record<string, number | null>> = figures;
      known.shares[field] = counts[field] ?? known.shares[field];
    }
    for (const field of this.flows) {
      const value = figures[field];
      if (value === null) continue;
      const given = candidates[field];
      const amounts = given?.length ? given : [{ basis: ONLY_BASIS, value }];
      const tellings = known.tellings[field] ?? { basis: '', byBasis: new Map() };
      this.#addDiffering(field, amounts);
      this.#renameBasis(field, tellings, amounts[0].basis);
      known.tellings[field] = tellings;
      for (const amount of amounts) {
        if (amount.isPart) continue;
        const before = tellings.byBasis.get(amount.basis);
        if (isBeside && before && isFar(before.value, amount.value)) {
          this.#recast.add(`${field}|${this.#filing}`);
        }
        this.#addAmount(tellings, amount, isBeside);
      }
    }
  }

  /** Sets the basis of the newest value. Without a known difference, it is that of the one before. */
  #renameBasis(field: F, tellings: FieldTellings, basis: string): void {
    const before = tellings.byBasis.get(tellings.basis);
    const isNew = !tellings.byBasis.has(basis) && !this.differs(field, basis, tellings.basis);
    if (before && isNew) tellings.byBasis.set(basis, before);
    tellings.basis = basis;
  }

  #addAmount({ byBasis }: FieldTellings, { basis, value }: Candidate, isBeside: boolean): void {
    const before = byBasis.get(basis);
    const isRepeated = before !== undefined && isSameButRounded(before.value, value);
    const firstValue = before?.firstValue ?? value;
    byBasis.set(basis, {
      value,
      firstValue,
      firstFiling: isRepeated ? before.firstFiling : this.#filing,
      lastFiling: this.#filing,
      isRestated: !isSameButRounded(firstValue, value),
      isBeside: isBeside && (before?.isBeside ?? true),
    });
  }

  #addDiffering(field: F, amounts: readonly Candidate[]): void {
    for (const a of amounts) {
      for (const b of amounts) {
        if (isSameButRounded(a.value, b.value)) continue;
        this.#differing.add(`${field}|${a.basis}|${b.basis}`);
      }
    }
  }

  /**
   * Returns a figure of a period on a basis, or on another one that no period shows to differ.
   */
  on(basis: string, field: F, { tellings }: ToldSpan<F>): Telling | undefined {
    const told = tellings[field];
    if (!told) return undefined;
    const same = told.byBasis.get(basis);
    const newest = told.byBasis.get(told.basis)!;
    if (this.differs(field, basis, told.basis)) return same;
    return same && same.lastFiling >= newest.lastFiling ? same : newest;
  }

  /** Returns true if a filing restates a figure of an earlier period. */
  isRecast(field: F, filing: number): boolean {
    return this.#recast.has(`${field}|${filing}`);
  }

  /** Returns true if some period had different values on two bases. */
  differs(field: F, basis: string, other: string): boolean {
    return this.#differing.has(`${field}|${basis}|${other}`);
  }

  in(currency: string): ToldSpan<F>[] {
    return [...(this.#spans.get(currency)?.values() ?? [])];
  }
}

/** Least gap, as a share, between a figure and its restatement on another basis. */
const RECAST_SHARE = 0.01;

function isFar(before: number, now: number): boolean {
  return Math.abs(now - before) > RECAST_SHARE * Math.abs(before);
}

const ROUNDING_UNITS = [1e3, 1e5, 1e6, 1e8];

/** Largest gap by rounding, as a share: `1.2 billion` for 1,150 million. */
const ROUNDING_SHARE = 0.05;

/** Returns true if two values are equal, or one is the other in thousands or millions. */
function isSameButRounded(a: number, b: number): boolean {
  if (a === b) return true;
  if (Math.abs(a - b) > ROUNDING_SHARE * Math.abs(a)) return false;
  return ROUNDING_UNITS.some((unit) => {
    const [whole, other] = a % unit === 0 ? [a, b] : [b, a];
    return whole % unit === 0 && Math.abs(other - whole) <= unit / 2;
  });
}
