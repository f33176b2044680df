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

/** Events of a group with a return at a horizon, and counts of the others. */
class GroupReturns {
  readonly counts = { entered: 0, early: 0, hits: 0, extreme: 0, flagged: 0, days: 0, symbols: 0 };
  count = 0;
  readonly returns: Float64Array;
  readonly excess: Float64Array;
  readonly sessions: Int32Array;
  /** Returns of the universe on the days of the events. */
  readonly market: Float64Array;
  /** Sessions from the first event to the last one. */
  readonly sessionCount: number;
  readonly #universe: UniverseReturns;
  readonly #means: Float64Array;
  readonly #seen: Uint8Array;
  readonly #symbols = new Set<number>();
  readonly #sums = new Sums(4);

  /** First session of an event: those of the columns count from it. */
  readonly #first: number;

  constructor(events: StudyEvents, places: Int32Array, universe: UniverseReturns) {
    let [first, last] = [universe.counts.length, 0];
    for (const at of places) {
      first = Math.min(first, events.sessions[at]);
      last = Math.max(last, events.sessions[at]);
    }
    const length = Math.max(0, last - first + 1);
    const size = places.length;
    this.#first = first;
    this.returns = new Float64Array(size);
    this.excess = new Float64Array(size);
    this.sessions = new Int32Array(size);
    this.market = new Float64Array(size);
    this.sessionCount = length;
    this.#universe = universe;
    this.#means = new Float64Array(length);
    this.#seen = new Uint8Array(length);
  }

  take(events: StudyEvents, place: number, places: Int32Array): void {
    const { counts } = this;
    let symbol = -1;
    for (const at of places) {
      const session = events.sessions[at] - this.#first;
      if (this.#seen[session] === 0) this.#open(session);
      if (events.numbers[at] !== symbol) {
        symbol = events.numbers[at];
        this.#symbols.add(symbol);
      }
      if (events.entered[at] !== 1) continue;
      counts.entered++;
      const value = events.returns[place][at];
      if (Number.isNaN(value)) continue;
      if (events.early[place][at] === 1) counts.early++;
      if (events.flagged[place][at] === 1) counts.flagged++;
      this.#add(value, session);
    }
    counts.symbols = this.#symbols.size;
  }

  #open(session: number): void {
    this.#seen[session] = 1;
    this.#means[session] = universeReturn(this.#universe, this.#first + session);
    this.counts.days++;
  }

  #add(value: number, session: number): void {
    const at = this.count++;
    const market = this.#means[session];
    this.returns[at] = value;
    this.excess[at] = value - market;
    this.sessions[at] = session;
    this.market[at] = market;
    if (value > 0) this.counts.hits++;
    if (value > EXTREME_RETURN) this.counts.extreme++;
    this.#sums.add(0, value);
    this.#sums.add(1, value - market);
    this.#sums.add(2, market);
    this.#sums.add(3, Math.abs(value - market));
  }

  means(): { mean: number; excessMean: number; universeMean: number } {
    const [mean, excessMean, universeMean] = [0, 1, 2].map(
      (one) => this.#sums.of(one) / this.count,
    );
    return { mean, excessMean, universeMean };
  }

  /** Returns the sum of the sizes of the excess. */
  size(): number {
    return this.#sums.of(3);
  }
}

/**
 * @param places  Events of the group, in any order.
 * @param horizon Its place in the events' columns, and its sessions.
 */
export function* horizonSummary(
  events: StudyEvents,
  places: Int32Array,
  horizon: { place: number; sessions: number },
  universe: UniverseReturns,
): Generator<undefined, HorizonSummary> {
  const group = new GroupReturns(events, places, universe);
  for (let start = 0; start < places.length; start += EVENTS_AT_ONCE) {
    group.take(events, horizon.place, places.subarray(start, start + EVENTS_AT_ONCE));
    yield;
  }
  const { count, counts } = group;
  const [returns, excess] = [group.returns.subarray(0, count), group.excess.subarray(0, count)];
  const { mean, ...means } = group.means();
  const spread = yield* spreadOf(group, mean, means.excessMean);
  const [p05, p25, median, p75, p95] = yield* quantiles(returns, [0.05, 0.25, 0.5, 0.75, 0.95]);
  const [excessMedian] = yield* quantiles(excess, [0.5]);
  const [universeMedian] = yield* quantiles(group.market.subarray(0, count), [0.5]);
  return {
    ...{ horizon: horizon.sessions, events: places.length, returns: count },
    ...{ entered: counts.entered, early: counts.early, open: counts.entered - count },
    ...{ days: counts.days, symbols: counts.symbols },
    ...{ mean, median, hit: counts.hits / count, sd: spread.sd, p05, p25, p75, p95 },
    ...{ ...means, universeMedian, excessMedian },
    tClustered: clusteredT(
      spread.bySession,
      { center: means.excessMean, count, size: group.size() },
      horizon.sessions,
    ),
    ...{ extreme: counts.extreme, flagged: counts.flagged },
  };
}

/** Returns the deviation of the returns, and by session the sum of deviations of the excess. */
function* spreadOf(
  { count, returns, excess, sessions, sessionCount }: GroupReturns,
  mean: number,
  excessMean: number,
): Generator<undefined, { sd: number; bySession: Float64Array }> {
  const squares = new Sums(1);
  const sums = new Sums(sessionCount);
  for (let start = 0; start < count; start += EVENTS_AT_ONCE) {
    const end = Math.min(count, start + EVENTS_AT_ONCE);
    for (let at = start; at < end; at++) {
      squares.add(0, (returns[at] - mean) ** 2);
      sums.add(sessions[at], excess[at] - excessMean);
    }
    yield;
  }
  return {
    sd: count < 2 ? Number.NaN : Math.sqrt(squares.of(0) / (count - 1)),
    bySession: Float64Array.from({ length: sessionCount }, (_, session) => sums.of(session)),
  };
}
