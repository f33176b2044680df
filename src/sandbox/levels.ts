/**
 * Logarithmic price levels from 1985 to 2035, before splits. A security takes part in the moves
 * of the market and its sector; its own path runs between one fixed point per year, so that each
 * year can be computed alone.
 */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import { lowerBound } from '../base/search-sorted.ts';
import { CALENDAR_LAST_DAY, sessionsBetween } from '../base/time/calendar.ts';
import { dayFromDate } from '../base/time/dates.ts';
import { SECTORS } from '../ingest/directory/sectors.ts';
import { integerAt, normalAt, SANDBOX_SEED, seedAt } from './random.ts';

export const FIRST_YEAR = 1985;
export const LAST_YEAR = 2035;
const EARNINGS_JUMP = 3.5;

/** Sessions of all years, ascending. Places below are positions in this list. */
export const SESSIONS = sessionsBetween(dayFromDate(`${FIRST_YEAR}-01-01`), CALENDAR_LAST_DAY);

export const SESSION_YEARS = Int16Array.from(SESSIONS, yearFromDay);

/** Place of each year's first session, and the end of the list. */
const YEAR_STARTS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 2 }, (_, i) =>
  placeFromDay(dayFromDate(`${FIRST_YEAR + i}-01-01`)),
);

/** Volatility of each session: around 1, clustered, above 3 in a crisis. */
export const VOLATILITY = volatility();

/** Log level of the market before each session, with a drift of 6 % a year. */
const MARKET = walk(seedAt(SANDBOX_SEED, 1), { keep: 1, drift: 0.06 / 252, spread: 0.0085 });

/** The same of each sector, without the market's share, drawn back to 0. */
const SECTOR_LEVELS = SECTORS.map((_, sector) =>
  walk(seedAt(SANDBOX_SEED, 100 + sector), { keep: 0.999, drift: 0, spread: 0.005 }),
);

interface PathTraits {
  seed: number;
  sector: number | undefined;
  /** Share of the market's moves. */
  beta: number;
  dailySpread: number;
  /** Yearly change of the log price on top of all others. */
  trend: number;
}

const NO_SECTOR = new Float64Array(SESSIONS.length + 1);

function sectorLevels({ sector }: PathTraits): Float64Array {
  return sector === undefined ? NO_SECTOR : SECTOR_LEVELS[sector];
}

export interface PricePath extends PathTraits {
  base: number;
  /** Own part of the log price before the first session of each year, and of the year after. */
  anchors: Float64Array;
}

/** @param price Price before splits, at the start of `year`. */
export function createPath(traits: PathTraits, year: number, price: number): PricePath {
  const anchors = new Float64Array(YEAR_STARTS.length);
  const seed = seedAt(traits.seed, 1);
  const yearlySpread = traits.dailySpread * 14;
  for (let i = 0; i < anchors.length; i++) {
    // Drawn back a little, so that most prices stay within their range.
    anchors[i] = 0.9 * (anchors[i - 1] ?? 0) + yearlySpread * normalAt(seed, i);
  }
  for (let i = 0; i < anchors.length; i++) anchors[i] += traits.trend * i;
  const path = { ...traits, base: 0, anchors };
  return { ...path, base: Math.log(price) - logPriceAtYear(path, year) };
}

/** Returns the log price before the first session of a year. */
export function logPriceAtYear(path: PricePath, year: number): number {
  const place = yearStart(year);
  const sector = sectorLevels(path)[place];
  return path.base + path.anchors[year - FIRST_YEAR] + path.beta * MARKET[place] + sector;
}

export function logClosesOfYear(path: PricePath, year: number): Float64Array {
  const start = yearStart(year);
  const count = yearStart(year + 1) - start;
  const out = new Float64Array(count);
  const seed = ownMovesSeed(path, year);
  const report = reportSession(path);
  let state = 0;
  let own = 0;
  for (let i = 0; i < count; i++) {
    const normal = normalAt(seed, i);
    // Large moves follow large moves; a report makes the price jump.
    state = 0.94 * state + 0.06 * normal * normal;
    const spread = path.dailySpread * (0.4 + 0.7 * state) * (0.7 + 0.3 * VOLATILITY[start + i]);
    own += spread * normal * (i % 63 === report ? EARNINGS_JUMP : 1);
    out[i] = own;
  }
  const from = path.anchors[year - FIRST_YEAR];
  const drift = (path.anchors[year - FIRST_YEAR + 1] - from - own) / count;
  const sector = sectorLevels(path);
  for (let i = 0; i < count; i++) {
    out[i] += path.base + from + drift * (i + 1) + path.beta * MARKET[start + i + 1];
    out[i] += sector[start + i + 1];
  }
  return out;
}

/** Returns the seed of a year's own moves: `normalAt` of it is the surprise of a session. */
export function ownMovesSeed(path: PricePath, year: number): number {
  return seedAt(seedAt(path.seed, 2), year);
}

/** Returns the session of each year's first report; one follows every 63 sessions. Funds: −1. */
export function reportSession(path: PricePath): number {
  return path.sector === undefined ? -1 : integerAt(path.seed, 3, 60);
}

export function yearFromDay(day: number): number {
  return new Date(day * MILLIS_PER_DAY).getUTCFullYear();
}

export function yearStart(year: number): number {
  return YEAR_STARTS[year - FIRST_YEAR];
}

export function placeFromDay(day: number): number {
  return lowerBound(SESSIONS, day);
}

function volatility(): Float64Array {
  const seed = seedAt(SANDBOX_SEED, 2);
  let state = 0;
  return Float64Array.from(SESSIONS, (_, i) => {
    state = 0.97 * state + 0.16 * normalAt(seed, i);
    return Math.exp(state * 0.7) * 0.8;
  });
}

function walk(
  seed: number,
  { keep, drift, spread }: { keep: number; drift: number; spread: number },
): Float64Array {
  const level = new Float64Array(SESSIONS.length + 1);
  for (let i = 0; i < SESSIONS.length; i++) {
    level[i + 1] = level[i] * keep + drift + spread * VOLATILITY[i] * normalAt(seed, i);
  }
  return level;
}
