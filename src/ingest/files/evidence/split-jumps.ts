/** Compares prices with the splits that the same rows state. Pure. */

import { splitMove } from '../../../base/prices/price-change.ts';
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
      const kind = price === undefined ? undefined : splitMove(before / price, ratio);
      const text = `${splitText(ratio)} of ${row[columns.date!]} (${before}, then ${price})`;
      if (kind === 'jump') found.jumps.push(`its price jumps at its split ${text}`);
      if (kind === 'flat') found.flats.push(`its price does not jump at its split ${text}`);
    }
    if (close !== undefined && close > 0) closeBefore.set(symbol, close);
  }
  return found;
}

function splitText(ratio: number): string {
  return ratio >= 1 ? `${Number(ratio.toFixed(4))}:1` : `1:${Number((1 / ratio).toFixed(4))}`;
}
