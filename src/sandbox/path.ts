/**
 * Where a synthetic price is over the years, before splits: shares of the market's and its
 * sector's moves, and a path of its own that runs between one fixed point a year. Any year can
 * thus be computed alone.
 */

import { SANDBOX_FIRST_YEAR, SANDBOX_LAST_YEAR, sandboxFactors } from './factors.ts';
import { integerAt, normalAt, seedAt } from './random.ts';

export interface PathTraits {
  seed: number;
  /** Position in `SECTORS`; a fund has none. */
  sector: number | undefined;
  /** Share of the market's moves. */
  beta: number;
  /** Spread of a day's own move, as a fraction. */
  dailySpread: number;
  /** Yearly change of the log price on top of all others. */
  trend: number;
}

export interface PricePath extends PathTraits {
  /** Log price added to every day. */
  base: number;
  /** The own part of the log price before the first session of each year since 1985, and 2036. */
  anchors: Float64Array;
}

/** Most sessions a year can have. */
export const YEAR_SESSIONS_MAX = 254;

const EARNINGS_JUMP = 3.5;

/** @param price Before splits, at the start of `year`. */
export function createPath(traits: PathTraits, year: number, price: number): PricePath {
  const anchors = new Float64Array(SANDBOX_LAST_YEAR - SANDBOX_FIRST_YEAR + 2);
  const anchorSeed = seedAt(traits.seed, 1);
  const yearlySpread = traits.dailySpread * 14;
  anchors[0] = yearlySpread * normalAt(anchorSeed, 0);
  for (let i = 1; i < anchors.length; i++) {
    // Drawn back a little, so that most companies stay within their kind of price.
    anchors[i] = 0.9 * anchors[i - 1] + yearlySpread * normalAt(anchorSeed, i);
  }
  for (let i = 0; i < anchors.length; i++) anchors[i] += traits.trend * i;
  const path = { ...traits, base: 0, anchors };
  return { ...path, base: Math.log(price) - logPriceAtYear(path, year) };
}

/** Log price before splits, before the first session of a year. */
export function logPriceAtYear(path: PricePath, year: number): number {
  const { market, sectors, yearStarts } = sandboxFactors();
  const index = yearStarts[year - SANDBOX_FIRST_YEAR];
  const sector = path.sector === undefined ? 0 : sectors[path.sector][index];
  return path.base + path.anchors[year - SANDBOX_FIRST_YEAR] + path.beta * market[index] + sector;
}

/**
 * Log closes, before splits, of every session of a year.
 *
 * @param out Receives them; has room for `YEAR_SESSIONS_MAX`.
 * @returns How many sessions the year has.
 */
export function logClosesOfYear(path: PricePath, year: number, out: Float64Array): number {
  const { market, sectors, yearStarts, nervousness } = sandboxFactors();
  const start = yearStarts[year - SANDBOX_FIRST_YEAR];
  const count = yearStarts[year - SANDBOX_FIRST_YEAR + 1] - start;
  const seed = ownMovesSeed(path, year);
  const report = reportSession(path);
  let state = 0;
  let own = 0;
  for (let i = 0; i < count; i++) {
    const normal = normalAt(seed, i);
    // Large moves are followed by large moves; four days a year bring a report.
    state = 0.94 * state + 0.06 * normal * normal;
    own +=
      path.dailySpread *
      (0.4 + 0.7 * state) *
      (0.7 + 0.3 * nervousness[start + i]) *
      normal *
      (i % 63 === report ? EARNINGS_JUMP : 1);
    out[i] = own;
  }
  const from = path.anchors[year - SANDBOX_FIRST_YEAR];
  const drift = (path.anchors[year - SANDBOX_FIRST_YEAR + 1] - from - own) / count;
  const sector = path.sector === undefined ? undefined : sectors[path.sector];
  for (let i = 0; i < count; i++) {
    out[i] += path.base + from + drift * (i + 1) + path.beta * market[start + i + 1];
    if (sector) out[i] += sector[start + i + 1];
  }
  return count;
}

/**
 * How a session surprised: mean 0, spread 1; the sign is that of the price's own move.
 *
 * @param index Of the session within the year.
 */
export function surpriseAt(path: PricePath, year: number, index: number): number {
  return normalAt(ownMovesSeed(path, year), index);
}

function ownMovesSeed(path: PricePath, year: number): number {
  return seedAt(seedAt(path.seed, 2), year);
}

/** The company reports on every 63rd session of a year from this one on; a fund never does. */
export function reportSession(path: PricePath): number {
  return path.sector === undefined ? -1 : integerAt(path.seed, 3, 60);
}
