/**
 * Code of each operation for one row, in the steady state: behind the rows that seed it, or that
 * fill its first window. The bits are those of `plain/`, whose files say why each is done that way.
 */

import type { Instruction } from '../operations/instruction.ts';
import * as codes from '../operations/opcodes.ts';
import type { Emit, Emitter, Row } from './emitter.ts';
import { type Code, f64x2, v128 } from './encoding.ts';
import { extremeOf, sinceExtreme } from './extremes.ts';
import {
  delay,
  ema,
  follow,
  held,
  rsi,
  rsiRowsMax,
  smooth,
  total,
  wilder,
  within,
} from './recursions.ts';
import { both, chosen, divide, either, extreme, logarithm, padded, simple, truth } from './rows.ts';
import type { Sign } from './signs.ts';
import { parabolic, trend } from './trends.ts';
import { meanDistance, sumOf } from './windows.ts';

const { add, sub, mul, abs, eq } = f64x2;

/** Returns true if code is made for an operation. */
export function isFused(code: number): boolean {
  return emitters[code] !== undefined;
}

/** Returns the row from which on operations are in their steady state; undefined if one has no code. */
export function settledFrom(instructions: readonly Instruction[]): number | undefined {
  if (!instructions.every(({ code }) => isFused(code))) return undefined;
  const settled = Math.max(0, ...instructions.map(settledRow));
  // Two rows that run together are in one line of the cache.
  return settled + (settled % 2);
}

/** Returns the rows that may run together. */
export function rowsMaxOf(instructions: readonly Instruction[]): number {
  const ofRsis = instructions.flatMap(({ code, period }) =>
    code === codes.RSI ? [rsiRowsMax(period)] : [],
  );
  return Math.min(Number.POSITIVE_INFINITY, ...ofRsis);
}

function settledRow({ code, start, period }: Instruction): number {
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
  [codes.SQUARE_ROOT]: simple((a) => f64x2.sqrt(a)),
};
