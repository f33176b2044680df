/** Rows of one symbol that an operation computes from its inputs and its state. */

import type { Instruction } from '../operations/instruction.ts';

/** Rows of a piece at most: its columns stay in the first cache. */
export const PIECE_ROWS = 64;

export interface Piece {
  /** The operation. */
  one: Instruction;
  /** Row of the series at which the rows begin, and their number. */
  row: number;
  count: number;
  /** Memory of all columns. */
  values: Float64Array;
  /** Places of the first row of the inputs and outputs; 0 where there is none. */
  a: number;
  b: number;
  c: number;
  to: number;
  second: number;
  /** Memory of states, the place of the operation's first number, and the way to its next. */
  states: Float64Array;
  at: number;
  stride: number;
}

/** Returns the first of the rows at which the operation reads. */
export function startOf({ one, row, count }: Piece): number {
  return Math.min(Math.max(one.start - row, 0), count);
}
