/** Compares prices with the column of traded prices beside them. Pure. */

import type { Basis } from '../../../base/bars.ts';
import { numberFromCell } from './cells.ts';

export interface PairColumns {
  date?: number;
  close?: number;
  dividend?: number;
  /** Closes as traded. */
  unadjusted: number;
}

export type PairFact = { basis: Basis; fact: string };

/** Rounding of two prices with two decimals. */
const NOISE = 0.002;

/**
 * Tells how closes differ from the traded ones of the same rows: not at all; by a ratio that
 * changes with a dividend; or by one that does not.
 * @returns undefined if the ratio is the same on all rows and no split's, so that nothing tells.
 */
export function unadjustedPair(
  { rows }: { rows: readonly string[][] },
  { date, close, dividend, unadjusted }: PairColumns,
  isNewestFirst: boolean,
): PairFact | undefined {
  let before: number | undefined;
  let split: string | undefined;
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const ratio = (numberFromCell(row[close!]) ?? 0) / (numberFromCell(row[unadjusted]) ?? 0);
    if (!(ratio > 0) || !Number.isFinite(ratio)) continue;
    const paid = dividend === undefined ? 0 : (numberFromCell(row[dividend]) ?? 0);
    const changes = before !== undefined && Math.abs(ratio / before - 1) > NOISE;
    if (paid > 0 && before !== undefined && paid / numberFromCell(row[unadjusted])! > NOISE) {
      const fact = `its close ${changes ? 'is' : 'is not'} adjusted for the dividend of ${row[date!]}`;
      return { basis: changes ? 'all' : 'split', fact };
    }
    if (changes) split ??= `its close leaves the traded one on ${row[date!]}, without a dividend`;
    before = ratio;
  }
  if (split !== undefined) return { basis: 'split', fact: split };
  if (before === undefined || !isOfSplit(before)) return undefined;
  return { basis: 'split', fact: `its close is ${Number(before.toFixed(4))} times the traded one` };
}

/** True for 1, and for whole numbers and their inverses. */
function isOfSplit(ratio: number): boolean {
  const terms = Math.max(ratio, 1 / ratio);
  return Math.abs(terms / Math.round(terms) - 1) <= NOISE;
}
