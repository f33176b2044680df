/**
 * Code of each operation for one row, in the steady state: behind the rows that seed it, or that
 * fill its first window. The bits are those of `wasm/`, whose files say why each is done that way.
 */

import { double, type Emitter, type Pointer, type Row, VECTOR_BYTES } from './fused-rows.ts';
import type { Instruction } from './layout.ts';
import * as codes from './opcodes.ts';
import {
  type Code,
  call,
  choose,
  f64x2,
  get,
  i32,
  i64x2,
  type Local,
  repeat,
  set,
  v128,
  when,
} from './wasm-encoding.ts';

const { add, sub, mul, div, abs, eq } = f64x2;

/** Facts that hold for a column wherever it has a value: it is never NaN nor −0, or is above 0. */
export type Sign = 'positive' | 'plain' | undefined;

type Emit = (e: Emitter, one: Instruction, row: Row, signs: ReadonlyMap<number, Sign>) => Code;

/** Row from which on an operation is in its steady state; undefined for one without code here. */
export function settledRow({ code, start, period }: Instruction): number | undefined {
  if (!emitters[code]) return undefined;
  if (code === codes.RSI) return start + period + 1;
  if (code === codes.FOLLOW || code === codes.HELD || code === codes.TREND) return start + 1;
  if (code === codes.PARABOLIC) return start + 2;
  return start + period;
}

export function emit(
  e: Emitter,
  one: Instruction,
  row: Row,
  signs: ReadonlyMap<number, Sign>,
): Code {
  return emitters[one.code]!(e, one, row, signs);
}

/** @param signs Signs of the columns before; receives those of the outputs. */
export function learnSigns(
  { code, inputs, outputs }: Instruction,
  signs: Map<number, Sign>,
  isInput: (tile: number) => boolean,
): void {
  const operands = inputs.map((tile) => signs.get(tile));
  const all = (...wanted: Sign[]) => operands.every((sign) => wanted.includes(sign));
  let sign: Sign;
  if (code === codes.SUBTRACT && all('positive') && inputs.every(isInput)) sign = 'plain';
  if (code === codes.ABSOLUTE && all('positive', 'plain')) sign = 'plain';
  if ((code === codes.ABOVE || code === codes.EQUAL) && all('positive', 'plain')) sign = 'plain';
  if (KEEP_SIGN.includes(code) && all('positive', 'plain')) {
    sign = all('positive') ? 'positive' : 'plain';
  }
  signs.set(outputs[0], sign);
}

const KEEP_SIGN: readonly number[] = [
  codes.DELAY,
  codes.PADDED,
  codes.SMALLER,
  codes.LARGER,
  codes.HIGHEST,
  codes.LOWEST,
];

const isPlain = (signs: ReadonlyMap<number, Sign>, tile: number) => signs.get(tile) !== undefined;

// One row at a time.

const simple =
  (of: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs: [a, b], outputs: [to] }, row) =>
    e.define(row, to, of(e.value(row, a), e.value(row, b)));

const extreme =
  (quick: (a: Code, b: Code) => Code, exact: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs: [a, b], outputs: [to] }, row, signs) => {
    const of = isPlain(signs, a) && isPlain(signs, b) ? quick : exact;
    return e.define(row, to, of(e.value(row, a), e.value(row, b)));
  };

const truth =
  (of: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs, outputs: [to] }, row, signs) => {
    const [a, b] = inputs.map((tile) => e.value(row, tile));
    const value = v128.and(of(a, b), e.constant(1));
    const doubtful = inputs.flatMap((tile, i) => (isPlain(signs, tile) ? [] : [[a, b][i]]));
    if (doubtful.length === 0) return e.define(row, to, value);
    const known = doubtful.map((one) => eq(one, one)).reduce((x, y) => v128.and(x, y));
    return e.define(row, to, v128.bitselect(value, e.constant(Number.NaN), known));
  };

