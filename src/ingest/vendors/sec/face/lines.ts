/** Lines of a statement as the filing shows them, with their amounts of one day or period. Pure. */

import type { FaceLine, FactFiling } from '../concepts/parse-companyfacts.ts';

export interface ShownLine {
  concept: string;
  label: string;
  /** Amount as tagged. */
  value: number;
  /** Amount with the sign that the statement shows. */
  shown: number;
}

/** A day, or a period with its first day. */
export interface FaceSpan {
  startDay: number | undefined;
  endDay: number;
}

/**
 * Selects the lines with an amount, of the table that has most of them: a filing repeats its
 * statements for its subsidiaries, and in columns by segment.
 */
export function shownLines(
  { facts, face = [] }: FactFiling,
  statement: FaceLine['statement'],
  { startDay, endDay }: FaceSpan,
  currency: string,
): ShownLine[] {
  const values = new Map<string, number>();
  for (const fact of facts) {
    if (fact.startDay !== startDay || fact.endDay !== endDay || fact.unit !== currency) continue;
    if (!values.has(fact.concept)) values.set(fact.concept, fact.value);
  }
  const tables = Map.groupBy(
    face.filter((line) => line.statement === statement && values.has(line.concept)),
    ({ report }) => report,
  );
  const [most = []] = [...tables.values()].sort((a, b) => b.length - a.length);
  return most.map(({ concept, label, isNegated }) => {
    const value = values.get(concept)!;
    return { concept, label, value, shown: isNegated ? -value : value };
  });
}

export const nameOf = ({ concept }: Pick<ShownLine, 'concept'>): string =>
  concept.slice(concept.indexOf(':') + 1);

export const isOwn = ({ concept }: Pick<ShownLine, 'concept'>): boolean =>
  concept.startsWith('own:');

export const among = (concepts: readonly string[], { concept }: Pick<ShownLine, 'concept'>) =>
  concepts.includes(concept);

/** Amounts of lines by concept, for the rules of company facts. */
export function amountsOf(lines: readonly ShownLine[]): Record<string, number> {
  return Object.fromEntries(lines.toReversed().map(({ concept, value }) => [concept, value]));
}
