/** Summary of events by group and horizon. */

import type { UniverseReturns } from './return-sums.ts';
import { clusteredT, medianOfCounted, quantiles } from './statistics.ts';
import { EARLY, FLAGGED_BIT, type StudyEvents } from './study-events.ts';
import { byMarketDay, type StudyMarket } from './study-market.ts';
import { COARSE, FINE, Sums } from './sums.ts';

/** Returns above it, 1,000 %, are counted: they are mostly bad bars. */
export const EXTREME_RETURN = 10;

/** Events handled before other work may run: some 2 ms. */
export const EVENTS_AT_ONCE = 65_536;

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
  const seenSessions = new Uint8Array(sessionCount);
  const seenNumbers = new Uint8Array(events.numberEnd);
  let [entered, symbols, days] = [0, 0, 0];
  for (let i = 0; i < places.length; i++) {
    const at = places[i];
    const session = events.sessions[at];
    sessions[i] = session;
    days += 1 - seenSessions[session];
    seenSessions[session] = 1;
    entered += events.entered[at];
    const number = events.numbers[at];
    symbols += 1 - seenNumbers[number];
    seenNumbers[number] = 1;
    if (i % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
  }
  return { places, sessions, entered, days, symbols };
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

/** Returns of a group's events at a horizon, with their sums: made in one pass, in memory used again. */
class GroupReturns {
  /** Returns, and those less the universe's; the first `count` of each. */
  readonly #returns: Float64Array;
  readonly #excess: Float64Array;
  /** By market session, events with a return, and the two parts of the sum of their excess. */
  readonly counts: Float64Array;
  readonly #coarse: Float64Array;
  readonly #fine: Float64Array;
  count = 0;
  early = 0;
  flagged = 0;
  hits = 0;
  extreme = 0;
  /** Sum of the sizes of the excess. */
  size = 0;
  #sum = new Sums(1);

  constructor(eventCount: number, sessionCount: number) {
    this.#returns = new Float64Array(eventCount);
    this.#excess = new Float64Array(eventCount);
    this.counts = new Float64Array(sessionCount);
    this.#coarse = new Float64Array(sessionCount);
    this.#fine = new Float64Array(sessionCount);
  }

  get returns(): Float64Array {
    return this.#returns.subarray(0, this.count);
  }

  get excess(): Float64Array {
    return this.#excess.subarray(0, this.count);
  }

  /** Collects the returns of a horizon. @param sessions By place, the event's session. */
  *collect(
    events: StudyEvents,
    { places, sessions }: { places: Int32Array; sessions: Int32Array },
    horizon: number,
    { means }: UniverseReturns,
  ): Generator<undefined> {
    for (const column of [this.counts, this.#coarse, this.#fine]) column.fill(0);
    this.#sum = new Sums(1);
    [this.count, this.early, this.flagged, this.hits, this.extreme, this.size] = [0, 0, 0, 0, 0, 0];
    const [returns, marks] = [events.returns[horizon], events.marks[horizon]];
    for (let start = 0; start < places.length; start += EVENTS_AT_ONCE) {
      const end = start + EVENTS_AT_ONCE;
      const from = this.count;
      const some = places.subarray(start, end);
      this.#gather(some, sessions.subarray(start, end), { returns, marks, means });
      this.#sum.addValues(0, this.#returns.subarray(from, this.count));
      yield;
    }
  }

  #gather(
    places: Int32Array,
    sessions: Int32Array,
    of: { returns: Float64Array; marks: Uint8Array; means: Float64Array },
  ): void {
    const { returns, marks, means } = of;
    const [own, excesses, counts] = [this.#returns, this.#excess, this.counts];
    const [coarses, fines] = [this.#coarse, this.#fine];
    const halves = new Int32Array(own.buffer);
    let { count, early, flagged, hits, extreme, size } = this;
    for (let i = 0; i < places.length; i++) {
      const at = places[i];
      const value = returns[at];
      if (Number.isNaN(value)) continue;
      const session = sessions[i];
      const excess = value - means[session];
      own[count] = value;
      // A branch on the sign would be guessed wrong for half of the returns.
      if (value !== 0) hits += 1 + (halves[2 * count + 1] >> 31);
      if (value > EXTREME_RETURN) extreme++;
      excesses[count++] = excess;
      counts[session]++;
      const coarse = excess + COARSE - COARSE;
      coarses[session] += coarse;
      fines[session] += excess - coarse + FINE - FINE;
      size += Math.abs(excess);
      early += marks[at] & EARLY;
      flagged += marks[at] >> FLAGGED_BIT;
    }
    Object.assign(this, { count, early, flagged, hits, extreme, size });
  }

  get mean(): number {
    return this.#sum.of(0) / this.count;
  }

  /** Mean of the excess. */
  get excessMean(): number {
    // Both parts are multiples of a small number, so their sums are exact.
    let [coarse, fine] = [0, 0];
    for (let session = 0; session < this.#coarse.length; session++) {
      coarse += this.#coarse[session];
      fine += this.#fine[session];
    }
    return (coarse + fine) / this.count;
  }

  /** Mean of the universe's returns over the events. */
  universeMean({ means }: UniverseReturns): number {
    const sums = new Sums(1);
    for (let session = 0; session < means.length; session++) {
      const times = this.counts[session];
      if (times > 0) sums.addTimes(0, means[session], times);
    }
    return sums.of(0) / this.count;
  }

  /** Standard deviation of the returns, with n − 1; NaN for fewer than two. */
  *sd(): Generator<undefined, number> {
    const { count, mean } = this;
    if (count < 2) return Number.NaN;
    const squares = new Sums(1);
    for (let start = 0; start < count; start += EVENTS_AT_ONCE) {
      squares.addSquares(
        0,
        this.#returns.subarray(start, Math.min(count, start + EVENTS_AT_ONCE)),
        mean,
      );
      yield;
    }
    return Math.sqrt(squares.of(0) / (count - 1));
  }

  /** Returns by session the sum of the excess less its mean. */
  deviations(excessMean: number): Float64Array {
    const [counts, coarse, fine] = [this.counts, this.#coarse, this.#fine];
    const deviations = new Float64Array(counts.length);
    for (let session = 0; session < counts.length; session++) {
      deviations[session] = coarse[session] - counts[session] * excessMean + fine[session];
    }
    return deviations;
  }
}
