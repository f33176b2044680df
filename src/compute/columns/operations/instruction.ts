/** One step of a program. */

/** An operation with the numbers of its tiles. */
export interface Instruction {
  readonly code: number;
  readonly outputs: readonly number[];
  readonly inputs: readonly number[];
  /** Its first row of state. */
  readonly state: number;
  readonly stateRows: number;
  readonly start: number;
  readonly period: number;
  readonly factors: readonly number[];
  readonly table: readonly number[];
  /** Set for a window that is computed in blocks of `period` rows. */
  readonly blocksOf: 'sums' | 'extremes' | undefined;
}
