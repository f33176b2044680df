/** Returns of the events of groups at a horizon, and their sums. */

import type { UniverseReturns } from './return-sums.ts';
import { BinnedNumbers, POSITIVE_BIN, takeBins } from './statistics.ts';
import { EARLY, FLAGGED_BIT, type StudyEvents } from './study-events.ts';
import { COARSE, FINE, Sums } from './sums.ts';

/** Returns above it, 1,000 %, are counted: they are mostly bad bars. */
const EXTREME_RETURN = 10;

const RETURN_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];
const EXCESS_SHARES = [0.5];

/** Events at a horizon. */
export interface HorizonReturns {
  events: StudyEvents;
  /** Number of the horizon. */
  horizon: number;
  /** Returns of the universe by market session. */
  means: Float64Array;
}

/** Events of a piece: their numbers, 25 bytes each, stay in the cache. */
const PIECE_EVENTS = 4096;

/** Returns of some events at a horizon, one behind the other. */
export class ReturnsPiece {
  count = 0;
  readonly sessions: Int32Array = new Int32Array(PIECE_EVENTS);
  readonly marks: Uint8Array = new Uint8Array(PIECE_EVENTS);
  readonly returns: Float64Array = new Float64Array(PIECE_EVENTS);
  readonly bins: Uint16Array = new Uint16Array(PIECE_EVENTS);
  /** Returns less those of the universe on the same session. */
  readonly excess: Float64Array = new Float64Array(PIECE_EVENTS);
  readonly excessBins: Uint16Array = new Uint16Array(PIECE_EVENTS);

  /**
   * Takes the events before one that have a return, as many as a piece holds.
   *
   * @param start First one of the places.
   * @returns the end of those that were taken.
   */
  take(
    { events, horizon, means }: HorizonReturns,
    places: Int32Array,
    start: number,
    end: number,
  ): number {
    const [allReturns, allMarks] = [events.returns[horizon], events.marks[horizon]];
    const { sessions: allSessions } = events;
    const { returns, marks, sessions, excess } = this;
    const last = Math.min(places.length, start + PIECE_EVENTS);
    let count = 0;
    let i = start;
    for (; i < last && places[i] < end; i++) {
      const at = places[i];
      const value = allReturns[at];
      if (Number.isNaN(value)) continue;
      const session = allSessions[at];
      returns[count] = value;
      marks[count] = allMarks[at];
      sessions[count] = session;
      excess[count++] = value - means[session];
    }
    this.count = count;
    takeBins(returns, this.bins, { start: 0, end: count });
    takeBins(excess, this.excessBins, { start: 0, end: count });
    return i;
  }
}

/**
 * Sums of events at a horizon. A group reads its events twice, piece by piece: `addReturns` or `add`
 * of all, then `addDeviations` of all.
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

  /** Begins with other events. */
  clear(): void {
    const { counts } = this;
    for (const column of [counts, this.#coarse, this.#fine, this.#sum, this.#squares])
      column.fill(0);
    this.#returns.clear();
    this.#excess.clear();
    [this.count, this.early, this.flagged, this.hits, this.extreme, this.size] = [0, 0, 0, 0, 0, 0];
  }

  addReturns(piece: ReturnsPiece): void {
    const { returns, excess: excesses, sessions, marks, bins, excessBins } = piece;
    const [counts, coarses, fines] = [this.counts, this.#coarse, this.#fine];
    const [binned, binnedExcess] = [this.#returns.counts, this.#excess.counts];
    let { early, flagged, hits, extreme, size } = this;
    let [coarseSum, fineSum] = this.#sum;
    for (let at = 0; at < piece.count; at++) {
      const value = returns[at];
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
    }
    this.count += piece.count;
    this.#sum[0] = coarseSum;
    this.#sum[1] = fineSum;
    this.early = early;
    this.flagged = flagged;
    this.hits = hits;
    this.extreme = extreme;
    this.size = size;
  }

  /** Adds the sums of other events: they are exact, so events may come in any order. */
  add(other: GroupReturns): void {
    addEach(this.counts, other.counts);
    addEach(this.#coarse, other.#coarse);
    addEach(this.#fine, other.#fine);
    addEach(this.#sum, other.#sum);
    this.#returns.add(other.#returns);
    this.#excess.add(other.#excess);
    for (const name of ['count', 'early', 'flagged', 'hits', 'extreme', 'size'] as const)
      this[name] += other[name];
  }

  /** Ends the first reading. */
  turn(): void {
    this.#returns.choose(RETURN_SHARES);
    this.#excess.choose(EXCESS_SHARES);
  }

  addDeviations({ count, returns, excess, bins, excessBins }: ReturnsPiece): void {
    const { mean } = this;
    const { next, taken } = this.#returns;
    const { next: nextExcess, taken: takenExcess } = this.#excess;
    let [coarseSum, fineSum] = this.#squares;
    for (let at = 0; at < count; at++) {
      const value = returns[at];
      const square = (value - mean) ** 2;
      const coarse = square + COARSE - COARSE;
      coarseSum += coarse;
      fineSum += square - coarse + FINE - FINE;
      const bin = bins[at];
      if (next[bin] >= 0) taken[next[bin]++] = value;
      const excessBin = excessBins[at];
      if (nextExcess[excessBin] >= 0) takenExcess[nextExcess[excessBin]++] = excess[at];
    }
    this.#squares[0] = coarseSum;
    this.#squares[1] = fineSum;
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

function addEach(own: Float64Array, more: Float64Array): void {
  for (let i = 0; i < own.length; i++) own[i] += more[i];
}
