/** Events of studies as columns, in the order in which they are found until they are sorted. */

import type { SignalRows } from './signal-rows.ts';

const FIRST_ROOM = 1024;

/** Studies of a batch at most: each has a bit of a mask. */
export const BATCH_STUDIES = 16;

/** Events from which on those that the same studies have are read once for all of these. */
const CELL_EVENTS_MIN = 2000;

/** Cells of several studies of a batch: each takes some 100 KB over ten years while it is read. */
const CELLS_MAX = 32;

/** Events handled before other work may run: some 2 ms. */
export const EVENTS_AT_ONCE = 65_536;

type Column = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Marks of an event at a horizon: the exit was the last close of a symbol that ended. */
export const EARLY = 1;

/** The return touches a flagged price. */
export const FLAGGED_BIT = 1;
export const FLAGGED = 1 << FLAGGED_BIT;

export class StudyEvents {
  count = 0;
  /** One more than the largest number of a symbol. */
  numberEnd = 0;
  numbers: Int32Array = new Int32Array(FIRST_ROOM);
  rows: Int32Array = new Int32Array(FIRST_ROOM);
  sessions: Int32Array = new Int32Array(FIRST_ROOM);
  /** 1 if the symbol has a bar after the signal. */
  entered: Uint8Array = new Uint8Array(FIRST_ROOM);
  /** By horizon, the return; NaN if there is none. */
  readonly returns: Float64Array[];
  /** By horizon, `EARLY` and `FLAGGED` as they apply. */
  readonly marks: Uint8Array[];

  constructor(horizonCount: number) {
    this.returns = Array.from({ length: horizonCount }, () => new Float64Array(FIRST_ROOM));
    this.marks = Array.from({ length: horizonCount }, () => new Uint8Array(FIRST_ROOM));
  }

  /** Bytes of one event without its places. */
  static bytesOf(horizonCount: number): number {
    return 3 * 4 + 1 + horizonCount * 9;
  }

  /**
   * Adds an event without returns.
   *
   * @param number  Number of its symbol.
   * @param row     Row of the symbol's series.
   * @param session Number of its session.
   * @returns its place in the columns.
   */
  add(number: number, row: number, session: number): number {
    if (this.count === this.numbers.length) this.#grow();
    const at = this.count++;
    this.numbers[at] = number;
    this.numberEnd = Math.max(this.numberEnd, number + 1);
    this.rows[at] = row;
    this.sessions[at] = session;
    return at;
  }

  #grow(): void {
    const size = this.numbers.length * 2;
    this.numbers = copied(new Int32Array(size), this.numbers);
    this.rows = copied(new Int32Array(size), this.rows);
    this.sessions = copied(new Int32Array(size), this.sessions);
    this.entered = copied(new Uint8Array(size), this.entered);
    for (const [i, values] of this.returns.entries()) {
      this.returns[i] = copied(new Float64Array(size), values);
      this.marks[i] = copied(new Uint8Array(size), this.marks[i]);
    }
  }

  /**
   * Puts the events into the order of their sessions, and those of batches with them. Sums by session
   * of many studies then stay in the cache.
   */
  *sortBySession(batches: readonly StudyBatch[]): Generator<undefined> {
    const placeOf = yield* ranksBy(this.sessions.subarray(0, this.count));
    const size = this.numbers.length;
    this.numbers = yield* moved(new Int32Array(size), this.numbers, placeOf);
    this.rows = yield* moved(new Int32Array(size), this.rows, placeOf);
    this.sessions = yield* moved(new Int32Array(size), this.sessions, placeOf);
    this.entered = yield* moved(new Uint8Array(size), this.entered, placeOf);
    for (const [i, values] of this.returns.entries()) {
      this.returns[i] = yield* moved(new Float64Array(size), values, placeOf);
      this.marks[i] = yield* moved(new Uint8Array(size), this.marks[i], placeOf);
    }
    const masks = new Uint16Array(this.count);
    for (const batch of batches) {
      batch.move(placeOf, masks);
      yield;
    }
  }

  /** Returns places by session, then by symbol. */
  ordered(places: Int32Array): Int32Array {
    return byCount(byCount(places, this.numbers), this.sessions);
  }
}

/** Events that belong to the same groups. */
export interface EventCell {
  /** Ascending. */
  places: Int32Array;
  /** Numbers of the groups. */
  groups: readonly number[];
}

/** Events of some studies. Studies of a sweep have most of theirs in common. */
export class StudyBatch {
  /** Bytes of an event of a single study. */
  static readonly BYTES = Int32Array.BYTES_PER_ELEMENT;
  readonly studyCount: number;
  count = 0;
  #places = new Int32Array(64);
  /** Bits of the studies that have the event; a single study has all. */
  #masks: Uint16Array = new Uint16Array(64);

  constructor(studyCount: number) {
    this.studyCount = studyCount;
  }