const divide: Emit = (e, { inputs: [a, b], outputs: [to] }, row, signs) => {
  const quotient = div(e.value(row, a), e.value(row, b));
  if (signs.get(b) === 'positive') return e.define(row, to, quotient);
  const isNone = eq(e.value(row, b), e.constant(0));
  return e.define(row, to, v128.bitselect(e.constant(Number.NaN), quotient, isNone));
};

const both: Emit = (e, { inputs, outputs: [to] }, row) => {
  const [a, b] = inputs.map((tile) => e.value(row, tile));
  const isFalse = v128.or(eq(a, e.constant(0)), eq(b, e.constant(0)));
  return e.define(row, to, v128.andNot(f64x2.min(a, b), isFalse));
};

const either: Emit = (e, { inputs, outputs: [to] }, row) => {
  const [a, b] = inputs.map((tile) => e.value(row, tile));
  const one = e.constant(1);
  const isTrue = v128.or(eq(a, one), eq(b, one));
  return e.define(row, to, v128.bitselect(one, f64x2.max(a, b), isTrue));
};

const chosen: Emit = (e, { inputs, outputs: [to] }, row, signs) => {
  const [when, a, b] = inputs.map((tile) => e.value(row, tile));
  const isTrue = eq(when, e.constant(1));
  // A condition that is never NaN is 0 where it is not 1.
  const other = isPlain(signs, inputs[0])
    ? b
    : v128.bitselect(b, e.constant(Number.NaN), eq(when, e.constant(0)));
  return e.define(row, to, v128.bitselect(a, other, isTrue));
};

// From the last value on.

const ema =
  (isLag: boolean): Emit =>
  (e, { inputs: [x], outputs: [to], state, period }, row) => {
    const lag = e.carry(row, state + 1);
    const change = e.change(row, x, state);
    const decay = e.constant((period - 1) / (period + 1));
    return [
      change.code,
      set(lag, mul(sub(get(lag), get(change.local)), decay)),
      e.define(row, to, isLag ? get(lag) : add(e.value(row, x), get(lag))),
    ];
  };

const smooth: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const average = e.carry(row, state);
  const settled = (period - 1) / (period + 1);
  const kept = mul(get(average), e.constant(settled));
  const taken = mul(e.value(row, x), e.constant(1 - settled));
  return [set(average, add(kept, taken)), e.define(row, to, get(average))];
};

const wilder: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const sum = e.carry(row, state);
  const decay = e.constant((period - 1) / period);
  return [
    set(sum, add(mul(get(sum), decay), e.value(row, x))),
    e.define(row, to, div(get(sum), e.constant(period))),
  ];
};

const rsi: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const [net, gross] = [e.carry(row, state + 1), e.carry(row, state + 2)];
  const change = e.change(row, x, state);
  const decay = e.constant((period - 1) / period);
  const ratio = div(get(net), get(gross));
  return [
    change.code,
    set(net, add(mul(get(net), decay), get(change.local))),
    set(gross, add(mul(get(gross), decay), abs(get(change.local)))),
    e.require(f64x2.ge(get(gross), e.constant(1e-290))),
    e.define(row, to, add(e.constant(50), mul(e.constant(50), ratio))),
  ];
};

const follow: Emit = (e, { inputs: [x, share], outputs: [to], state }, row) => {
  const value = e.carry(row, state);
  const kept = sub(e.constant(1), e.value(row, share));
  const a = e.value(row, x);
  return [set(value, add(a, mul(kept, sub(get(value), a)))), e.define(row, to, get(value))];
};

const total: Emit = (e, { inputs: [x, restart], outputs: [to], state }, row) => {
  const sum = e.carry(row, state);
  const isNever = e.constantOf(restart) === 0;
  const before = isNever ? get(sum) : v128.and(get(sum), eq(e.value(row, restart), e.constant(0)));
  return [set(sum, add(before, e.value(row, x))), e.define(row, to, get(sum))];
};

const held: Emit = (e, { inputs: [x], outputs: [to], state }, row) => {
  const last = e.carry(row, state);
  const value = e.value(row, x);
  return [
    set(last, v128.bitselect(value, get(last), eq(value, value))),
    e.define(row, to, get(last)),
  ];
};

