/** Summary of events by group and horizon. */

import { EventReturns, GroupReturns } from './group-returns.ts';
import type { UniverseReturns } from './return-sums.ts';
import { clusteredT, medianOfCounted } from './statistics.ts';
import { EVENTS_AT_ONCE, type StudyEvents } from './study-events.ts';
import { byMarketDay, type StudyMarket } from './study-market.ts';

/** Events of a piece: their numbers at a horizon, 21 bytes each, stay in the second cache. */
const PIECE_EVENTS = 8192;

/** Groups that read pieces together: their sums, some 100 KB each over ten years, are bounded. */
const GROUPS_AT_ONCE = 32;

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
  entered: number;
  days: number;
  symbols: number;
}

type MarketDays = Pick<StudyMarket, 'marketDays'>;

/**
 * Summarises groups of events, which may have events in common. All groups read a piece of the events
 * before any reads the next one: a group alone would fetch each of its returns from memory.
 *
 * @param groups   Places of events, ascending.
 * @param horizons Sessions of each horizon of the events' columns.
 * @param universe By horizon.
 * @returns by group and horizon.
 */
export function* horizonSummaries(
  events: StudyEvents,
  groups: readonly Int32Array[],
  horizons: readonly number[],
  universe: readonly UniverseReturns[],
  market: MarketDays,
): Generator<undefined, HorizonSummary[][]> {
  const sessionCount = universe[0].means.length;
  const facts: EventGroup[] = [];
  for (const places of groups) facts.push(yield* eventGroup(events, places, sessionCount));
  const sums = Array.from(
    { length: Math.min(groups.length, GROUPS_AT_ONCE) },
    () => new GroupReturns(sessionCount),
  );
  const of = new EventReturns(events);
  const summaries = groups.map((): HorizonSummary[] => []);
  for (const [place, horizon] of horizons.entries()) {
    of.begin(events, place);
    for (let start = 0; start < events.count; start += EVENTS_AT_ONCE) {
      of.take(universe[place], { start, end: Math.min(events.count, start + EVENTS_AT_ONCE) });
      yield;
    }
    for (let first = 0; first < groups.length; first += GROUPS_AT_ONCE) {
      const some = facts.slice(first, first + GROUPS_AT_ONCE);
      yield* readGroups(of, some, sums);
      for (const [i, group] of some.entries()) {
        const summary = summaryOf(group, sums[i], universe[place], { horizon, market });
        summaries[first + i].push(summary);
        yield;
      }
    }
  }
  return summaries;
}

/** Reads the events of groups at a horizon. */
function* readGroups(
  of: EventReturns,
  groups: readonly EventGroup[],
  sums: readonly GroupReturns[],
): Generator<undefined> {
  for (const [i, { places }] of groups.entries()) sums[i].begin(places);
  const used = sums.slice(0, groups.length);
  for (const read of ['addReturns', 'addDeviations'] as const) {
    let handled = 0;
    for (let end = PIECE_EVENTS; end < of.excess.length + PIECE_EVENTS; end += PIECE_EVENTS) {
      for (const group of used) handled += group[read](of, end);
      if (handled < EVENTS_AT_ONCE / 2) continue;
      handled = 0;
      yield;
    }
    if (read === 'addReturns') for (const group of used) group.turn();
  }
}

function* eventGroup(
  { sessions, numbers, numberEnd, entered: isEntered }: StudyEvents,
  places: Int32Array,
  sessionCount: number,
): Generator<undefined, EventGroup> {
  const seenSessions = new Uint8Array(sessionCount);
  const seenNumbers = new Uint8Array(numberEnd);
  let [entered, symbols, days] = [0, 0, 0];
  for (let i = 0; i < places.length; i++) {
    const at = places[i];
    const session = sessions[at];
    days += 1 - seenSessions[session];
    seenSessions[session] = 1;
    entered += isEntered[at];
    const number = numbers[at];
    symbols += 1 - seenNumbers[number];
    seenNumbers[number] = 1;
    if (i % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
  }
  return { places, entered, days, symbols };
}

function summaryOf(
  { places, entered, days, symbols }: EventGroup,
  found: GroupReturns,
  universe: UniverseReturns,
  { horizon, market }: { horizon: number; market: MarketDays },
): HorizonSummary {
  const { count, counts, early, hits, extreme, flagged, size, mean, sd, excessMean } = found;
  const { median, p05, p25, p75, p95, excessMedian } = found.quantiles();
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
