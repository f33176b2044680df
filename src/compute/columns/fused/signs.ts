/** Signs of columns, as far as they follow from those of prices. */

import type { Instruction } from '../operations/instruction.ts';
import * as codes from '../operations/opcodes.ts';

/** Facts that hold for a column wherever it has a value: it is never NaN nor −0, or is above 0. */
export type Sign = 'positive' | 'plain' | undefined;

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

export const isPlain = (signs: ReadonlyMap<number, Sign>, tile: number) =>
  signs.get(tile) !== undefined;
