/** Runs a program, or its first instructions, by the operations of the module. */

import type { Memory } from './engine.ts';
import type { Layout } from './layout.ts';

/** The part of a program that runs. */
export interface Part {
  /** Number of its first instructions and inputs. */
  instructions: number;
  inputs: number;
  /** True if outputs are written. */
  isWritten: boolean;
}

/**
 * Runs rows [from, to) of the staged columns.
 *
 * @param width   Symbols to a row of a tile.
 * @param row     Row of the series at which the staged columns begin.
 * @param fromRow Row of the series before which no output is written.
 */
export function interpret(
  { operations }: Memory,
  { instructions, ports, inputs, outputTiles, state }: Layout,
  part: Part,
  width: number,
  used: number,
  row: number,
  from: number,
  to: number,
  fromRow: number,
): void {
  // The ports of outputs follow those of all inputs.
  const isWhole = part.instructions === instructions.length && part.inputs === inputs.length;
  const outputs = part.isWritten && isWhole ? outputTiles.length : 0;
  const counts = [part.instructions, ports, part.inputs, outputs] as const;
  operations.run(0, ...counts, state, width, used, row, from, to, fromRow);
}
