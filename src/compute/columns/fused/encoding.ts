/** WebAssembly in its binary form: the few instructions and sections that fused code needs. */

/** Bytes of instructions that leave one value, or none. */
export type Code = number | readonly Code[];

/** Index of a local variable or parameter. */
export type Local = number;

export const I32 = 0x7f;
export const V128 = 0x7b;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? byte : byte | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

const SIMD = 0xfd;
const EMPTY = 0x40;
/** Marks the branch behind it as one that is seldom taken; no byte of the code. */
const SELDOM = -1;
const END = 0x0b;

const simd = (code: number, operands: Code, more: Code = []): Code => [
  operands,
  SIMD,
  unsigned(code),
  more,
];
const binary = (code: number) => (a: Code, b: Code) => simd(code, [a, b]);
const unary = (code: number) => (a: Code) => simd(code, [a]);

export const f64x2 = {
  /** A number in both lanes, written into the code. */
  of: (value: number): Code => {
    const bytes = [...new Uint8Array(Float64Array.of(value, value).buffer)];
    return [SIMD, unsigned(0x0c), bytes];
  },
  eq: binary(0x47),
  ne: binary(0x48),
  lt: binary(0x49),
  gt: binary(0x4a),
  ge: binary(0x4c),
  abs: unary(0xec),
  sqrt: unary(0xef),
  add: binary(0xf0),
  sub: binary(0xf1),
  mul: binary(0xf2),
  div: binary(0xf3),
  min: binary(0xf4),
  max: binary(0xf5),
  /** The second operand if it is below the first, else the first: one instruction of the processor. */
  pmin: binary(0xf6),
  pmax: binary(0xf7),
} as const;

const shift = (code: number) => (a: Code, bits: number) => simd(code, [a, i32.of(bits)]);

/** Bits of float64 numbers as integers. */
export const i64x2 = {
  shl: shift(0xcb),
  shr: shift(0xcc),
  add: binary(0xce),
  sub: binary(0xd1),
} as const;

/** The four halves of two numbers, of which the second and the last have signs and exponents. */
export const u32x4 = {
  min: binary(0xb7),
  max: binary(0xb9),
} as const;

const place = (offset: number): Code => [0, unsigned(offset)];

export const v128 = {
  load: (address: Code, offset: number): Code => simd(0x00, [address], place(offset)),
  /** One float64 in the first lane, 0 in the second. */
  loadFirst: (address: Code, offset: number): Code => simd(0x5d, [address], place(offset)),
  loadSecond: (address: Code, offset: number, first: Code): Code =>
    simd(0x57, [address, first], [place(offset), 1]),
  store: (address: Code, offset: number, value: Code): Code =>
    simd(0x0b, [address, value], place(offset)),
  storeLane: (address: Code, offset: number, value: Code, lane: 0 | 1): Code =>
    simd(0x5b, [address, value], [place(offset), lane]),
  and: binary(0x4e),
  /** The bits of the first that are 0 in the second. */
  andNot: binary(0x4f),
  or: binary(0x50),
  /** `a` where a lane of the mask is all ones, `b` where it is 0: one instruction of the processor. */
  bitselect: (a: Code, b: Code, mask: Code): Code => simd(0x10c, [a, b, mask]),
  /** The signs of both lanes as two bits. */
  signs: (lanes: Code): Code => simd(0xc4, [lanes]),
  /** Reads the signs of a mask, which take fewer instructions than its bits. */
  anyTrue: (mask: Code): Code => simd(0xc4, [mask]),
  allTrue: (mask: Code): Code => i32.eq(simd(0xc4, [mask]), i32.of(3)),
  /** First lanes of both, or second lanes of both. */
  firsts: (a: Code, b: Code): Code => shuffle(a, b, 0),
  seconds: (a: Code, b: Code): Code => shuffle(a, b, 8),
} as const;

