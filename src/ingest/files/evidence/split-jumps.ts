/** Compares prices with the splits that the same rows state. Pure. */

import { numberFromCell, ratioFromCell } from './cells.ts';

/** Columns of a file with splits, positions in the header. */
export interface SplitColumns {
  date?: number;
  symbol?: number;
  open?: number;
  close?: number;
  split?: number;
}

export interface SplitJumps {
  /** Facts about splits at which the price jumps by the ratio. */
  jumps: string[];
  /** Facts about splits at which it does not. */
  flats: string[];
}

/** Smaller ratios, such as stock dividends, are within what prices move overnight. */
const RATIO_MIN = 1.25;

/** Largest distance from a reading, as a share of the distance between the two, in logarithms. */
const CLOSENESS = 0.35;

/**
 * Looks at each split of the rows: an unadjusted price falls by the ratio on that day. Splits whose
 * price does neither are left out.
 */
export function splitJumps(
  { rows }: { rows: readonly string[][] },
  columns: SplitColumns,
  isNewestFirst: boolean,
): SplitJumps {
  const found: SplitJumps = { jumps: [], flats: [] };
  const closeBefore = new Map<string, number>();
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const symbol = columns.symbol === undefined ? '' : row[columns.symbol];
    const ratio = ratioFromCell(row[columns.split!]);
    const before = closeBefore.get(symbol);
    const close = numberFromCell(row[columns.close!]);
    if (before !== undefined && ratio !== undefined) {
      const price = numberFromCell(row[columns.open!]) ?? close;
      const kind = price === undefined ? undefined : jumpKind(before / price, ratio);
      const text = `${splitText(ratio)} of ${row[columns.date!]} (${before}, then ${price})`;
      if (kind === 'jump') found.jumps.push(`its price jumps at its split ${text}`);
      if (kind === 'flat') found.flats.push(`its price does not jump at its split ${text}`);
    }
    if (close !== undefined && close > 0) closeBefore.set(symbol, close);
  }
  return found;
}

/**
 * Tells if a move is a split's, none, or neither of the two.
 * @param move Price before the split ÷ price after it.
 * @param ratio New shares for an old one.
 */
export function jumpKind(move: number, ratio: number): 'jump' | 'flat' | undefined {
  const whole = Math.log(ratio);
  if (Math.abs(whole) < Math.log(RATIO_MIN)) return undefined;
  const share = Math.log(move) / whole;
  if (Math.abs(share - 1) <= CLOSENESS) return 'jump';
  return Math.abs(share) <= CLOSENESS ? 'flat' : undefined;
}

function splitText(ratio: number): string {
  return ratio >= 1 ? `${Number(ratio.toFixed(4))}:1` : `1:${Number((1 / ratio).toFixed(4))}`;
}
