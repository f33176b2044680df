/** Daily bars: raw prices in cents, and volumes. */

import { type BarColumns, blankBars, MILLIS_PER_DAY, microsFromMillis } from '../base/bars.ts';
import { sharesMultiplier } from './actions.ts';
import {
  logClosesOfYear,
  logPriceAtYear,
  placeFromDay,
  reportSession,
  SESSION_YEARS,
  SESSIONS,
  VOLATILITY,
  yearStart,
} from './levels.ts';
import { highUniform, lowUniform, seedAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

/** Returns raw bars. A bar follows from the security and its day, whatever days are requested. */
export function sandboxBars(security: SandboxSecurity, fromDay: number, toDay: number): BarColumns {
  const { path, splits, noiseSeed, sharesAtListing, turnover } = security;
  const from = placeFromDay(Math.max(fromDay, security.firstDay));
  const to = Math.max(from, placeFromDay(Math.min(toDay, security.lastDay) + 1));
  const startsMs = new Float64Array(to - from);
  const { open, high, low, close, volume } = blankBars(to - from);
  const report = reportSession(path);
  const logClose = logClosesOf(security);
  for (let place = from; place < to; place++) {
    const day = SESSIONS[place];
    const year = SESSION_YEARS[place];
    const shares = sharesMultiplier(splits, day);
    const logAfter = logClose(place);
    const logBefore = place === yearStart(year) ? logPriceAtYear(path, year) : logClose(place - 1);
    const ends = Math.exp(logAfter) / shares;
    const before = Math.exp(logBefore) / shares;
    const seed = seedAt(noiseSeed, day);
    const openBits = seedAt(seed, 1);
    const rangeBits = seedAt(seed, 2);
    const crowd = lowUniform(seedAt(seed, 3));
    const spread = ends * path.dailySpread * (0.7 + 0.3 * VOLATILITY[place]);
    const gap = (ends - before) * 0.7 * lowUniform(openBits);
    const starts = Math.max(before + gap + spread * (highUniform(openBits) - 0.5), ends / 2);
    const top = Math.max(starts, ends) + spread * lowUniform(rangeBits);
    const bottom = Math.min(starts, ends) - spread * highUniform(rangeBits);
    const excitement = Math.abs(logAfter - logBefore) / path.dailySpread;
    const row = place - from;
    startsMs[row] = day * MILLIS_PER_DAY;
    open[row] = roundToTick(starts);
    high[row] = roundToTick(top);
    low[row] = roundToTick(Math.max(bottom, ends / 4));
    close[row] = roundToTick(ends);
    volume[row] = Math.ceil(
      sharesAtListing *
        shares *
        turnover *
        VOLATILITY[place] *
        (0.4 + crowd * crowd + 0.4 * excitement) *
        ((place - yearStart(year)) % 63 === report ? 2.5 : 1),
    );
  }
  return { timestampUs: microsFromMillis(startsMs), open, high, low, close, volume };
}

/** Returns a function from a session's place to its log close before splits. */
function logClosesOf({ path }: SandboxSecurity): (place: number) => number {
  const years = new Map<number, Float64Array>();
  return (place) => {
    const year = SESSION_YEARS[place];
    const closes = years.getOrInsertComputed(year, () => logClosesOfYear(path, year));
    return closes[place - yearStart(year)];
  };
}

/** Returns a function from a session's place to the raw close, that of `sandboxBars`. */
export function closesOf(security: SandboxSecurity): (place: number) => number {
  const logClose = logClosesOf(security);
  return (place) =>
    roundToTick(Math.exp(logClose(place)) / sharesMultiplier(security.splits, SESSIONS[place]));
}

/** Rounds to cents from one dollar on, to hundredths of a cent below it, as exchanges quote. */
export function roundToTick(price: number): number {
  if (price >= 1) return Math.round(price * 100) / 100;
  return Math.max(1, Math.round(price * 10_000)) / 10_000;
}
