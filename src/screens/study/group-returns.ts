/** Returns of the events of groups at a horizon, and their sums. */

import type { UniverseReturns } from './return-sums.ts';
import { BinnedNumbers, POSITIVE_BIN, takeBins } from './statistics.ts';
import { EARLY, FLAGGED_BIT, type StudyEvents } from './study-events.ts';
import { COARSE, FINE, Sums } from './sums.ts';

/** Returns above it, 1,000 %, are counted: they are mostly bad bars. */
const EXTREME_RETURN = 10;

const RETURN_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];
const EXCESS_SHARES = [0.5];

/** Returns of all events at a horizon, with the numbers that groups have in common. */
export class EventReturns {
  readonly sessions: Int32Array;
  returns: Float64Array = new Float64Array(0);
  marks: Uint8Array = new Uint8Array(0);
  /** Returns less those of the universe on the same session. */
  readonly excess: Float64Array;
  readonly bins: Uint16Array;
  readonly excessBins: Uint16Array;

  constructor(events: StudyEvents) {
    this.sessions = events.sessions;
    this.excess = new Float64Array(events.count);
    this.bins = new Uint16Array(events.count);
    this.excessBins = new Uint16Array(events.count);
  }

  /** Goes on with a horizon. */
  begin(events: StudyEvents, horizon: number): void {
    this.returns = events.returns[horizon];
    this.marks = events.marks[horizon];
  }

  /** Makes the numbers of some events. */
  take({ means }: UniverseReturns, { start, end }: { start: number; end: number }): void {
    const { sessions, returns, excess } = this;
    for (let at = start; at < end; at++) excess[at] = returns[at] - means[sessions[at]];
    takeBins(returns, this.bins, { start, end });
    takeBins(excess, this.excessBins, { start, end });
  }
}

/**
 * Sums of a group at a horizon. Its events are read twice, piece by piece: `addReturns` of all pieces,
 * then `addDeviations`. Groups take a piece one after the other, while it is in the cache.
 */
export class GroupReturns {
  /** By market session, events with a return, and the two parts of the sum of their excess. */
  readonly counts: Float64Array;
  readonly #coarse: Float64Array;
  readonly #fine: Float64Array;
  readonly #returns = new BinnedNumbers();
  readonly #excess = new BinnedNumbers();
  /** Sum of the returns, and of the squares of their distances from the mean: two parts each. */
  readonly #sum = new Float64Array(2);
  readonly #squares = new Float64Array(2);
  #places: Int32Array = new Int32Array(0);
  /** The next one of the places. */
  #next = 0;
  count = 0;
  early = 0;
  flagged = 0;
  hits = 0;
  extreme = 0;
  /** Sum of the sizes of the excess. */
  size = 0;

  constructor(sessionCount: number) {
    this.counts = new Float64Array(sessionCount);
    this.#coarse = new Float64Array(sessionCount);
    this.#fine = new Float64Array(sessionCount);
  }

  /** Begins with the events of a group at a horizon. @param places Ascending. */
  begin(places: Int32Array): void {
    const { counts } = this;
    for (const column of [counts, this.#coarse, this.#fine, this.#sum, this.#squares])
      column.fill(0);
    this.#returns.clear();
    this.#excess.clear();
    this.#places = places;
    this.#next = 0;
    [this.count, this.early, this.flagged, this.hits, this.extreme, this.size] = [0, 0, 0, 0, 0, 0];
  }

  /** Adds the returns of the events before one. @returns how many events there were. */
  addReturns(of: EventReturns, end: number): number {
    const { returns, excess: excesses, sessions, marks, bins, excessBins } = of;
    const [counts, coarses, fines, places] = [this.counts, this.#coarse, this.#fine, this.#places];
    const [binned, binnedExcess] = [this.#returns.counts, this.#excess.counts];
    let { count, early, flagged, hits, extreme, size } = this;
    let [coarseSum, fineSum] = this.#sum;
    let i = this.#next;
    for (; i < places.length && places[i] < end; i++) {
      const at = places[i];
      const value = returns[at];
      if (Number.isNaN(value)) continue;
      const coarse = value + COARSE - COARSE;
      coarseSum += coarse;
      fineSum += value - coarse + FINE - FINE;
      const bin = bins[at];
      binned[bin]++;
      // A branch on the sign would be guessed wrong for half of the returns.
      if (value !== 0) hits += 1 + ((bin - POSITIVE_BIN) >> 31);
      if (value > EXTREME_RETURN) extreme++;
      early += marks[at] & EARLY;
      flagged += marks[at] >> FLAGGED_BIT;
      const excess = excesses[at];
      const coarseExcess = excess + COARSE - COARSE;
      const session = sessions[at];
      counts[session]++;
      coarses[session] += coarseExcess;
      fines[session] += excess - coarseExcess + FINE - FINE;
      size += Math.abs(excess);
      binnedExcess[excessBins[at]]++;
      count++;
    }
    const added = i - this.#next;
    this.#next = i;
    this.#sum[0] = coarseSum;
    this.#sum[1] = fineSum;
    Object.assign(this, { count, early, flagged, hits, extreme, size });
    return added;
  }

  /** Ends the first reading. */
  turn(): void {
    this.#returns.choose(RETURN_SHARES);
    this.#excess.choose(EXCESS_SHARES);
    this.#next = 0;
  }

  /** Adds the deviations of the events before one. @returns how many events there were. */
  addDeviations({ returns, excess, bins, excessBins }: EventReturns, end: number): number {
    const { mean } = this;
    const places = this.#places;
    const { next, taken } = this.#returns;
    const { next: nextExcess, taken: takenExcess } = this.#excess;
    let [coarseSum, fineSum] = this.#squares;
    let i = this.#next;
    for (; i < places.length && places[i] < end; i++) {
      const at = places[i];
      const value = returns[at];
      if (Number.isNaN(value)) continue;
      const square = (value - mean) ** 2;
      const coarse = square + COARSE - COARSE;
      coarseSum += coarse;
      fineSum += square - coarse + FINE - FINE;
      const bin = bins[at];
      if (next[bin] >= 0) taken[next[bin]++] = value;
      const excessBin = excessBins[at];
      if (nextExcess[excessBin] >= 0) takenExcess[nextExcess[excessBin]++] = excess[at];
    }
    const added = i - this.#next;
    this.#next = i;
    this.#squares[0] = coarseSum;
    this.#squares[1] = fineSum;
    return added;
  }

  get mean(): number {
    return (this.#sum[0] + this.#sum[1]) / this.count;
  }

  /** Standard deviation of the returns, with n − 1; NaN for fewer than two. */
  get sd(): number {
    const [coarse, fine] = this.#squares;
    return this.count < 2 ? Number.NaN : Math.sqrt((coarse + fine) / (this.count - 1));
  }

  /** Quantiles of the returns, and the median excess. */
  quantiles() {
    const [p05, p25, median, p75, p95] = this.#returns.quantiles(RETURN_SHARES);
    const [excessMedian] = this.#excess.quantiles(EXCESS_SHARES);
    return { p05, p25, median, p75, p95, excessMedian };
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