  get bytes(): number {
    return (
      this.count * (StudyBatch.BYTES + (this.studyCount > 1 ? this.#masks.BYTES_PER_ELEMENT : 0))
    );
  }

  /** Adds the events of the first `count` rows. @param eventOf By row, its event. */
  addRows({ rows, masks }: SignalRows, count: number, eventOf: Int32Array): void {
    const isShared = this.studyCount > 1;
    while (this.count + count > this.#places.length) {
      const size = 2 * this.#places.length;
      this.#places = copied(new Int32Array(size), this.#places);
      if (isShared) this.#masks = copied(new Uint16Array(size), this.#masks);
    }
    const [places, first] = [this.#places, this.count];
    for (let i = 0; i < count; i++) places[first + i] = eventOf[rows[i]];
    if (isShared) this.#masks.set(masks.subarray(0, count), first);
    this.count += count;
  }

  /** Replaces places by others, ascending. @param masks As many as there are events, all 0. */
  move(placeOf: Int32Array, masks: Uint16Array): void {
    const [places, own] = [this.#places, this.#masks];
    const isShared = this.studyCount > 1;
    for (let i = 0; i < this.count; i++) masks[placeOf[places[i]]] = isShared ? own[i] : 1;
    let count = 0;
    for (let at = 0; at < masks.length; at++) {
      if (masks[at] === 0) continue;
      places[count] = at;
      if (isShared) own[count] = masks[at];
      count++;
      masks[at] = 0;
    }
  }

  /** Returns the events of a study, in their order. */
  placesOf(study: number): Int32Array {
    const places = this.#places.subarray(0, this.count);
    if (this.studyCount === 1) return places;
    return places.filter((_, i) => (this.#masks[i] >>> study) & 1);
  }

  /**
   * Divides the events, so that those with the same studies are one cell. Few events are a cell for
   * each of their studies. Groups are numbers of studies.
   */
  cells(): EventCell[] {
    if (this.studyCount === 1) return [{ places: this.placesOf(0), groups: [0] }];
    const counts = new Uint32Array(1 << this.studyCount);
    for (let i = 0; i < this.count; i++) counts[this.#masks[i]]++;
    const single = Array.from({ length: this.studyCount }, (_, study) => 1 << study);
    const isShared = (mask: number) => mask & (mask - 1) && counts[mask] >= CELL_EVENTS_MIN;
    const shared = [...counts.keys()].filter(isShared);
    shared.sort((a, b) => counts[b] - counts[a]).splice(CELLS_MAX);
    const cellOf = new Int8Array(counts.length).fill(-1);
    for (const [cell, mask] of [...single, ...shared].entries()) cellOf[mask] = cell;
    const groupsOf = (mask: number) => [...single.keys()].filter((study) => mask & single[study]);
    // Most masks stand for few events.
    const sizes = new Uint32Array(single.length + shared.length);
    for (let mask = 1; mask < counts.length; mask++) {
      if (counts[mask] === 0) continue;
      const own = cellOf[mask] >= 0 ? [cellOf[mask]] : groupsOf(mask);
      for (const cell of own) sizes[cell] += counts[mask];
    }
    const places = Array.from(sizes, (size) => new Int32Array(size));
    const ends = sizes.fill(0);
    for (let i = 0; i < this.count; i++) {
      const mask = this.#masks[i];
      const cell = cellOf[mask];
      if (cell >= 0) places[cell][ends[cell]++] = this.#places[i];
      else {
        for (let left = mask; left !== 0; left &= left - 1) {
          const study = 31 - Math.clz32(left & -left);
          places[study][ends[study]++] = this.#places[i];
        }
      }
    }
    return [...single, ...shared].map((mask, cell) => ({
      ...{ places: places[cell], groups: groupsOf(mask) },
    }));
  }
}

/** Returns the place of each number of a column among all in order; equal ones keep their order. */
function* ranksBy(column: Int32Array): Generator<undefined, Int32Array> {
  const starts = new Int32Array(1 + column.reduce((most, value) => Math.max(most, value), 0) + 1);
  yield;
  for (let at = 0; at < column.length; at++) starts[column[at] + 1]++;
  for (let value = 1; value < starts.length; value++) starts[value] += starts[value - 1];
  const ranks = new Int32Array(column.length);
  yield* inPieces(column.length, (start, end) => {
    for (let at = start; at < end; at++) ranks[at] = starts[column[at]]++;
  });
  return ranks;
}

/** Moves the numbers of a column. @returns `to`. */
function* moved<T extends Column>(to: T, from: T, placeOf: Int32Array): Generator<undefined, T> {
  yield* inPieces(placeOf.length, (start, end) => {
    for (let at = start; at < end; at++) to[placeOf[at]] = from[at];
  });
  return to;
}

/** Handles events piece by piece; other work may run after each. */
function* inPieces(
  count: number,
  work: (start: number, end: number) => void,
): Generator<undefined> {
  for (let start = 0; start < count; start += EVENTS_AT_ONCE) {
    work(start, Math.min(count, start + EVENTS_AT_ONCE));
    yield;
  }
}

/** Orders places by a column of small whole numbers; equal ones keep their order. */
function byCount(places: Int32Array, column: Int32Array): Int32Array {
  const most = places.reduce((most, at) => Math.max(most, column[at]), 0);
  const starts = new Int32Array(most + 2);
  for (const at of places) starts[column[at] + 1]++;
  for (let value = 0; value < most; value++) starts[value + 1] += starts[value];
  const ordered = new Int32Array(places.length);
  for (const at of places) ordered[starts[column[at]]++] = at;
  return ordered;
}

function copied<T extends Column>(to: T, from: T): T {
  to.set(from);
  return to;
}
