/** Signs of columns, as far as they follow from those of prices. */

import type { Instruction } from '../operations/instruction.ts';
import * as codes from '../operations/opcodes.ts';

/**
 * Facts that hold for a column wherever it has a value: it is above 0 and finite, or neither NaN nor
 * −0.
 */
export type Sign = 'positive' | 'plain' | undefined;

/** @param signs Signs of the columns before; receives those of the outputs. */
export function learnSigns({ code, inputs, outputs }: Instruction, signs: Map<number, Sign>): void {
  const operands = inputs.map((tile) => signs.get(tile));
  if (operands.includes(undefined)) return;
  const isAllPositive = operands.every((sign) => sign === 'positive');
  // With a finite operand a difference is never that of two infinities.
  if (code === codes.SUBTRACT && operands.includes('positive')) signs.set(outputs[0], 'plain');
  if (KEEP_POSITIVE.includes(code) && isAllPositive) signs.set(outputs[0], 'positive');
  else if (KEEP_PLAIN.includes(code)) signs.set(outputs[0], 'plain');
}

const KEEP_POSITIVE: readonly number[] = [codes.PADDED, codes.SMALLER, codes.LARGER];

/** The state of some of them may have values from other code, which are not positive. */
const KEEP_PLAIN: readonly number[] = [
  ...KEEP_POSITIVE,
  codes.ABSOLUTE,
  codes.ABOVE,
  codes.EQUAL,
  codes.DELAY,
  codes.HIGHEST,
  codes.LOWEST,
];

/** Operations whose state must not hold −0, so that signs are true. */
export const KEEP_INPUTS: readonly number[] = [
  codes.DELAY,
  codes.HIGHEST,
  codes.LOWEST,
  codes.PARABOLIC,
];

export const isPlain = (signs: ReadonlyMap<number, Sign>, tile: number) =>
  signs.get(tile) !== undefined;
