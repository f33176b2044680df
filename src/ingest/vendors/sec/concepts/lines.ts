/** Lines of a statement by concept. Pure. */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import { conceptsOf, type LineRule } from './line-concepts.ts';
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

interface StatedLine {
  value: number;
  /** Concepts that the amount is. */
  basis: string;
}

/** Returns a line's amount; undefined if it is not given, or may be too small. */
export function statedLine(lines: Lines, rule: LineRule): StatedLine | undefined {
  const { totals = [], sum = [], lines: names = [], beside = [] } = rule;
  if (beside.some((name) => lines[name])) return undefined;
  const given = totals.filter((name) => lines[name] !== undefined);
  const sizeOf = (name: string) => Math.abs(lines[name]!);
  const [total] = rule.isGreatest ? given.sort((a, b) => sizeOf(b) - sizeOf(a)) : given;
  if (total === undefined) return addedParts(lines, sum) ?? onlyLine(lines, names);
  const value = lines[total]!;
  // A line that is less than one of its parts is another part.
  const isPart = amountsOf(lines, sum.flat()).some((part) => Math.abs(part) > Math.abs(value));
  const others = rule.isAlsoLine ? amountsOf(lines, names) : [];
  const isSum = [decimalSum(others), ...others].some((amount) => amount === value);
  return isPart || (others.length > 0 && !isSum) ? undefined : { value, basis: total };
}

/** Returns the reason why a line is open though a filing gives concepts of it. */
export function openReason(lines: Lines, rule: LineRule): string | undefined {
  const given = conceptsOf(rule).filter((name) => lines[name] !== undefined);
  if (given.length === 0 || statedLine(lines, rule)) return undefined;
  const names = given.map((concept) => concept.slice(concept.indexOf(':') + 1)).join(', ');
  return given.length === 1 ? `${names} may be a part of it` : `some may be parts: ${names}`;
}

/** Adds parts. Two amounts for one part are two lines, of which others may be missing. */
function addedParts(lines: Lines, sum: readonly (readonly string[])[]): StatedLine | undefined {
  const parts = sum.map((concepts) => concepts.filter((name) => lines[name] !== undefined));
  const isWhole = parts.every((given) => new Set(amountsOf(lines, given)).size === 1);
  if (parts.length === 0 || !isWhole) return undefined;
  const names = parts.map(([name]) => name);
  const value = decimalSum(names.map((name) => lines[name]!));
  return { value, basis: names.join('+') };
}

/**
 * Returns the only line. Of several lines, one may be the total of the others; otherwise some may
 * be parts of others, so the amount is unknown.
 */
function onlyLine(lines: Lines, names: readonly string[]): StatedLine | undefined {
  const given = names.filter((name) => lines[name]);
  const amounts = new Set(amountsOf(lines, given));
  const all = [...amounts].reduce((whole, amount) => whole + amount, 0);
  const whole = [...amounts].find((amount) => amounts.size === 1 || all - amount === amount);
  if (whole !== undefined) return { value: whole, basis: given.join() };
  const isNothing = names.some((name) => lines[name] === 0) && given.length === 0;
  return isNothing ? { value: 0, basis: names[0] } : undefined;
}