const within: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const [left, known] = [e.carry(row, state), e.carry(row, state + 1)];
  const [zero, one, span] = [0, 1, period].map((value) => e.constant(value));
  const truth = e.value(row, x);
  const other = v128.bitselect(zero, e.constant(Number.NaN), eq(get(known), span));
  return [
    set(left, v128.bitselect(span, f64x2.max(sub(get(left), one), zero), eq(truth, one))),
    set(known, v128.and(f64x2.min(add(get(known), one), span), eq(truth, truth))),
    e.define(row, to, v128.bitselect(one, other, f64x2.gt(get(left), zero))),
  ];
};

const delay: Emit = (e, one, row) => {
  const {
    inputs: [x],
    outputs: [to],
    state,
    period,
  } = one;
  if (period === 1) return e.define(row, to, e.previous(row, x, state));
  const { slot } = e.ring(one, false);
  const offset = e.offset(row, state + row.index);
  return [e.define(row, to, e.load(slot, offset)), e.keep(slot, offset, e.value(row, x))];
};

const padded: Emit = (e, { inputs: [x], outputs: [to] }, row) => e.define(row, to, e.value(row, x));

// Over the last rows.

/** Runs code for each row of a ring, from the last one on. */
function backwards(e: Emitter, span: number, body: (slot: Pointer) => Code): Code {
  const slot = e.at.map(() => e.number());
  return [
    e.move(slot, e.at, i32.of((span - 1) * e.rowBytes)),
    repeat(
      [body(slot), e.move(slot, slot, i32.of(-e.rowBytes))],
      i32.isZero(i32.ltU(get(slot[0]), get(e.at[0]))),
    ),
  ];
}

const PREFIX = 0;
const PIVOT = 1;
const LAST = 2;
const WHOLE = 3;
const PREFIX_TWO = 4;
const FIELDS = 5;
const OUTLIER_RATIO = 32;

type Sum = 'mean' | 'deviation' | 'weighted' | 'lean';

const sumOf =
  (kind: Sum): Emit =>
  (e, one, row) => {
    const {
      inputs: [input],
      outputs: [to, second],
      state,
      period,
    } = one;
    const isWeighted = kind === 'weighted' || kind === 'lean';
    const ring = e.ring(one, true);
    const fields = state + period;
    const [sum, pivot] = [e.carry(row, fields + PREFIX), e.carry(row, fields + PIVOT)];
    const two = kind === 'mean' ? undefined : e.carry(row, fields + PREFIX_TWO);
    const x = e.value(row, input);
    const slotOffset = e.offset(row, state + row.index);
    const moreOffset = e.offset(row, fields + FIELDS + row.index);
    const difference = e.vector();
    const suffix = e.vector();
    const code: Code[] = [];
    if (row.mayOpen) {
      code.push(
        when(i32.isZero(get(ring.place)), openSum(e, one, row, kind, x, { sum, pivot, two })),
      );
    }
    code.push(
      set(difference, sub(x, get(pivot))),
      set(suffix, e.load(ring.slot, slotOffset)),
      e.keep(ring.slot, slotOffset, x),
      set(sum, add(get(sum), get(difference))),
    );
    const share = e.constant(1 / period);
    const mean = () => mul(add(get(sum), get(suffix)), share);
    if (isWeighted) {
      const place = i32.add(get(ring.place), i32.of(row.index));
      const weights = e.constant(1 / ((period * (period + 1)) / 2));
      const weight = e.vector();
      const all = add(
        add(get(two!), mul(get(sum), sub(e.constant(period), get(weight)))),
        e.load(ring.slot, moreOffset),
      );
      code.push(
        set(weight, add(double(place), e.constant(1))),
        set(two!, add(get(two!), mul(get(difference), get(weight)))),
      );
      if (kind === 'weighted') code.push(e.define(row, to, add(get(pivot), mul(all, weights))));
      else {
        const middle = e.vector();
        code.push(
          set(middle, mean()),
          e.define(row, to, sub(mul(all, weights), get(middle))),
          e.define(row, second, add(get(pivot), get(middle))),
        );
      }
    } else if (kind === 'deviation') {
      const middle = e.vector();
      const squares = mul(add(get(two!), e.load(ring.slot, moreOffset)), share);
      code.push(
        set(middle, mean()),
        set(two!, add(get(two!), mul(get(difference), get(difference)))),
        e.define(row, to, f64x2.sqrt(abs(sub(squares, mul(get(middle), get(middle)))))),
        e.define(row, second, add(get(pivot), get(middle))),
      );
    } else code.push(e.define(row, to, add(get(pivot), mean())));
    if (row.mayOpen && !e.late) code.push(readWhole(e, one, row));
    return code;
  };

