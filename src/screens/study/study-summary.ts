/** Summary of events by group and horizon. */

import { EVENTS_AT_ONCE, GroupReturns } from './group-returns.ts';
import { clusteredT, medianOfCounted, quantiles } from './statistics.ts';
import type { StudyEvents } from './study-events.ts';
import { byMarketDay, type StudyMarket } from './study-market.ts';
import type { UniverseReturns } from './universe-returns.ts';

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
  flagged: number;
}

/** Facts about the events of a group that no horizon changes. */
interface EventGroup {
  places: Int32Array;
  /** By event, its market session. */
  sessions: Int32Array;
  entered: number;
  days: number;
  symbols: number;
}

/**
 * @param places   Events of the group, in any order.
 * @param horizons Sessions of each horizon of the events' columns.
 * @param universe By horizon.
 */
export function* horizonSummaries(
  events: StudyEvents,
  places: Int32Array,
  horizons: readonly number[],
  universe: readonly UniverseReturns[],
  market: Pick<StudyMarket, 'marketDays'>,
): Generator<undefined, HorizonSummary[]> {
  const sessionCount = universe[0].means.length;
  const group = yield* eventGroup(events, places, sessionCount);
  const found = new GroupReturns(places.length, sessionCount);
  const summaries: HorizonSummary[] = [];
  for (const [place, horizon] of horizons.entries()) {
    yield* found.collect(events, group, place, universe[place]);
    summaries.push(yield* summaryOf(group, found, universe[place], { horizon, market }));
  }
  return summaries;
}

function* eventGroup(
  events: StudyEvents,
  places: Int32Array,
  sessionCount: number,
): Generator<undefined, EventGroup> {
  const sessions = new Int32Array(places.length);
  const seen = new Uint8Array(sessionCount);
  const symbols = new Set<number>();
  let [entered, symbol, days] = [0, -1, 0];
  for (let i = 0; i < places.length; i++) {
    const at = places[i];
    const session = events.sessions[at];
    sessions[i] = session;
    days += 1 - seen[session];
    seen[session] = 1;
    entered += events.entered[at];
    if (events.numbers[at] !== symbol) {
      symbol = events.numbers[at];
      symbols.add(symbol);
    }
    if (i % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
  }
  return { places, sessions, entered, days, symbols: symbols.size };
}

function* summaryOf(
  { places, entered, days, symbols }: EventGroup,
  found: GroupReturns,
  universe: UniverseReturns,
  { horizon, market }: { horizon: number; market: Pick<StudyMarket, 'marketDays'> },
): Generator<undefined, HorizonSummary> {
  const { count, counts, early, hits, extreme, flagged, size, mean, excessMean } = found;
  const sd = yield* found.sd();
  const [p05, p25, median, p75, p95] = yield* quantiles(
    found.returns,
    [0.05, 0.25, 0.5, 0.75, 0.95],
  );
  const [excessMedian] = yield* quantiles(found.excess, [0.5]);
  const bySession = byMarketDay(market, found.deviations(excessMean));
  return {
    ...{ horizon, events: places.length, returns: count, entered, early, open: entered - count },
    ...{ days, symbols, mean, median, hit: hits / count, sd, p05, p25, p75, p95 },
    universeMean: found.universeMean(universe),
    universeMedian: medianOfCounted(universe.means, universe.order, counts, count),
    ...{ excessMean, excessMedian },
    tClustered: clusteredT(bySession, { center: excessMean, count, size }, horizon),
    ...{ extreme, flagged },
  };
}
