/**
 * What the prices of the sandbox have in common: a market and eleven sectors, as logarithmic
 * levels over the sessions of the exchange from 1985 to 2035. Built once, in about 10 ms.
 */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import { CALENDAR_LAST_DAY, sessionsBetween } from '../base/time/calendar.ts';
import { dayFromDate } from '../base/time/dates.ts';
import { SECTORS } from '../ingest/directory/sectors.ts';
import { normalAt, seedAt } from './random.ts';

export const SANDBOX_FIRST_YEAR = 1985;
export const SANDBOX_LAST_YEAR = 2035;
/** Everything in the sandbox follows from this number. */
export const SANDBOX_SEED = 0x7a9e;

const MARKET_DRIFT = 0.06 / 252;
const MARKET_SPREAD = 0.0085;
const SECTOR_SPREAD = 0.005;

export interface SandboxFactors {
  /** Sessions of all years, ascending. */
  days: Int32Array;
  /** By year since 1985, and one past the last: position in `days` of its first session. */
  yearStarts: Int32Array;
  /** Log level of the market before each session; one longer than `days`. */
  market: Float64Array;
  /** The same of each sector, without the market's share. */
  sectors: Float64Array[];
  /** How nervous each session is: around 1, clustered, above 3 in a crisis. */
  nervousness: Float64Array;
}

let factors: SandboxFactors | undefined;

export function sandboxFactors(): SandboxFactors {
  factors ??= buildFactors();
  return factors;
}

export function yearFromDay(day: number): number {
  return new Date(day * MILLIS_PER_DAY).getUTCFullYear();
}

/** Position in `days` of the first session on or after a day. */
export function sessionFromDay(day: number): number {
  const { days } = sandboxFactors();
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle] < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function buildFactors(): SandboxFactors {
  const days = sessionsBetween(dayFromDate(`${SANDBOX_FIRST_YEAR}-01-01`), CALENDAR_LAST_DAY);
  const yearStarts = new Int32Array(SANDBOX_LAST_YEAR - SANDBOX_FIRST_YEAR + 2);
  for (let i = 0; i < yearStarts.length - 1; i++) {
    const newYear = dayFromDate(`${SANDBOX_FIRST_YEAR + i}-01-01`);
    yearStarts[i] = days.findIndex((day) => day >= newYear);
  }
  yearStarts[yearStarts.length - 1] = days.length;

  const nervousness = nervousnessOf(days.length);
  const market = new Float64Array(days.length + 1);
  const marketSeed = seedAt(SANDBOX_SEED, 1);
  for (let i = 0; i < days.length; i++) {
    const move = MARKET_SPREAD * nervousness[i] * normalAt(marketSeed, i);
    market[i + 1] = market[i] + MARKET_DRIFT + move;
  }
  const sectors = SECTORS.map((_, sector) => {
    const level = new Float64Array(days.length + 1);
    const seed = seedAt(SANDBOX_SEED, 100 + sector);
    for (let i = 0; i < days.length; i++) {
      // Drawn back to 0, so that no sector dies out in fifty years.
      level[i + 1] = level[i] * 0.999 + SECTOR_SPREAD * nervousness[i] * normalAt(seed, i);
    }
    return level;
  });
  return { days, yearStarts, market, sectors, nervousness };
}

function nervousnessOf(count: number): Float64Array {
  const out = new Float64Array(count);
  const seed = seedAt(SANDBOX_SEED, 2);
  let state = 0;
  for (let i = 0; i < count; i++) {
    state = 0.97 * state + 0.16 * normalAt(seed, i);
    out[i] = Math.exp(state * 0.7) * 0.8;
  }
  return out;
}