/** Values of symbols whose windows are read as a whole. */
function readWhole(e: Emitter, one: Instruction, row: Row): Code {
  const { code, outputs, state, period } = one;
  const flags = e.load(e.at, e.offset(row, state + period + WHOLE));
  const [to, second] = [0, VECTOR_BYTES].map((at) => i32.of(e.scratch + at));
  const slots = i32.add(get(e.at[0]), i32.of(e.offset(row, state)));
  const { place } = e.ring(one, true);
  const sizes = [i32.of(e.rowBytes), i32.of(period), get(place)];
  const reads = call(i32.of(code), to, second, slots, ...sizes);
  const values = outputs.slice(0, hasMean(code) ? 2 : 1).map((tile, i) => {
    const read = v128.load(i32.of(e.scratch), i * VECTOR_BYTES);
    return e.define(row, tile, v128.bitselect(read, e.value(row, tile), flags));
  });
  return when(v128.anyTrue(flags), [reads, values]);
}

/** True for operations whose mean is the second output. */
const hasMean = (code: number) => code === codes.DEVIATION || code === codes.LEAN;

/** 1 if windows of a symbol are read as a whole, else 0. */
export function isAnyWhole(e: Emitter, { state, period }: Instruction, row: Row): Code {
  return v128.anyTrue(e.load(e.at, e.offset(row, state + period + WHOLE)));
}

interface Fields {
  sum: Local;
  pivot: Local;
  two: Local | undefined;
}

function openSum(
  e: Emitter,
  { state, period }: Instruction,
  row: Row,
  kind: Sum,
  x: Code,
  { sum, pivot, two }: Fields,
): Code {
  const fields = state + period;
  const [value, difference, isWhole] = [e.vector(), e.vector(), e.vector()];
  const bound = mul(e.constant(OUTLIER_RATIO), abs(e.load(e.at, e.offset(row, fields + LAST))));
  // Windows that are read as a whole need the values.
  const suffixes = (kept: Code) =>
    backwards(e, period, (slot) => [
      set(value, e.load(slot, e.offset(row, state))),
      e.store(slot, e.offset(row, state), kept),
      two === undefined ? [] : e.store(slot, e.offset(row, fields + FIELDS), get(two)),
      set(difference, sub(get(value), get(pivot))),
      set(sum, add(get(sum), get(difference))),
      two === undefined
        ? []
        : kind === 'deviation'
          ? set(two, add(get(two), mul(get(difference), get(difference))))
          : set(two, add(get(two), get(sum))),
    ]);
  const clear = [sum, ...(two === undefined ? [] : [two])].map((one) => set(one, e.constant(0)));
  return [
    set(pivot, x),
    set(isWhole, f64x2.gt(abs(x), bound)),
    e.late ? e.refuse(get(isWhole)) : [],
    e.store(e.at, e.offset(row, fields + WHOLE), get(isWhole)),
    clear,
    e.late
      ? suffixes(get(sum))
      : choose(
          v128.anyTrue(get(isWhole)),
          suffixes(v128.bitselect(get(value), get(sum), get(isWhole))),
          suffixes(get(sum)),
        ),
    clear,
  ];
}

