/**
 * Local variables, constants and rows of state of one piece of fused code. Two symbols, a pair, go
 * side by side in a vector. A column of the row that is computed is a local variable, known by the address
 * of its tile in the program.
 */

import type { Instruction } from '../operations/instruction.ts';
import { type Code, f64x2, get, I32, i32, type Local, set, splat, V128, v128 } from './encoding.ts';
import type { Sign } from './signs.ts';

/** Place of a pair's state: one address if the numbers of both stand side by side, else one each. */
export type Pointer = readonly Local[];

/** A ring of `span` rows of state. Operations of equal windows share one. */
export interface Ring {
  span: number;
  start: number;
  /** Place of the next row in the ring. */
  place: Local;
  /** That place in a ring at offset 0. */
  slot: Pointer;
  /** True if its operations do something at place 0. */
  opens: boolean;
}

/** Columns of one row. */
export class Row {
  readonly values = new Map<number, Local>();
  readonly changes = new Map<number, Local>();
  /** The row before, if the same code computes it. */
  readonly before: Row | undefined;
  /** Rows behind the place of the rings. */
  readonly index: number;
  /** True if a block may begin with the row. */
  readonly opens: boolean;
  /** True if windows of it, and of the row before, may be read as a whole. */
  readonly readsWhole: boolean;
  /** Number of the pair of symbols, of those that run together. */
  readonly pair: number;

  constructor(pair: number, before: Row | undefined, { opens = false, readsWhole = false }) {
    this.pair = pair;
    this.before = before;
    this.index = before ? before.index + 1 : 0;
    this.opens = opens;
    this.readsWhole = readsWhole;
  }
}

const NUMBER_BYTES = 8;
/** Bytes of a row of state of eight symbols. */
const STATE_ROW_BYTES = 64;
/** Bytes of one pair of symbols. */
export const VECTOR_BYTES = 16;

export class Emitter {
  readonly locals: number[] = [];
  readonly rings: Ring[] = [];
  /** The first row of state of the first pair. */
  readonly at: Pointer;
  /** 1 bits as long as all is as expected. */
  readonly good: Local;
  /** Bytes from one row of state to the next. */
  readonly rowBytes: number;
  /** Code that stores state behind all operations of the row; undefined if each stores at once. */
  readonly late: Code[] | undefined;
  /** Row of the series at which the code is. */
  readonly row: Local;
  readonly #parameterCount: number;
  readonly #poolAt: number;
  readonly #pool: number[];
  readonly #constants: ReadonlyMap<number, number>;
  /** State with its bound at the beginning of a run. */
  readonly #starts = new Map<Local, number>();
  readonly #lasting = new Set<Local>();
  /** Variables that hold state, by its offset. */
  readonly #carried = new Map<number, Local>();
  /** By pair and tile, the variable of the value before, and the offsets where it is saved. */
  readonly #last: Map<number, { local: Local; offsets: Set<number> }>[] = [];

  constructor(
    parameterCount: number,
    layout: 'side by side' | 'apart',
    part: {
      pool: number;
      numbers: number[];
      constants: ReadonlyMap<number, number>;
    },
  ) {
    this.#parameterCount = parameterCount;
    const isApart = layout === 'apart';
    this.rowBytes = isApart ? NUMBER_BYTES : STATE_ROW_BYTES;
    this.late = isApart ? [] : undefined;
    this.#poolAt = part.pool;
    this.#pool = part.numbers;
    this.#constants = part.constants;
    this.at = isApart ? [this.number(), this.number()] : [this.number()];
    this.good = this.vector();
    this.row = this.number();
  }

  vector(): Local {
    return this.#parameterCount + this.locals.push(V128) - 1;
  }

  number(): Local {
    return this.#parameterCount + this.locals.push(I32) - 1;
  }