function shuffle(a: Code, b: Code, from: number): Code {
  const bytes = [from, from + 16].flatMap((first) =>
    Array.from({ length: 8 }, (_, i) => first + i),
  );
  return simd(0x0d, [a, b], bytes);
}

const op =
  (code: number) =>
  (a: Code, b: Code): Code => [a, b, code];

export const i32 = {
  of: (value: number): Code => [0x41, signed(value)],
  eq: op(0x46),
  ltU: op(0x49),
  add: op(0x6a),
  sub: op(0x6b),
  mul: op(0x6c),
  remU: op(0x70),
  shl: op(0x74),
  and: op(0x71),
  /** The smaller one. Both must be read twice without effect. */
  least: (a: Code, b: Code): Code => [a, b, a, b, 0x49, 0x1b],
  /** The first if the condition holds, else the second. */
  choose: (a: Code, b: Code, condition: Code): Code => [a, b, condition, 0x1b],
  load: (address: Code, offset: number): Code => [address, 0x28, place(offset)],
  store: (address: Code, offset: number, value: Code): Code => [
    [address, value],
    0x36,
    place(offset),
  ],
  or: op(0x72),
  isZero: (a: Code): Code => [a, 0x45],
  toDouble: (a: Code): Code => [a, 0xb7],
} as const;

export const splat = (value: Code): Code => simd(0x14, [value]);
export const get = (local: Local): Code => [0x20, unsigned(local)];
export const set = (local: Local, value: Code): Code => [value, 0x21, unsigned(local)];
export const when = (condition: Code, then: Code): Code => [condition, 0x04, EMPTY, then, END];
export const choose = (condition: Code, then: Code, other: Code): Code => [
  condition,
  0x04,
  EMPTY,
  then,
  0x05,
  other,
  END,
];
/**
 * The condition of a branch that is seldom taken: the compiler spills registers there, and not in
 * front of it.
 */
export const seldom = (condition: Code): Code => [condition, SELDOM];
/** Copies bytes within the memory. */
export const copyBytes = (to: Code, from: Code, count: Code): Code => [
  to,
  from,
  count,
  0xfc,
  0x0a,
  0,
  0,
];
export const giveBack = (value: Code): Code => [value, 0x0f];
/** Runs the body once, and again while the condition holds. */
export const repeat = (body: Code, condition: Code): Code => [
  0x03,
  EMPTY,
  body,
  condition,
  0x0d,
  0,
  END,
];

const section = (id: number, content: Code): number[] => {
  const bytes = flat(content);
  return [id, ...unsigned(bytes.length), ...bytes];
};

function flat(code: Code, to: number[] = []): number[] {
  if (typeof code === 'number') to.push(code);
  else {
    for (const part of code) {
      if (typeof part === 'number') to.push(part);
      else flat(part, to);
    }
  }
  return to;
}

const text = (value: string): Code => [unsigned(value.length), [...Buffer.from(value)]];

/**
 * Returns a module with one function `run`, whose parameters and result are numbers of 32 bits. It
 * imports its memory as `env.memory`.
 */
export function moduleOf(
  parameterCount: number,
  locals: readonly number[],
  body: Code,
): Uint8Array {
  const declared = locals.map((type) => [1, type]);
  const marked = flat([unsigned(declared.length), declared, body, END]);
  const code = marked.filter((byte) => byte !== SELDOM);
  const places = marked.flatMap((byte, i) => (byte === SELDOM ? [i] : []));
  const hints = places.map((place, i) => [unsigned(place - i), 1, 0]);
  const parameters = Array.from({ length: parameterCount }, () => I32);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, unsigned(parameterCount), parameters, 1, I32]),
    ...section(2, [1, text('env'), text('memory'), 0x02, 0x00, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, text('run'), 0x00, 0]),
    ...section(0, [text('metadata.code.branch_hint'), 1, 0, unsigned(hints.length), hints]),
    ...section(10, [1, unsigned(code.length), code]),
  ]);
}
