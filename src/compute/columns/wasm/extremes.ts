/**
 * Largest and smallest of the last `period` values, and the rows since. As in `windows.ts` a series
 * is cut into blocks, and a window is a suffix of one and a prefix of the next. State: by place,
 * values of the open block and suffixes of the one before; then the prefix; for rows since, the
 * same again with rows of the series.
 */

import { first, inputA, out, period, rowBytes, state } from './instruction';
import { startOf } from './recursions';

@inline
function rowAt(base: usize, index: i32): usize {
  return base + <usize>index * rowBytes;
}

// Kinds: each makes code of its own, without a branch.
class Highest {}
class Lowest {}

@inline
function isHighest<T>(): bool {
  return idof<T>() == idof<Highest>();
}

@inline
function pick<T>(a: v128, b: v128): v128 {
  return isHighest<T>() ? f64x2.max(a, b) : f64x2.min(a, b);
}

/** True where `a` goes beyond `b`. */
@inline
function beyond<T>(a: v128, b: v128): v128 {
  return isHighest<T>() ? f64x2.gt(a, b) : f64x2.lt(a, b);
}

function findExtremes<T>(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), slots = state(at), span = period(at);
  const prefix = rowAt(slots, span);
  const none = f64x2.splat(isHighest<T>() ? -Infinity : Infinity);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  let place = seen % span;
  let isFirst = seen < span;
  for (let bar = start; bar < bars; ) {
    const count = min(bars - bar, span - place);
    for (let g: usize = 0; g < rowBytes; g += 16) {
      let best = v128.load(prefix + g);
      if (place == 0) {
        best = none;
        let suffix = none;
        for (let i = span - 1; i >= 0; i--) {
          const slot = rowAt(slots, i) + g;
          const value = v128.load(slot);
          v128.store(slot, suffix);
          suffix = pick<T>(suffix, value);
        }
      }
      for (let i = 0; i < count; i++) {
        const slot = rowAt(slots, place + i) + g;
        const value = v128.load(rowAt(x, bar + i) + g);
        best = pick<T>(best, value);
        const before = v128.load(slot);
        v128.store(slot, value);
        v128.store(rowAt(to, bar + i) + g, isFirst ? best : pick<T>(best, before));
      }
      v128.store(prefix + g, best);
    }
    bar += count;
    place += count;
    if (place < span) continue;
    place = 0;
    isFirst = false;
  }
}

/** The newest of equal values counts. */
function findRowsSince<T>(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), slots = state(at), span = period(at);
  const prefix = rowAt(slots, span);
  const rowsOf = rowAt(prefix, 1) - slots;
  const none = f64x2.splat(isHighest<T>() ? -Infinity : Infinity);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  let place = seen % span;
  let isFirst = seen < span;
  for (let bar = start; bar < bars; ) {
    const count = min(bars - bar, span - place);
    for (let g: usize = 0; g < rowBytes; g += 16) {
      let best = v128.load(prefix + g), bestRow = v128.load(prefix + rowsOf + g);
      if (place == 0) {
        best = none;
        let suffix = none, suffixRow = f64x2.splat(0);
        for (let i = span - 1; i >= 0; i--) {
          const slot = rowAt(slots, i) + g;
          const value = v128.load(slot), valueRow = v128.load(slot + rowsOf);
          v128.store(slot, suffix);
          v128.store(slot + rowsOf, suffixRow);
          const isBeyond = beyond<T>(value, suffix);
          suffix = v128.bitselect(value, suffix, isBeyond);
          suffixRow = v128.bitselect(valueRow, suffixRow, isBeyond);
        }
      }
      for (let i = 0; i < count; i++) {
        const slot = rowAt(slots, place + i) + g;
        const value = v128.load(rowAt(x, bar + i) + g);
        const here = f64x2.splat(<f64>(row + bar + i));
        const isKept = beyond<T>(best, value);
        best = v128.bitselect(best, value, isKept);
        bestRow = v128.bitselect(bestRow, here, isKept);
        const isOlder = isFirst ? f64x2.splat(0) : beyond<T>(v128.load(slot), best);
        const foundRow = v128.bitselect(v128.load(slot + rowsOf), bestRow, isOlder);
        v128.store(slot, value);
        v128.store(slot + rowsOf, here);
        v128.store(rowAt(to, bar + i) + g, f64x2.sub(here, foundRow));
      }
      v128.store(prefix + g, best);
      v128.store(prefix + rowsOf + g, bestRow);
    }
    bar += count;
    place += count;
    if (place < span) continue;
    place = 0;
    isFirst = false;
  }
}

export function highest(at: usize, row: i32, bars: i32): void {
  findExtremes<Highest>(at, row, bars);
}

export function lowest(at: usize, row: i32, bars: i32): void {
  findExtremes<Lowest>(at, row, bars);
}

export function sinceHighest(at: usize, row: i32, bars: i32): void {
  findRowsSince<Highest>(at, row, bars);
}

export function sinceLowest(at: usize, row: i32, bars: i32): void {
  findRowsSince<Lowest>(at, row, bars);
}
