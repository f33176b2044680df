/** Entry of the module: runs a program over the bars of up to eight symbols. */

import {
  CHOOSE,
  DELAY,
  DEVIATION,
  EMA,
  EMA_LAG,
  FOLLOW,
  HELD,
  HIGHEST,
  LEAN,
  LOWEST,
  MEAN,
  MEAN_DISTANCE,
  PADDED,
  PARABOLIC,
  RSI,
  SINCE_HIGHEST,
  SINCE_LOWEST,
  SMOOTH,
  TOTAL,
  TREND,
  WEIGHTED,
  WEIGHTED_BY,
  WILDER,
  WITHIN,
} from '../operations/opcodes';
import { highest, lowest, sinceHighest, sinceLowest } from './extremes';
import { opcode, rowBytes, setTile } from './instruction';
import { delay, ema, emaLag, follow, held, rsi, smooth, total, wilder, within } from './recursions';
import { choose, combineRows, padded } from './rows';
import { interleave, separate } from './tiles';
import { parabolic, trend } from './trends';
import { deviation, lean, mean, meanDistance, weighted, weightedBy } from './windows';

/** Rows of a tile: what a column of it takes fits the first cache many times. */
const CHUNK: i32 = 64;

/**
 * Runs a program over rows of a tile's symbols, a chunk at a time.
 *
 * @param program  Instructions of 64 bytes each.
 * @param ports    Inputs, then outputs, of 16 bytes each: address of the first symbol's column,
 *   bytes to the next symbol's, address of the tile, first row with a value (of an output).
 * @param state    Rows of state, one number a symbol each.
 * @param lanes    Four or eight symbols to a row of a tile, of which the first `used` count.
 * @param row      Row of the series at which the columns begin.
 * @param from     Row of the columns to begin with; `to` is the first that does not run.
 * @param fromRow  Row of the series before which no output is written.
 */
export function run(
  program: usize,
  count: i32,
  ports: usize,
  inputs: i32,
  outputs: i32,
  state: usize,
  lanes: i32,
  used: i32,
  row: i32,
  from: i32,
  to: i32,
  fromRow: i32,
): void {
  setTile(state, (<usize>lanes) << 3);
  const usedBytes = <usize>used << 3;
  const firstOutput = ports + ((<usize>inputs) << 4);
  for (let done = from; done < to; done += CHUNK) {
    const size = min(CHUNK, to - done);
    for (let i = 0; i < inputs; i++) {
      const port = ports + ((<usize>i) << 4);
      const column = <usize>load<i32>(port) + ((<usize>done) << 3);
      interleave(column, <usize>load<i32>(port, 4), <usize>load<i32>(port, 8), usedBytes, size);
    }
    for (let i = 0; i < count; i++) step(program + ((<usize>i) << 6), row + done, size);
    if (row + done + size <= fromRow) continue;
    for (let i = 0; i < outputs; i++) {
      const port = firstOutput + ((<usize>i) << 4);
      const tile = <usize>load<i32>(port, 8);
      blank(tile, min(size, load<i32>(port, 12) - row - done));
      const to = <usize>load<i32>(port) + ((<usize>done) << 3);
      separate(tile, to, <usize>load<i32>(port, 4), usedBytes, size);
    }
  }
}

/** Rows of an output before its first value. */
function blank(tile: usize, rows: i32): void {
  for (let i: usize = 0, end = <usize>max(rows, 0) * rowBytes; i < end; i += 16) {
    v128.store(tile + i, f64x2.splat(NaN));
  }
}

function step(at: usize, row: i32, bars: i32): void {
  const op = opcode(at);
  switch (op) {
    case CHOOSE:
      return choose(at, bars);
    case DELAY:
      return delay(at, row, bars);
    case EMA:
      return ema(at, row, bars);
    case EMA_LAG:
      return emaLag(at, row, bars);
    case SMOOTH:
      return smooth(at, row, bars);
    case WILDER:
      return wilder(at, row, bars);
    case RSI:
      return rsi(at, row, bars);
    case FOLLOW:
      return follow(at, row, bars);
    case TOTAL:
      return total(at, row, bars);
    case MEAN:
      return mean(at, row, bars);
    case DEVIATION:
      return deviation(at, row, bars);
    case WEIGHTED:
      return weighted(at, row, bars);
    case WEIGHTED_BY:
      return weightedBy(at, row, bars);
    case LEAN:
      return lean(at, row, bars);
    case MEAN_DISTANCE:
      return meanDistance(at, row, bars);
    case HIGHEST:
      return highest(at, row, bars);
    case LOWEST:
      return lowest(at, row, bars);
    case SINCE_HIGHEST:
      return sinceHighest(at, row, bars);
    case SINCE_LOWEST:
      return sinceLowest(at, row, bars);
    case PARABOLIC:
      return parabolic(at, row, bars);
    case TREND:
      return trend(at, row, bars);
    case HELD:
      return held(at, row, bars);
    case PADDED:
      return padded(at, row, bars);
    case WITHIN:
      return within(at, row, bars);
    default:
      return combineRows(op, at, bars);
  }
}
