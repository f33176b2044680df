/**
 * Puts repairs into the pieces of a served series. Pure.
 *
 * A repair is one bar that a person has corrected. It wins over every source, for this bar alone. It
 * keeps the prices on the level of that time, and the bar that it replaced. If later vintages bring
 * that bar to another level, the repair follows it. A repair may remove its bar, too.
 */

import type { BarValues } from '../../../base/bars.ts';
import type { Piece } from '../candles/series.ts';
import { splitFactorOf } from './split-factor.ts';

export interface Repair {
  seriesId: number;
  timestampUs: number;
  bar: BarValues;
  /** The bar that the sources gave then, as it was served. */
  replaced: BarValues;
  /** True if no bar is served there. */
  isRemoved?: boolean;
}

/** Times a repair's prices, and divides its volume, to bring it to the level of today. */
export interface RepairLevel {
  factor: number;
  splitFactor: number;
}

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Most by which volumes of two vintages of a bar differ. */
const VOLUME_NOISE = 0.01;

/** Products of floats. */
const FLOAT_NOISE = 1e-9;

/**
 * Returns the pieces with repairs in place of their bars.
 *
 * @param repairs Newest first; of two for one bar the first counts.
 * @param stored Returns the bar of a series at a time, as it is stored; undefined if it has none.
 * @param isRaw True for traded prices, whose level never changes.
 */
export function repairedPieces(
  pieces: readonly Piece[],
  repairs: readonly Repair[],
  stored: (seriesId: number, timestampUs: number) => BarValues | undefined,
  isRaw: boolean,
): Piece[] {
  const newest = new Map(repairs.toReversed().map((repair) => [repair.timestampUs, repair]));
  const sorted = [...newest.values()].sort((a, b) => a.timestampUs - b.timestampUs);
  return pieces.flatMap((piece) => {
    const parts: Piece[] = [];
    let rest = piece;
    for (const repair of sorted) {
      const { seriesId, timestampUs: us } = repair;
      if (us < piece.fromUs || us > piece.toUs) continue;
      const bar = stored(piece.seriesId, us);
      if (!bar) continue;
      parts.push({ ...rest, toUs: us - 1 });
      if (!repair.isRemoved) {
        const level = isRaw
          ? { factor: 1, splitFactor: 1 }
          : levelOf(repair, servedBar(bar, piece));
        parts.push({ seriesId, fromUs: us, toUs: us, ...level });
      }
      rest = { ...rest, fromUs: us + 1 };
    }
    return [...parts, rest].filter(({ fromUs, toUs }) => fromUs <= toUs);
  });
}

/** Returns a stored bar of a piece as it is served. */
export function servedBar(
  { open, high, low, close, volume }: BarValues,
  { factor, splitFactor }: Pick<Piece, 'factor' | 'splitFactor'>,
): BarValues {
  return {
    open: open * factor,
    high: high * factor,
    low: low * factor,
    close: close * factor,
    volume: volume / (splitFactor ?? factor),
  };
}

/**
 * Returns the level of a repair where the sources give `served` today.
 *
 * Only prices that the repair left alone count: a newer vintage may have corrected the others.
 */
export function levelOf(
  { bar, replaced }: Pick<Repair, 'bar' | 'replaced'>,
  served: BarValues,
): RepairLevel {
  const kept = PRICES.filter((name) => bar[name] === replaced[name]);
  const ratios = (kept.length > 0 ? kept : PRICES).map((name) => served[name] / replaced[name]);
  const median = ratios.sort((a, b) => a - b)[(ratios.length - 1) >> 1];
  const factor = Math.abs(median - 1) < FLOAT_NOISE ? 1 : median;
  const ratio = replaced.volume / served.volume;
  // Volumes of Stooq still contain dividends here, and show no factor then.
  const isShown = [1, factor].some((one) => Math.abs(ratio / one - 1) < VOLUME_NOISE);
  const volumes = bar.volume === replaced.volume && isShown ? [ratio] : [];
  return { factor, splitFactor: splitFactorOf(factor, volumes) };
}
