/** Moves series between columns of their own and tiles, in which the symbols of a row stand together. */

import { rowBytes } from './instruction';

/**
 * Reads rows of all symbols into a tile.
 *
 * @param stride Bytes from one symbol's column to the next.
 * @param used   Bytes of a row that symbols take; the rest of the tile stays as it is.
 */
export function interleave(from: usize, stride: usize, tile: usize, used: usize, bars: i32): void {
  const pairs = bars & ~1;
  for (let lane: usize = 0; lane < used; lane += 16) {
    let a = from + (lane >> 3) * stride,
      b = a + stride,
      to = tile + lane;
    for (let bar = 0; bar < pairs; bar += 2) {
      const left = v128.load(a),
        right = v128.load(b);
      v128.store(to, v128.shuffle<f64>(left, right, 0, 2));
      v128.store(to + rowBytes, v128.shuffle<f64>(left, right, 1, 3));
      a += 16;
      b += 16;
      to += 2 * rowBytes;
    }
    if (pairs == bars) continue;
    store<f64>(to, load<f64>(a));
    store<f64>(to + 8, load<f64>(b));
  }
}

/** Writes rows of a tile to the symbols' columns. All values that are not numbers get one pattern. */
export function separate(tile: usize, to: usize, stride: usize, used: usize, bars: i32): void {
  const none = f64x2.splat(NaN);
  const pairs = bars & ~1;
  for (let lane: usize = 0; lane < used; lane += 16) {
    let a = to + (lane >> 3) * stride,
      b = a + stride,
      from = tile + lane;
    for (let bar = 0; bar < pairs; bar += 2) {
      let one = v128.load(from),
        two = v128.load(from + rowBytes);
      one = v128.bitselect(one, none, f64x2.eq(one, one));
      two = v128.bitselect(two, none, f64x2.eq(two, two));
      v128.store(a, v128.shuffle<f64>(one, two, 0, 2));
      v128.store(b, v128.shuffle<f64>(one, two, 1, 3));
      a += 16;
      b += 16;
      from += 2 * rowBytes;
    }
    if (pairs == bars) continue;
    const one = v128.load(from);
    const clean = v128.bitselect(one, none, f64x2.eq(one, one));
    store<f64>(a, f64x2.extract_lane(clean, 0));
    store<f64>(b, f64x2.extract_lane(clean, 1));
  }
}
