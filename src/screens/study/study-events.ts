/** Events of studies as columns, in the order in which they are found until they are sorted. */

const FIRST_ROOM = 1024;

/** Events handled before other work may run: some 2 ms. */
export const EVENTS_AT_ONCE = 65_536;

type Column = Float64Array | Int32Array | Uint8Array;

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
   * Puts the events into the order of their sessions, and the places of studies with them. Sums by
   * session of many studies then stay in the cache.
   */
  *sortBySession(studies: readonly Int32Array[]): Generator<undefined> {
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
    const bits = new Uint32Array((this.count + 31) >>> 5);
    for (const places of studies) {
      movePlaces(places, placeOf, bits);
      yield;
    }
  }

  /** Returns places by session, then by symbol. */
  ordered(places: Int32Array): Int32Array {
    return byCount(byCount(places, this.numbers), this.sessions);
  }
}

/** Places of a study's events. */
export class Places {
  static readonly BYTES = Int32Array.BYTES_PER_ELEMENT;
  count = 0;
  #places = new Int32Array(64);

  /** Adds the events of the first `count` rows. @param eventOf By row, its event. */
  addRows(rows: Int32Array, count: number, eventOf: Int32Array): void {
    while (this.count + count > this.#places.length) {
      this.#places = copied(new Int32Array(2 * this.#places.length), this.#places);
    }
    const [places, first] = [this.#places, this.count];
    for (let i = 0; i < count; i++) places[first + i] = eventOf[rows[i]];
    this.count += count;
  }

  all(): Int32Array {
    return this.#places.subarray(0, this.count);
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

/** Replaces places by others, ascending. @param bits A bit for each place, all 0. */
function movePlaces(places: Int32Array, placeOf: Int32Array, bits: Uint32Array): void {
  for (let i = 0; i < places.length; i++) {
    const place = placeOf[places[i]];
    bits[place >>> 5] |= 1 << (place & 31);
  }
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word] | 0; left !== 0; left &= left - 1) {
      places[count++] = word * 32 + 31 - Math.clz32(left & -left);
    }
    bits[word] = 0;
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
