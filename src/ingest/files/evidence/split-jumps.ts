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
  /** Closes adjusted for splits, whose ratio to the close steps by a split that no column states. */
  adjusted?: number;
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
  const partBefore = new Map<string, number>();
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const symbol = columns.symbol === undefined ? '' : row[columns.symbol];
    const before = closeBefore.get(symbol);
    const close = numberFromCell(row[columns.close!]);
    const part = adjustedPart(row, columns);
    const ratio =
      columns.adjusted === undefined
        ? ratioFromCell(row[columns.split!])
        : splitOfStep(part / (partBefore.get(symbol) ?? Number.NaN));
    partBefore.set(symbol, part);
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

/** Returns an adjusted close by the close of its row; NaN without both. */
export function adjustedPart(row: readonly string[], { close, adjusted }: SplitColumns): number {
  const [whole, part] = [close, adjusted].map((at) => numberFromCell(row[at!]) ?? Number.NaN);
  return part / whole;
}

/** Steps of a special dividend are no halves of whole numbers, by so much of the ratio. */
const STEP_NOISE = 0.01;

/** Returns the split by whose ratio an adjusted part steps: 3:2, or 2:1 and more, or their inverse. */
function splitOfStep(step: number): number | undefined {
  const ratio = Math.max(step, 1 / step);
  const split = Math.round(ratio * 2) / 2;
  if (!(split >= 1.5 && Math.abs(ratio / split - 1) <= STEP_NOISE)) return undefined;
  return step > 1 ? split : 1 / split;
}

function splitText(ratio: number): string {
  return ratio >= 1 ? `${Number(ratio.toFixed(4))}:1` : `1:${Number((1 / ratio).toFixed(4))}`;
}