/** Keeps the mean of a block's last row. */
export function closeSum(
  e: Emitter,
  { code, outputs, state, period }: Instruction,
  row: Row,
): Code {
  const mean = e.value(row, outputs[hasMean(code) ? 1 : 0]);
  return e.store(e.at, e.offset(row, state + period + LAST), mean);
}

/** Gives up where a symbol's windows are read as a whole. */
export function checkWhole(e: Emitter, { state, period }: Instruction, row: Row): Code {
  return e.refuse(e.load(e.at, e.offset(row, state + period + WHOLE)));
}

const extremeOf =
  (isHighest: boolean): Emit =>
  (e, one, row, signs) => {
    const {
      inputs: [input],
      outputs: [to],
      state,
      period,
    } = one;
    const ring = e.ring(one, true);
    const best = e.carry(row, state + period);
    const quick = isHighest ? f64x2.pmax : f64x2.pmin;
    const exact = isHighest ? f64x2.max : f64x2.min;
    const pick = isPlain(signs, input) ? quick : exact;
    const none = e.constant(isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const offset = e.offset(row, state + row.index);
    const value = e.vector();
    const code: Code[] = [];
    if (row.mayOpen) {
      const open = [
        set(best, none),
        backwards(e, period, (slot) => [
          set(value, e.load(slot, e.offset(row, state))),
          e.store(slot, e.offset(row, state), get(best)),
          set(best, pick(get(best), get(value))),
        ]),
        set(best, none),
      ];
      code.push(when(i32.isZero(get(ring.place)), open));
    }
    code.push(
      set(best, pick(get(best), e.value(row, input))),
      e.define(row, to, pick(get(best), e.load(ring.slot, offset))),
      e.keep(ring.slot, offset, e.value(row, input)),
    );
    return code;
  };

/** The newest of equal values counts. */
const sinceExtreme =
  (isHighest: boolean): Emit =>
  (e, one, row) => {
    const { inputs, outputs, state, period } = one;
    const ring = e.ring(one, true);
    const [best, bestRow] = [state + period, state + 2 * period + 1].map((at) => e.carry(row, at));
    const beyond = isHighest ? f64x2.gt : f64x2.lt;
    const none = e.constant(isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const x = e.value(row, inputs[0]);
    const offset = e.offset(row, state + row.index);
    const rowsOffset = e.offset(row, state + period + 1 + row.index);
    const [here, is, value, valueRow] = [e.vector(), e.vector(), e.vector(), e.vector()];
    const take = (to: Local, other: Code) => set(to, v128.bitselect(get(to), other, get(is)));
    const open = [
      set(best, none),
      set(bestRow, e.constant(0)),
      backwards(e, period, (slot) => [
        set(value, e.load(slot, offset)),
        set(valueRow, e.load(slot, rowsOffset)),
        e.store(slot, offset, get(best)),
        e.store(slot, rowsOffset, get(bestRow)),
        set(is, beyond(get(value), get(best))),
        set(best, v128.bitselect(get(value), get(best), get(is))),
        set(bestRow, v128.bitselect(get(valueRow), get(bestRow), get(is))),
      ]),
      set(best, none),
    ];
    const older = beyond(e.load(ring.slot, offset), get(best));
    return [
      row.mayOpen ? when(i32.isZero(get(ring.place)), open) : [],
      set(here, double(i32.add(get(e.row), i32.of(row.index)))),
      set(is, beyond(get(best), x)),
      take(best, x),
      take(bestRow, get(here)),
      set(valueRow, v128.bitselect(e.load(ring.slot, rowsOffset), get(bestRow), older)),
      e.keep(ring.slot, offset, x),
      e.keep(ring.slot, rowsOffset, get(here)),
      e.define(row, outputs[0], sub(get(here), get(valueRow))),
    ];
  };

const meanDistance: Emit = (e, one, row) => {
  const { inputs, outputs, state, period } = one;
  const { slot: at } = e.ring(one, false);
  const [sum, slot] = [e.vector(), e.number()];
  const [x, centre] = inputs.map((tile) => e.value(row, tile));
  const value = e.load([slot], e.offset(row, state));
  return [
    e.store(at, e.offset(row, state + row.index), x),
    set(sum, e.constant(0)),
    set(slot, get(e.at[0])),
    repeat(
      [
        set(sum, add(get(sum), abs(sub(value, centre)))),
        e.move([slot], [slot], i32.of(e.rowBytes)),
      ],
      i32.ltU(get(slot), i32.add(get(e.at[0]), i32.of(period * e.rowBytes))),
    ),
    e.define(row, outputs[0], div(get(sum), e.constant(period))),
  ];
};

// With the trend.

const parabolic: Emit = (e, { inputs: [h, l], outputs: [to], state, factors }, row, signs) => {
  const [direction, stop, extreme, speed, high1, low1, high2, low2] = Array.from(
    { length: 8 },
    (_, i) => e.carry(row, state + i),
  );
  const isQuick = signs.get(h) === 'positive' && signs.get(l) === 'positive';
  const least = isQuick ? f64x2.pmin : f64x2.min;
  const most = isQuick ? f64x2.pmax : f64x2.max;
  const [high, low] = [e.value(row, h), e.value(row, l)];
  const [isUp, isTurn, isFurther, next] = [e.vector(), e.vector(), e.vector(), e.vector()];
  const [step, mostSpeed] = factors.map((factor) => e.constant(factor));
  const byTrend = (up: Code, down: Code) => v128.bitselect(up, down, get(isUp));
  const turned = byTrend(
    most(get(extreme), most(high, get(high1))),
    least(get(extreme), least(low, get(low1))),
  );
  const faster = least(add(get(speed), step), mostSpeed);
  return [
    set(isUp, f64x2.gt(get(direction), e.constant(0))),
    set(next, add(get(stop), mul(get(speed), sub(get(extreme), get(stop))))),
    set(
      next,
      byTrend(
        least(get(next), least(get(low1), get(low2))),
        most(get(next), most(get(high1), get(high2))),
      ),
    ),
    set(isTurn, byTrend(f64x2.ge(get(next), low), f64x2.ge(high, get(next)))),
    set(isFurther, byTrend(f64x2.gt(high, get(extreme)), f64x2.lt(low, get(extreme)))),
    set(stop, v128.bitselect(turned, get(next), get(isTurn))),
    set(
      direction,
      v128.bitselect(sub(e.constant(-0), get(direction)), get(direction), get(isTurn)),
    ),
    set(
      speed,
      v128.bitselect(step, v128.bitselect(faster, get(speed), get(isFurther)), get(isTurn)),
    ),
    set(
      extreme,
      v128.bitselect(
        byTrend(low, high),
        v128.bitselect(byTrend(high, low), get(extreme), get(isFurther)),
        get(isTurn),
      ),
    ),
    set(high2, get(high1)),
    set(low2, get(low1)),
    set(high1, high),
    set(low1, low),
    e.define(row, to, get(stop)),
  ];
};

const trend: Emit = (e, { inputs, outputs: [to, second], state }, row) => {
  const [upper, lower, direction, last] = [0, 1, 2, 3].map((i) => e.carry(row, state + i));
  const [nextUpper, nextLower, close] = inputs.map((tile) => e.value(row, tile));
  const [wasAbove, wasBelow] = [e.vector(), e.vector()];
  const isUp = v128.and(f64x2.lt(get(direction), e.constant(0)), f64x2.gt(close, get(upper)));
  const isDown = v128.and(f64x2.gt(get(direction), e.constant(0)), f64x2.lt(close, get(lower)));
  const down = v128.bitselect(e.constant(-1), get(direction), isDown);
  return [
    set(wasAbove, v128.or(f64x2.lt(nextUpper, get(upper)), f64x2.gt(get(last), get(upper)))),
    set(wasBelow, v128.or(f64x2.gt(nextLower, get(lower)), f64x2.lt(get(last), get(lower)))),
    set(upper, v128.bitselect(nextUpper, get(upper), get(wasAbove))),
    set(lower, v128.bitselect(nextLower, get(lower), get(wasBelow))),
    set(direction, v128.bitselect(e.constant(1), down, isUp)),
    set(last, close),
    e.define(
      row,
      to,
      v128.bitselect(get(lower), get(upper), f64x2.gt(get(direction), e.constant(0))),
    ),
    e.define(row, second, get(direction)),
  ];
};

/** The series of `rows.ts`. */
const logarithm: Emit = (e, { inputs: [input], outputs: [to] }, row) => {
  const x = e.value(row, input);
  const [exponent, f, s, square, series, k] = Array.from({ length: 6 }, () => e.vector());
  const integers = e.constant(6755399441055744);
  const terms: Code[] = [];
  for (let odd = 23; odd > 1; odd -= 2) {
    terms.push(set(series, mul(add(get(series), e.constant(1 / odd)), get(square))));
  }
  const twice = add(get(s), get(s));
  const low = add(mul(get(k), e.constant(1.9082149292705877e-10)), mul(twice, get(series)));
  const value = add(mul(get(k), e.constant(0.6931471803691238)), add(twice, low));
  const isKnown = v128.and(
    f64x2.ge(x, e.constant(2.2250738585072014e-308)),
    f64x2.lt(x, e.constant(Number.POSITIVE_INFINITY)),
  );
  return [
    set(exponent, i64x2.shr(i64x2.sub(x, e.constant(Math.SQRT1_2)), 52)),
    set(f, sub(i64x2.sub(x, i64x2.shl(get(exponent), 52)), e.constant(1))),
    set(s, div(get(f), add(get(f), e.constant(2)))),
    set(square, mul(get(s), get(s))),
    set(series, e.constant(0)),
    terms,
    set(k, sub(i64x2.add(get(exponent), integers), integers)),
    e.define(row, to, v128.bitselect(value, e.constant(Number.NaN), isKnown)),
  ];
};

const emitters: Readonly<Partial<Record<number, Emit>>> = {
  [codes.ADD]: simple(add),
  [codes.SUBTRACT]: simple(sub),
  [codes.MULTIPLY]: simple(mul),
  [codes.DIVIDE]: divide,
  [codes.SMALLER]: extreme(f64x2.pmin, f64x2.min),
  [codes.LARGER]: extreme(f64x2.pmax, f64x2.max),
  [codes.ABOVE]: truth(f64x2.gt),
  [codes.EQUAL]: truth(eq),
  [codes.ABSOLUTE]: simple((a) => abs(a)),
  [codes.CHOOSE]: chosen,
  [codes.BOTH]: both,
  [codes.EITHER]: either,
  [codes.IS_NULL]: (e, { inputs: [a], outputs: [to] }, row) =>
    e.define(row, to, v128.and(f64x2.ne(e.value(row, a), e.value(row, a)), e.constant(1))),
  [codes.DELAY]: delay,
  [codes.EMA]: ema(false),
  [codes.EMA_LAG]: ema(true),
  [codes.SMOOTH]: smooth,
  [codes.WILDER]: wilder,
  [codes.RSI]: rsi,
  [codes.FOLLOW]: follow,
  [codes.TOTAL]: total,
  [codes.MEAN]: sumOf('mean'),
  [codes.DEVIATION]: sumOf('deviation'),
  [codes.WEIGHTED]: sumOf('weighted'),
  [codes.LEAN]: sumOf('lean'),
  [codes.HIGHEST]: extremeOf(true),
  [codes.LOWEST]: extremeOf(false),
  [codes.PADDED]: padded,
  [codes.WITHIN]: within,
  [codes.HELD]: held,
  [codes.SINCE_HIGHEST]: sinceExtreme(true),
  [codes.SINCE_LOWEST]: sinceExtreme(false),
  [codes.MEAN_DISTANCE]: meanDistance,
  [codes.PARABOLIC]: parabolic,
  [codes.TREND]: trend,
  [codes.LOGARITHM]: logarithm,
};
