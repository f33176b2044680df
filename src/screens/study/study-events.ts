/** Events of studies as columns, in the order in which they are found. */

const FIRST_ROOM = 1024;

/** Marks of an event at a horizon: the exit was the last close of a symbol that ended. */
export const EARLY = 1;

/** The return touches a flagged price. */
export const FLAGGED_BIT = 1;
export const FLAGGED = 1 << FLAGGED_BIT;

export class StudyEvents {
  count = 0;
  /** One more than the largest number of a symbol. */
  numberEnd = 0;
  numbers = new Int32Array(FIRST_ROOM);
  rows = new Int32Array(FIRST_ROOM);
  sessions = new Int32Array(FIRST_ROOM);
  /** 1 if the symbol has a bar after the signal. */
  entered = new Uint8Array(FIRST_ROOM);
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

  add(at: number): void {
    if (this.count === this.#places.length) {
      this.#places = copied(new Int32Array(2 * this.count), this.#places);
    }
    this.#places[this.count++] = at;
  }

  all(): Int32Array {
    return this.#places.subarray(0, this.count);
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

function copied<T extends Float64Array | Int32Array | Uint8Array>(to: T, from: T): T {
  to.set(from);
  return to;
}
