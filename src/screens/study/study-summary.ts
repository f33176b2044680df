/** Summary of events by group and horizon. */

import { clusteredT, medianOfCounted, quantiles } from './statistics.ts';
import { EARLY, FLAGGED, type StudyEvents } from './study-events.ts';
import { Sums } from './sums.ts';
import type { UniverseReturns } from './universe-returns.ts';

/** Returns above it, 1,000 %, are counted: they are mostly bad bars. */
export const EXTREME_RETURN = 10;

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

/** Events handled before other work may run: some 2 ms. */
export const EVENTS_AT_ONCE = 65_536;

/** Facts about the events of a group that no horizon changes. */
interface EventGroup {
  places: Int32Array;
  /** By event, its market session. */
  sessions: Int32Array;
  entered: number;
  days: number;
  symbols: number;
}

/** Memory that every horizon uses again. */
interface Room {
  returns: Float64Array;
  excess: Float64Array;
  sessions: Int32Array;
  /** By market session, its events with a return. */
  counts: Float64Array;
}

/** Events with a return at a horizon, and counts of them. */
interface GroupReturns extends Room {
  early: number;
  flagged: number;
  hits: number;
  extreme: number;
  /** Sum of the sizes of the excess. */
  size: number;
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
): Generator<undefined, HorizonSummary[]> {
  const sessionCount = universe[0].means.length;
  const group = yield* eventGroup(events, places, sessionCount);
  const room = {
    returns: new Float64Array(places.length),
    excess: new Float64Array(places.length),
    sessions: new Int32Array(places.length),
    counts: new Float64Array(sessionCount),
  };
  const summaries: HorizonSummary[] = [];
  for (const [place, horizon] of horizons.entries()) {
    const found = yield* groupReturns(events, group, place, universe[place], room);
    summaries.push(yield* summaryOf(group, found, universe[place], horizon));
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

/** @returns The room, as far as there are events with a return. */
function* groupReturns(
  events: StudyEvents,
  { places, sessions }: EventGroup,
  place: number,
  { means }: UniverseReturns,
  room: Room,
): Generator<undefined, GroupReturns> {
  const returns = events.returns[place];
  const marks = events.marks[place];
  room.counts.fill(0);
  let [count, early, flagged, hits, extreme, size] = [0, 0, 0, 0, 0, 0];
  for (let start = 0; start < places.length; start += EVENTS_AT_ONCE) {
    const end = Math.min(places.length, start + EVENTS_AT_ONCE);
    for (let i = start; i < end; i++) {
      const at = places[i];
      const value = returns[at];
      if (Number.isNaN(value)) continue;
      const session = sessions[i];
      const excess = value - means[session];
      room.returns[count] = value;
      room.excess[count] = excess;
      room.sessions[count++] = session;
      room.counts[session]++;
      size += Math.abs(excess);
      if (value > 0) hits++;
      if (value > EXTREME_RETURN) extreme++;
      if (marks[at] === 0) continue;
      early += marks[at] & EARLY;
      if (marks[at] & FLAGGED) flagged++;
    }
    yield;
  }
  return {
    ...{ early, flagged, hits, extreme, size, counts: room.counts },
    returns: room.returns.subarray(0, count),
    excess: room.excess.subarray(0, count),
    sessions: room.sessions.subarray(0, count),
  };
}

function* summaryOf(
  { places, entered, days, symbols }: EventGroup,
  found: GroupReturns,
  { means, order }: UniverseReturns,
  horizon: number,
): Generator<undefined, HorizonSummary> {
  const { returns, excess, counts, early, hits, extreme, flagged, size } = found;
  const count = returns.length;
  const [mean, excessMean] = yield* meansOf([returns, excess]);
  const ofUniverse = new Sums(1);
  for (const [session, times] of counts.entries()) {
    if (times > 0) ofUniverse.addTimes(0, means[session], times);
  }
  const { squares, bySession } = yield* spreadOf(found, { mean, excessMean });
  const [p05, p25, median, p75, p95] = yield* quantiles(returns, [0.05, 0.25, 0.5, 0.75, 0.95]);
  const [excessMedian] = yield* quantiles(excess, [0.5]);
  return {
    ...{ horizon, events: places.length, returns: count, entered, early, open: entered - count },
    ...{ days, symbols, mean, median, hit: hits / count, p05, p25, p75, p95 },
    sd: count < 2 ? Number.NaN : Math.sqrt(squares / (count - 1)),
    universeMean: ofUniverse.of(0) / count,
    universeMedian: medianOfCounted(means, order, counts, count),
    ...{ excessMean, excessMedian },
    tClustered: clusteredT(bySession, { center: excessMean, count, size }, horizon),
    ...{ extreme, flagged },
  };
}

function* meansOf(columns: readonly Float64Array[]): Generator<undefined, number[]> {
  const sums = new Sums(columns.length);
  for (const [at, values] of columns.entries()) {
    for (let start = 0; start < values.length; start += EVENTS_AT_ONCE) {
      sums.addValues(at, values.subarray(start, start + EVENTS_AT_ONCE));
      yield;
    }
  }
  return columns.map((values, at) => sums.of(at) / values.length);
}

/** Returns the squares of the deviations of returns, and by session the deviations of the excess. */
function* spreadOf(
  { returns, excess, sessions, counts }: GroupReturns,
  { mean, excessMean }: { mean: number; excessMean: number },
): Generator<undefined, { squares: number; bySession: Float64Array }> {
  const squares = new Sums(1);
  const sums = new Sums(counts.length);
  for (let start = 0; start < returns.length; start += EVENTS_AT_ONCE) {
    const end = Math.min(returns.length, start + EVENTS_AT_ONCE);
    squares.addSquares(0, returns.subarray(start, end), mean);
    sums.addDeviations(sessions.subarray(start, end), excess.subarray(start, end), excessMean);
    yield;
  }
  return { squares: squares.of(0), bySession: sums.all() };
}
