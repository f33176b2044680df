/**
 * Pieces of series that make up one (symbol, interval). Pure. The vintages of the best source come
 * first; other sources extend them.
 *
 * Sources are compared where they meet, by the closes of five common sessions. Of intraday bars the
 * last one of each session counts. A session that two sources end at different minutes, such as a
 * running one, is not common.
 */

import type { Basis } from '../../../base/bars.ts';
import { lowerBound } from '../../../base/search-sorted.ts';
import type { Piece } from '../candles/series.ts';
import { splitFactorOf } from './split-factor.ts';

/** At a splice, closes of the two sides must agree this well, after one constant factor. */
const SPLICE_TOLERANCE = 0.001;
const SPLICE_SESSIONS = 5;

/** A series that could be served. Times in microseconds, exact up to the year 2255. */
export interface Candidate {
  seriesId: number;
  basis: Basis;
  firstUs: number;
  lastUs: number;
  /**
   * Several raw series of a source occur only where its security was renamed, one after the other.
   * Adjusted series of one source are vintages of each other.
   */
  source?: string;
}

/** Closes of one series, one a session, times of their bars strictly rising. */
export interface Closes {
  timestampUs: Float64Array;
  close: Float64Array;
}

/** Returns the best candidate and, if it is adjusted, the other vintages of its source, best first. */
export function vintagesOf<T extends Candidate>([best, ...others]: readonly T[]): T[] {
  if (best.basis === 'raw' || best.source === undefined) return [best];
  return [
    best,
    ...others.filter(({ source, basis }) => source === best.source && basis === best.basis),
  ];
}

/**
 * Returns series of other sources, of the basis of the best, that reach beyond all its vintages.
 */
export function extensionsInReach<T extends Candidate>(candidates: readonly T[]): T[] {
  const vintages = vintagesOf(candidates);
  const firstUs = Math.min(...vintages.map((one) => one.firstUs));
  const lastUs = Math.max(...vintages.map((one) => one.lastUs));
  return candidates.filter(
    (one) =>
      !vintages.includes(one) &&
      one.basis === vintages[0].basis &&
      (one.firstUs < firstUs || one.lastUs > lastUs),
  );
}

/**
 * Returns the pieces in order of time. The best source is served over its whole range. Each
 * extension, in order, adds its bars before and after the range so far, if the five common closes
 * nearest the splice agree within 0.1 % after one constant factor. A raw series must agree without
 * a factor, which would hide a split. A series of the same source must agree only in the closes
 * that both have.
 *
 * @param closes Closes of the extensions and, if there are any, of the best source's series.
 * @param best Pieces of the best source; default: the first candidate as it is.
 */
export function winnerPieces(
  candidates: readonly Candidate[],
  closes: ReadonlyMap<number, Closes>,
  best: readonly Piece[] = [wholePiece(candidates[0])],
): Piece[] {
  const pieces = [...best];
  const extensions = extensionsInReach(candidates);
  if (extensions.length === 0) return pieces;
  let served = closesOfPieces(pieces, closes);
  for (const extension of extensions) {
    const offered = closes.get(extension.seriesId)!;
    for (const side of ['before', 'after'] as const) {
      const extra = extraPiece(extension, pieces, side);
      if (extra.fromUs > extra.toUs) continue;
      const neighbour = pieces.at(side === 'before' ? 0 : -1)!.seriesId;
      const { source } = candidates.find(({ seriesId }) => seriesId === neighbour)!;
      const needed = source && source === extension.source ? 0 : SPLICE_SESSIONS;
      const factor = spliceFactor(served, offered, side, { basis: extension.basis, needed });
      if (factor === undefined) continue;
      const splitFactor = splitFactorOf(factor, []);
      const piece = { ...extra, factor, ...(splitFactor !== factor && { splitFactor }) };
      if (side === 'before') pieces.unshift(piece);
      else pieces.push(piece);
      served = joined(served, outside(offered, served, side), factor, side);
    }
  }
  return pieces;
}

function closesOfPieces(pieces: readonly Piece[], closes: ReadonlyMap<number, Closes>): Closes {
  const none: Closes = { timestampUs: new Float64Array(), close: new Float64Array() };
  return pieces.reduce((before, { seriesId, fromUs, toUs, factor }) => {
    const own = within(closes.get(seriesId)!, fromUs, toUs);
    return joined(before, own, factor, 'after');
  }, none);
}

function wholePiece({ seriesId, firstUs, lastUs }: Candidate): Piece {
  return { seriesId, fromUs: firstUs, toUs: lastUs, factor: 1 };
}

function extraPiece(
  extension: Candidate,
  pieces: readonly Piece[],
  side: 'before' | 'after',
): Piece {
  const piece = wholePiece(extension);
  if (side === 'before') return { ...piece, toUs: pieces[0].fromUs - 1 };
  return { ...piece, fromUs: pieces[pieces.length - 1].toUs + 1 };
}

/** Returns the closes of `offered` before the first or after the last close of `served`. */
function outside(offered: Closes, served: Closes, side: 'before' | 'after'): Closes {
  const ends = served.timestampUs;
  return side === 'before'
    ? within(offered, Number.NEGATIVE_INFINITY, ends[0] - 1)
    : within(offered, ends[ends.length - 1] + 1, Number.POSITIVE_INFINITY);
}

/** Returns a view over the closes of a span of times in microseconds, both included. */
function within({ timestampUs, close }: Closes, fromUs: number, toUs: number): Closes {
  const [start, end] = [fromUs, toUs + 1].map((us) => lowerBound(timestampUs, us));
  return { timestampUs: timestampUs.subarray(start, end), close: close.subarray(start, end) };
}

/** Returns the factor with which `offered` continues `served`; undefined if it does not. */
function spliceFactor(
  served: Closes,
  offered: Closes,
  side: 'before' | 'after',
  { basis, needed }: { basis: Basis; needed: number },
): number | undefined {
  const ratios = commonRatios(served, offered, side);
  if (ratios.length < needed) return undefined;
  const factor = basis === 'raw' ? 1 : ratios.toSorted((a, b) => a - b)[SPLICE_SESSIONS >> 1];
  const agrees = ratios.every((ratio) => Math.abs(ratio / factor - 1) <= SPLICE_TOLERANCE);
  return agrees ? factor : undefined;
}

/** Returns served ÷ offered of the common closes nearest the splice, at most five. */
function commonRatios(served: Closes, offered: Closes, side: 'before' | 'after'): number[] {
  const step = side === 'before' ? 1 : -1;
  let s = side === 'before' ? 0 : served.close.length - 1;
  let o = side === 'before' ? 0 : offered.close.length - 1;
  const ratios: number[] = [];
  while (ratios.length < SPLICE_SESSIONS && s in served.close && o in offered.close) {
    const ahead = (offered.timestampUs[o] - served.timestampUs[s]) * step;
    if (ahead === 0) ratios.push(served.close[s] / offered.close[o]);
    if (ahead >= 0) s += step;
    if (ahead <= 0) o += step;
  }
  return ratios;
}

function joined(served: Closes, extra: Closes, factor: number, side: 'before' | 'after'): Closes {
  const scaled = { timestampUs: extra.timestampUs, close: extra.close.map((c) => c * factor) };
  const [first, second] = side === 'before' ? [scaled, served] : [served, scaled];
  return {
    timestampUs: concatenated(first.timestampUs, second.timestampUs),
    close: concatenated(first.close, second.close),
  };
}

function concatenated(first: Float64Array, second: Float64Array): Float64Array {
  const out = new Float64Array(first.length + second.length);
  out.set(first);
  out.set(second, first.length);
  return out;
}
