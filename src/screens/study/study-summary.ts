/** Summary of events by group and horizon. */

import { clusteredT, quantiles } from './statistics.ts';
import type { StudyEvents } from './study-events.ts';
import { Sums } from './sums.ts';

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
  flagged: number;
}

/** Events handled before other work may run: some 2 ms. */
export const EVENTS_AT_ONCE = 65_536;

/** Facts about the events of a group that no horizon changes. */
interface EventGroup {
  places: Int32Array;
  /** First session of an event: those of `sessions` count from it. */
  first: number;
  /** By event. */
  sessions: Int32Array;
  /** Sessions from the first event to the last one. */
  sessionCount: number;
  entered: number;
  days: number;
  symbols: number;
}

/** Events with a return at a horizon, and counts of them. */
interface GroupReturns {
  count: number;
  returns: Float64Array;
  excess: Float64Array;
  /** Returns of the universe on the days of the events. */
  market: Float64Array;
  sessions: Int32Array;
  early: number;
  flagged: number;
  hits: number;
  extreme: number;
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
  const group = yield* eventGroup(events, places, universe[0]);
  const size = places.length;
  const [returns, excess, market] = [0, 1, 2].map(() => new Float64Array(size));
  const room = { returns, excess, market, sessions: new Int32Array(size) };
  const summaries: HorizonSummary[] = [];
  for (const [place, sessions] of horizons.entries()) {
    const known = yield* groupReturns(events, group, place, universe[place], room);
    summaries.push(yield* summaryOf(group, known, sessions));
  }
  return summaries;
}

function* eventGroup(
  events: StudyEvents,
  places: Int32Array,
  { counts }: UniverseReturns,
): Generator<undefined, EventGroup> {
  const sessions = new Int32Array(places.length);
  const seen = new Uint8Array(counts.length);
  const symbols = new Set<number>();
  let [entered, symbol] = [0, -1];
  for (const [i, at] of places.entries()) {
    const session = events.sessions[at];
    sessions[i] = session;
    seen[session] = 1;
    entered += events.entered[at];
    if (events.numbers[at] !== symbol) {
      symbol = events.numbers[at];
      symbols.add(symbol);
    }
    if (i % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
  }
  const first = Math.max(0, seen.indexOf(1));
  for (let i = 0; i < sessions.length; i++) sessions[i] -= first;
  return {
    ...{ places, first, sessions, entered },
    sessionCount: seen.lastIndexOf(1) + 1 - first,
    days: seen.reduce((sum, one) => sum + one, 0),
    symbols: symbols.size,
  };
}

/** @param room Columns that receive the events with a return. */
function* groupReturns(
  events: StudyEvents,
  { places, first, sessions, sessionCount }: EventGroup,
  place: number,
  universe: UniverseReturns,
  room: Pick<GroupReturns, 'returns' | 'excess' | 'market' | 'sessions'>,
): Generator<undefined, GroupReturns> {
  const means = new Float64Array(sessionCount);
  for (let at = 0; at < sessionCount; at++) means[at] = universeReturn(universe, first + at);
  const [returns, early, flagged] = [events.returns, events.early, events.flagged].map(
    (columns) => columns[place],
  );
  const known = { ...room, count: 0, early: 0, flagged: 0, hits: 0, extreme: 0 };
  for (let start = 0; start < places.length; start += EVENTS_AT_ONCE) {
    let { count } = known;
    const end = Math.min(places.length, start + EVENTS_AT_ONCE);
    for (let i = start; i < end; i++) {
      const at = places[i];
      const value = returns[at];
      if (Number.isNaN(value)) continue;
      const mean = means[sessions[i]];
      room.returns[count] = value;
      room.excess[count] = value - mean;
      room.market[count] = mean;
      room.sessions[count++] = sessions[i];
      known.early += early[at];
      known.flagged += flagged[at];
      if (value > 0) known.hits++;
      if (value > EXTREME_RETURN) known.extreme++;
    }
    known.count = count;
    yield;
  }
  return known;
}

function* summaryOf(
  { places, entered, days, symbols, sessionCount }: EventGroup,
  known: GroupReturns,
  horizon: number,
): Generator<undefined, HorizonSummary> {
  const { count, early, hits, extreme, flagged, sessions } = known;
  const [returns, excess, market] = [known.returns, known.excess, known.market].map((column) =>
    column.subarray(0, count),
  );
  const [mean, excessMean, universeMean] = yield* meansOf([returns, excess, market]);
  const { size, squares, bySession } = yield* spreadOf(
    { returns, excess, sessions, sessionCount },
    { mean, excessMean },
  );
  // These change the order of the columns.
  const [p05, p25, median, p75, p95] = yield* quantiles(returns, [0.05, 0.25, 0.5, 0.75, 0.95]);
  const [excessMedian] = yield* quantiles(excess, [0.5]);
  const [universeMedian] = yield* quantiles(market, [0.5]);
  return {
    ...{ horizon, events: places.length, returns: count, entered, early, open: entered - count },
    ...{ days, symbols, mean, median, hit: hits / count, p05, p25, p75, p95 },
    sd: count < 2 ? Number.NaN : Math.sqrt(squares / (count - 1)),
    ...{ universeMean, universeMedian, excessMean, excessMedian },
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

/** Returns sums over the deviations of the returns, and by session of the excess. */
function* spreadOf(
  {
    returns,
    excess,
    sessions,
    sessionCount,
  }: Pick<GroupReturns, 'returns' | 'excess' | 'sessions'> & { sessionCount: number },
  { mean, excessMean }: { mean: number; excessMean: number },
): Generator<undefined, { size: number; squares: number; bySession: Float64Array }> {
  const all = new Sums(2);
  const sums = new Sums(sessionCount);
  for (let start = 0; start < returns.length; start += EVENTS_AT_ONCE) {
    const end = Math.min(returns.length, start + EVENTS_AT_ONCE);
    all.addValues(
      0,
      returns.subarray(start, end).map((value) => (value - mean) ** 2),
    );
    const part = excess.subarray(start, end);
    all.addValues(1, part.map(Math.abs));
    sums.addDeviations(sessions.subarray(start, end), part, excessMean);
    yield;
  }
  return {
    squares: all.of(0),
    size: all.of(1),
    bySession: Float64Array.from({ length: sessionCount }, (_, session) => sums.of(session)),
  };
}
