/**
 * Every operation in plain TypeScript, for rows of one symbol. They run first rows, gaps and short
 * runs, and say what compiled code (`fused/`) has to give, to the last bit.
 */

import * as codes from '../operations/opcodes.ts';
import { highest, lowest, sinceHighest, sinceLowest } from './extremes.ts';
import type { Piece } from './piece.ts';
import { quantile } from './quantile.ts';
import {
  delay,
  ema,
  emaLag,
  follow,
  held,
  highestSince,
  rsi,
  smooth,
  snapped,
  total,
  wilder,
  within,
} from './recursions.ts';
import { choose, padded, rowLoops } from './rows.ts';
import { parabolic, trend } from './trends.ts';
import { meanDistance, placeAmong, sumOf, weightedBy } from './windows.ts';

const others: Readonly<Partial<Record<number, (piece: Piece) => void>>> = {
  [codes.CHOOSE]: choose,
  [codes.DELAY]: delay,
  [codes.EMA]: ema,
  [codes.EMA_LAG]: emaLag,
  [codes.SMOOTH]: smooth,
  [codes.WILDER]: wilder,
  [codes.RSI]: rsi,
  [codes.FOLLOW]: follow,
  [codes.TOTAL]: total,
  [codes.MEAN]: sumOf('mean'),
  [codes.DEVIATION]: sumOf('deviation'),
  [codes.WEIGHTED]: sumOf('weighted'),
  [codes.WEIGHTED_BY]: weightedBy,
  [codes.LEAN]: sumOf('lean'),
  [codes.MEAN_DISTANCE]: meanDistance,
  [codes.HIGHEST]: highest,
  [codes.LOWEST]: lowest,
  [codes.SINCE_HIGHEST]: sinceHighest,
  [codes.SINCE_LOWEST]: sinceLowest,
  [codes.PARABOLIC]: parabolic,
  [codes.TREND]: trend,
  [codes.HELD]: held,
  [codes.PADDED]: padded,
  [codes.WITHIN]: within,
  [codes.SNAPPED]: snapped,
  [codes.HIGHEST_SINCE]: highestSince,
  [codes.PLACE_AMONG]: placeAmong,
  [codes.QUANTILE]: quantile,
};

export function runPlain(piece: Piece): void {
  const { one, values, a, b, to, count } = piece;
  const loop = rowLoops[one.code];
  if (loop) loop(values, to, values, a, values, b, count);
  else others[one.code]!(piece);
}
