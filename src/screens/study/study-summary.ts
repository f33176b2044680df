/** Summary of events by group and horizon. */

import { clusteredT, mean, quantile, sampleDeviation } from './statistics.ts';
import type { StudyEvents } from './study-events.ts';
import type { Sums } from './sums.ts';

/** Returns above it, 1,000 %, are counted: they are mostly bad bars. */
export const EXTREME_RETURN = 10;

/** Returns of the universe by session. */
export interface UniverseReturns {
  sums: Sums;
  counts: Float64Array;
}

/** Returns the mean return of the universe on a session; NaN without any. */
export function universeReturn({ sums, counts }: UniverseReturns, session: number): number {
  return sums.of(session) / counts[session];
}

/** Counts, and statistics of returns as fractions; NaN where the events define none. */
export interface HorizonSummary {
  horizon: number;
  events: number;
  entered: number;
  returns: number;
  early: number;
  open: number;
  days: number;
  symbols: number;
  mean: number;
  median: number;
  hit: number;
  sd: number;
  p05: number;
  p25: number;
  p75: number;
  p95: number;
  universeMean: number;
  universeMedian: number;
  excessMean: number;
  excessMedian: number;
  tClustered: number;
  extreme: number;
}

/**
 * @param places  Events of the group.
 * @param horizon Its place in the events' columns, and its sessions.
 */
export function horizonSummary(
  events: StudyEvents,
  places: Int32Array,
  horizon: { place: number; sessions: number },
  universe: UniverseReturns,
): HorizonSummary {
  const all = events.returns[horizon.place];
  const entered = places.filter((at) => events.entered[at] === 1);
  const withReturn = entered.filter((at) => !Number.isNaN(all[at]));
  const returns = new Float64Array(withReturn.length).map((_, i) => all[withReturn[i]]);
  const sessions = withReturn.map((at) => events.sessions[at]);
  const market = Float64Array.from(sessions, (session) => universeReturn(universe, session));
  const excess = returns.map((value, i) => value - market[i]);
  const sorted = returns.toSorted();
  const early = withReturn.filter((at) => events.early[horizon.place][at] === 1).length;
  return {
    horizon: horizon.sessions,
    events: places.length,
    entered: entered.length,
    returns: returns.length,
    early,
    open: entered.length - returns.length,
    days: new Set(places.map((at) => events.sessions[at])).size,
    symbols: new Set(places.map((at) => events.numbers[at])).size,
    mean: mean(returns),
    median: quantile(sorted, 0.5),
    hit: returns.filter((value) => value > 0).length / returns.length,
    sd: sampleDeviation(returns),
    p05: quantile(sorted, 0.05),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
    p95: quantile(sorted, 0.95),
    universeMean: mean(market),
    universeMedian: quantile(market.toSorted(), 0.5),
    excessMean: mean(excess),
    excessMedian: quantile(excess.toSorted(), 0.5),
    tClustered: clusteredT(excess, sessions, horizon.sessions),
    extreme: returns.filter((value) => value > EXTREME_RETURN).length,
  };
}
