/** Compares prices with the column of traded prices beside them. Pure. */

import type { Basis } from '../../../base/bars.ts';
import { numberFromCell } from './cells.ts';

export interface PairColumns {
  date?: number;
  symbol?: number;
  close?: number;
  dividend?: number;
  /** Closes as traded. */
  unadjusted: number;
}

export type PairFact = { basis: Basis; fact: string };

/** Rounding of a ratio, as a multiple of the least digits of its prices. */
const ROUNDING = 1.2;
/** Dividend, as a multiple of the rounding, that shows if a price is adjusted for it. */
const CLEAR = 3;
/**
 * A ratio that rises to a greater part of itself changes with a dividend up to the first number, and
 * with a split from the second on. Stock dividends and special ones lie between.
 */
const DIVIDEND_MAX = 1.04;
const SPLIT_MIN = 1.19;

/**
 * Tells how closes differ from the traded ones of the same rows: not at all; by a ratio that
 * changes with a dividend; or by one that does not.
 * @returns undefined if a change may be either, and if the ratio is the same on all rows and no
 *   split's, so that nothing tells.
 */
export function unadjustedPair(
  { rows }: { rows: readonly string[][] },
  { date, symbol, close, dividend, unadjusted }: PairColumns,
  isNewestFirst: boolean,
): PairFact | undefined {
  const befores = new Map<string, Ratio>();
  const unit = [unitOf(rows, close!), unitOf(rows, unadjusted)] as const;
  const days: Partial<Record<Change, string>> = {};
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const ratio = ratioOf(row[close!], row[unadjusted], unit);
    if (ratio === undefined) continue;
    const name = symbol === undefined ? '' : row[symbol];
    const before = befores.get(name);
    befores.set(name, ratio);
    if (before === undefined) continue;
    const change = changeOf(before, ratio);
    const paid = (dividend === undefined ? 0 : (numberFromCell(row[dividend]) ?? 0)) / ratio.traded;
    if (change !== 'split' && paid > (before.noise + ratio.noise) * CLEAR) {
      const fact = `its close ${change ? 'is' : 'is not'} adjusted for the dividend of ${row[date!]}`;
      return { basis: change ? 'all' : 'split', fact };
    }
    if (change !== undefined) days[change] ??= row[date!];
  }
  return factOf(days, befores);
}

function factOf(
  days: Partial<Record<Change, string>>,
  ratios: ReadonlyMap<string, Ratio>,
): PairFact | undefined {
  if (days.dividend !== undefined) {
    const fact = `its close leaves the traded one by a little on ${days.dividend}, as with a dividend`;
    return { basis: 'all', fact };
  }
  if (days.either !== undefined) return undefined;
  if (days.split !== undefined) {
    const fact = `its close leaves the traded one on ${days.split}, without a dividend`;
    return { basis: 'split', fact };
  }
  const others = ratios.values().filter((ratio) => !isOfSplit(ratio));
  const [first] = ratios.values();
  if (first === undefined || others.next().value !== undefined) return undefined;
  return {
    basis: 'split',
    fact: `its close is ${Number(first.value.toFixed(4))} times the traded one`,
  };
}

/** Adjusted close by the traded one, with its rounding as a part of itself. */
interface Ratio {
  value: number;
  noise: number;
  traded: number;
}

function ratioOf(
  closeText: string,
  tradedText: string,
  [unit, tradedUnit]: readonly [number, number],
): Ratio | undefined {
  const [close = 0, traded = 0] = [numberFromCell(closeText), numberFromCell(tradedText)];
  if (!(close > 0 && traded > 0)) return undefined;
  const noise = ((unit / close + tradedUnit / traded) / 2) * ROUNDING;
  return { value: close / traded, noise, traded };
}

type Change = 'dividend' | 'split' | 'either';

function changeOf(before: Ratio, after: Ratio): Change | undefined {
  const factor = after.value / before.value;
  const noise = before.noise + after.noise;
  if (Math.abs(factor - 1) <= noise) return undefined;
  if (factor < 1 || factor >= SPLIT_MIN) return 'split';
  return factor <= DIVIDEND_MAX ? 'dividend' : 'either';
}

/** Least digit of a column's prices, a cent at most: writers leave zeros out. */
function unitOf(rows: readonly string[][], at: number): number {
  const digits = rows.map((row) => row[at]?.split('.')[1]?.length ?? 0);
  return 10 ** -digits.reduce((most, count) => Math.max(most, count), 2);
}

/** True for 1, and for whole numbers and their inverses. */
function isOfSplit({ value, noise }: Ratio): boolean {
  const terms = Math.max(value, 1 / value);
  return Math.abs(terms / Math.round(terms) - 1) <= noise;
}