  /** A number in both lanes. */
  constant(value: number): Code {
    let index = this.#pool.findIndex((one) => Object.is(one, value));
    if (index < 0) index = this.#pool.push(value) - 1;
    return v128.load(i32.of(0), this.#poolAt + VECTOR_BYTES * index);
  }

  constantOf(tile: number): number | undefined {
    return this.#constants.get(tile);
  }

  value(row: Row, tile: number): Code {
    const constant = this.#constants.get(tile);
    return constant === undefined ? get(row.values.get(tile)!) : this.constant(constant);
  }

  /** Gives a column its value in a row. */
  define(row: Row, tile: number, value: Code): Code {
    const local = row.values.get(tile) ?? this.vector();
    row.values.set(tile, local);
    return set(local, value);
  }

  /** A row of state that stays in a variable. */
  carry(row: Row, stateRow: number): Local {
    const offset = this.offset(row, stateRow);
    const local = this.#carried.get(offset) ?? this.vector();
    this.#carried.set(offset, local);
    return local;
  }

  /** A column's value one row before. Operations that keep it in their states share a variable. */
  previous(row: Row, tile: number, stateRow: number): Code {
    this.#last[row.pair] ??= new Map();
    const last = this.#last[row.pair];
    const kept = last.get(tile) ?? { local: this.vector(), offsets: new Set() };
    last.set(tile, kept);
    kept.offsets.add(this.offset(row, stateRow));
    return row.before ? this.value(row.before, tile) : get(kept.local);
  }

  /** Change of a column from the row before. */
  change(row: Row, tile: number, stateRow: number): { code: Code; local: Local } {
    const previous = this.previous(row, tile, stateRow);
    const known = row.changes.get(tile);
    if (known !== undefined) return { code: [], local: known };
    const local = this.vector();
    row.changes.set(tile, local);
    return { code: set(local, f64x2.sub(this.value(row, tile), previous)), local };
  }

  ring({ period, start }: Instruction, opens: boolean): Ring {
    let ring = this.rings.find((one) => one.span === period && one.start === start);
    if (!ring) {
      const [place, slot] = [this.number(), this.at.map(() => this.number())];
      ring = { span: period, start, place, slot, opens };
      this.rings.push(ring);
    }
    ring.opens ||= opens;
    return ring;
  }

  /** Bytes from the first row of state of the first pair to a row of the pair. */
  offset({ pair }: Row, stateRow: number): number {
    return stateRow * this.rowBytes + pair * VECTOR_BYTES;
  }

  load(pointer: Pointer, offset: number): Code {
    const [first, second] = pointer.map(get);
    if (!second) return v128.load(first, offset);
    return v128.loadSecond(second, offset, v128.loadFirst(first, offset));
  }

  store(pointer: Pointer, offset: number, value: Code): Code {
    const [first, second] = pointer.map(get);
    if (!second) return v128.store(first, offset, value);
    return [v128.storeLane(first, offset, value, 0), v128.storeLane(second, offset, value, 1)];
  }

  /** Stores state of a row: at once, or behind all operations. */
  keep(pointer: Pointer, offset: number, value: Code): Code {
    const code = this.store(pointer, offset, value);
    if (!this.late) return code;
    this.late.push(code);
    return [];
  }

  move(pointer: Pointer, from: Pointer, bytes: Code): Code {
    return pointer.map((local, i) => set(local, i32.add(get(from[i]), bytes)));
  }

  /** Gives up the symbols in the mask. */
  refuse(mask: Code): Code {
    return set(this.good, v128.andNot(get(this.good), mask));
  }

  /** Notes state that stays infinite or NaN once it is: `requireFinite` looks at it once. */
  staysFinite(local: Local): void {
    this.#lasting.add(local);
  }

  requireFinite(): Code {
    const infinity = this.constant(Number.POSITIVE_INFINITY);
    return [...this.#lasting].map((local) =>
      this.require(f64x2.lt(f64x2.abs(get(local)), infinity)),
    );
  }

  /** Requires that state is not below a bound: now, or when a run begins. */
  atLeast(local: Local, { now, atStart }: { now: number; atStart: number }): Code {
    if (this.late) return this.require(f64x2.ge(get(local), this.constant(now)));
    this.staysFinite(local);
    this.#starts.set(local, atStart);
    return [];
  }

  requireStarts(): Code {
    return [...this.#starts].map(([local, bound]) =>
      this.require(f64x2.ge(get(local), this.constant(bound))),
    );
  }

  require(mask: Code): Code {
    return set(this.good, v128.and(get(this.good), mask));
  }

  /** Begins with saved state. */
  loadState(): Code {
    const kept = this.#keptByOffset();
    const last = this.#last.flatMap((columns) => [...columns.values()]);
    const copies = last.flatMap(({ offsets }) => [...offsets].slice(1));
    for (const offset of copies) kept.delete(offset);
    return this.#inTwos(kept).map(([offset, one, two]) => {
      if (two === undefined) return set(one, this.load(this.at, offset));
      const [a, b] = this.at.map((symbol) => v128.load(get(symbol), offset));
      const [first, second] = [this.vector(), this.vector()];
      return [
        set(first, a),
        set(second, b),
        set(one, v128.firsts(get(first), get(second))),
        set(two, v128.seconds(get(first), get(second))),
      ];
    });
  }

  storeState(): Code {
    return this.#inTwos(this.#keptByOffset()).map(([offset, one, two]) => {
      if (two === undefined) return this.store(this.at, offset, get(one));
      const rows = [v128.firsts, v128.seconds].map((of) => of(get(one), get(two)));
      return this.at.map((symbol, i) => v128.store(get(symbol), offset, rows[i]));
    });
  }

  /** Variables that are saved. */
  #keptByOffset(): Map<number, Local> {
    const last = this.#last.flatMap((columns) =>
      [...columns.values()].flatMap(({ local, offsets }) =>
        [...offsets].map((offset) => [offset, local] as const),
      ),
    );
    return new Map([...this.#carried, ...last]);
  }

  /** Variables by offset; two together if both numbers of a symbol stand side by side. */
  #inTwos(kept: ReadonlyMap<number, Local>): [offset: number, one: Local, two?: Local][] {
    const left = new Map([...kept].sort(([a], [b]) => a - b));
    const twos: [number, Local, Local?][] = [];
    for (const [offset, one] of left) {
      const next = offset + NUMBER_BYTES;
      const two = this.at.length > 1 ? left.get(next) : undefined;
      twos.push(two === undefined ? [offset, one] : [offset, one, two]);
      if (two !== undefined) left.delete(next);
    }
    return twos;
  }

  /** Keeps the values that the next row reads as those before. */
  keepLast(row: Row): Code {
    return [...(this.#last[row.pair] ?? [])].map(([tile, { local }]) =>
      set(local, this.value(row, tile)),
    );
  }

  /** @param row Row of the series. */
  placeRings(row: Code): Code {
    return this.rings.map(({ span, start, place, slot }) => [
      set(place, i32.remU(i32.sub(row, i32.of(start)), i32.of(span))),
      this.move(slot, this.at, i32.mul(get(place), i32.of(this.rowBytes))),
    ]);
  }
}

/** Results of fused code: all is done. */
export const DONE = 0;
/** A symbol needs another way: state and output must be computed again. */
export const GAVE_UP = 1;
/** Some values are NaN, of any pattern. */
export const HAS_NAN = 2;

export const double = (value: Code): Code => splat(i32.toDouble(value));

/** Returns code that computes an operation in a row. */
export type Emit = (
  e: Emitter,
  one: Instruction,
  row: Row,
  signs: ReadonlyMap<number, Sign>,
) => Code;
