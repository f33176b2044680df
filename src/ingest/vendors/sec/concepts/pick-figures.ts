/** Picks named figures from the facts of one filing, by the lists of concepts. Pure. */

import type { Fact } from './parse-companyfacts.ts';

export type ConceptTable<F extends string> = Readonly<Record<F, readonly string[]>>;

export interface FigureSet<F extends string> {
  startDay: number | undefined;
  endDay: number;
  figures: Partial<Record<F, number>>;
  /** Concept of each figure. */
  concepts: Partial<Record<F, string>>;
}

interface Rule<F extends string> {
  field: F;
  /** Position in the field's list. A lower rank is a better match. */
  rank: number;
}

/** Fields that each concept may fill. */
export type FigureRules<F extends string> = ReadonlyMap<string, readonly Rule<F>[]>;

export function figureRules<F extends string>(table: ConceptTable<F>): FigureRules<F> {
  const rules = new Map<string, Rule<F>[]>();
  for (const [field, concepts] of Object.entries<readonly string[]>(table)) {
    concepts.forEach((concept, rank) => {
      const rule = { field: field as F, rank };
      rules.set(concept, [...(rules.get(concept) ?? []), rule]);
    });
  }
  return rules;
}

const CURRENCY = /^[A-Z]{3}$/;

/**
 * Finds the currency of most amounts in a filing; others are translations for readers.
 * @returns undefined without amounts. A tie goes to USD, else to the first in the alphabet.
 */
export function reportingCurrency(facts: readonly Fact[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { unit } of facts) {
    if (CURRENCY.test(unit)) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const order = (unit: string) => (unit === 'USD' ? '' : unit);
  const [best] = [...counts].sort(
    ([a, x], [b, y]) => y - x || (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0),
  );
  return best?.[0];
}

/**
 * Picks the best figure of each field and period. Of two facts with one concept and period the
 * first counts, because they are the same fact.
 */
export function pickFigures<F extends string>(
  facts: readonly Fact[],
  rules: FigureRules<F>,
  currency: string,
): FigureSet<F>[] {
  const sets = new Map<string, FigureSet<F> & { ranks: Partial<Record<F, number>> }>();
  for (const { concept, unit, startDay, endDay, value } of facts) {
    const wanted = rules.get(concept);
    if (!wanted || !isUnitOf(unit, currency)) continue;
    const place = `${startDay}|${endDay}`;
    let set = sets.get(place);
    if (!set) {
      set = { startDay, endDay, figures: {}, concepts: {}, ranks: {} };
      sets.set(place, set);
    }
    for (const { field, rank } of wanted) {
      if (rank >= (set.ranks[field] ?? Number.POSITIVE_INFINITY)) continue;
      set.ranks[field] = rank;
      set.figures[field] = value;
      set.concepts[field] = concept;
    }
  }
  return [...sets.values()];
}

function isUnitOf(unit: string, currency: string): boolean {
  return unit === currency || unit === 'shares' || unit === `${currency}/shares`;
}
