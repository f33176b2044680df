/** Lines of a statement by concept. Pure. */

import type { ConceptTable } from './pick-figures.ts';

/** Amounts of one day or period by concept. */
export type Lines = Readonly<Record<string, number | undefined>>;

/** Makes each concept of some tables a figure of its own. */
export function lineTable(tables: readonly ConceptTable<string>[]): Record<string, [string]> {
  const concepts = tables.flatMap((table) => Object.values(table).flat());
  return Object.fromEntries(concepts.map((concept) => [concept, [concept]]));
}

/** Returns the amounts of the given concepts that are there, in their order. */
export function amountsOf(lines: Lines, concepts: readonly string[]): number[] {
  return concepts.flatMap((concept) => lines[concept] ?? []);
}

export function firstAmount(lines: Lines, concepts: readonly string[]): number | undefined {
  return amountsOf(lines, concepts)[0];
}

/** Returns the first amount of each list of a table. */
export function firstAmounts<F extends string>(
  lines: Lines,
  table: ConceptTable<F>,
): Partial<Record<F, number>> {
  const names = Object.keys(table) as F[];
  const entries = names.map((name) => [name, firstAmount(lines, table[name])] as const);
  return Object.fromEntries(entries) as Partial<Record<F, number>>;
}
