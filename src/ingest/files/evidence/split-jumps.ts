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
  /** Texts of all symbols, and of those whose price jumps. */
  symbols: Set<string>;
  jumping: Set<string>;
  /** True if one of the jumps is up, or by more than a half: no special dividend does so. */
  hasSplit: boolean;
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
  const found: SplitJumps = {
    ...{ jumps: [], flats: [], hasSplit: false },
    ...{ symbols: new Set(), jumping: new Set() },
  };
  const closeBefore = new Map<string, number>();
  const partBefore = new Map<string, AdjustedPart>();
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const symbol = columns.symbol === undefined ? '' : (row[columns.symbol] ?? '').trim();
    found.symbols.add(symbol);
    const before = closeBefore.get(symbol);
    const close = numberFromCell(row[columns.close!]);
    const part = adjustedPart(row, columns);
    const ratio =
      columns.adjusted === undefined
        ? ratioFromCell(row[columns.split!])
        : splitOfStep(part, partBefore.get(symbol));
    partBefore.set(symbol, part);
    if (before !== undefined && ratio !== undefined) {
      const price = numberFromCell(row[columns.open!]) ?? close;
      const kind = price === undefined ? undefined : splitMove(before / price, ratio);
      const text = `${splitText(ratio)} of ${row[columns.date!]} (${before}, then ${price})`;
      if (kind === 'jump') {
        found.jumps.push(`its price jumps at its split ${text}`);
        found.jumping.add(symbol);
        found.hasSplit ||= ratio < 1 || ratio > 2;
      }
      if (kind === 'flat') found.flats.push(`its price does not jump at its split ${text}`);
    }
    if (close !== undefined && close > 0) closeBefore.set(symbol, close);
  }
  return found;
}

/** An adjusted close by the close of its row, and how far their digits leave it open. */
interface AdjustedPart {
  /** NaN without both. */
  ratio: number;
  noise: number;
}

export function adjustedPart(
  row: readonly string[],
  { close, adjusted }: SplitColumns,
): AdjustedPart {
  const [whole, part] = [close, adjusted].map((at) => row[at!] ?? '');
  const numbers = [whole, part].map((text) => numberFromCell(text) ?? Number.NaN);
  return { ratio: numbers[1] / numbers[0], noise: roundingOf(whole) + roundingOf(part) };
}

/** Returns by which part of itself a number may have been rounded. */
function roundingOf(text: string): number {
  const decimals = /[.,](\d+)$/.exec(text.trim())?.[1].length ?? 0;
  return 0.5 / 10 ** decimals / Math.abs(numberFromCell(text) ?? Number.NaN);
}

/** Noise of adjusted closes that were once 32-bit floats, and what no rounding exceeds. */
const [FLOAT_NOISE, STEP_NOISE] = [1e-6, 0.01];

/**
 * Returns the split by whose ratio an adjusted part steps: 5:4, 4:3, 3:2, or 2:1 and more, or their
 * inverse. A special dividend steps by hardly ever the same to the last digit.
 */
function splitOfStep(part: AdjustedPart, before: AdjustedPart | undefined): number | undefined {
  if (before === undefined) return undefined;
  const step = part.ratio / before.ratio;
  const ratio = Math.max(step, 1 / step);
  const split = [5 / 4, 4 / 3].find((small) => ratio < small * 1.03) ?? Math.round(ratio * 2) / 2;
  const noise = Math.min(STEP_NOISE, part.noise + before.noise + FLOAT_NOISE);
  if (!(split > 1 && Math.abs(ratio / split - 1) <= noise)) return undefined;
  return step > 1 ? split : 1 / split;
}

function splitText(ratio: number): string {
  return ratio >= 1 ? `${Number(ratio.toFixed(4))}:1` : `1:${Number((1 / ratio).toFixed(4))}`;
}
