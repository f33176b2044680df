/**
 * Operations over the last `period` values.
 *
 * A series is cut into blocks of `period` rows. A window is the end of one block and the beginning
 * of the next, so what it needs is a suffix of one and a prefix of the other. Nothing is subtracted
 * again, which is how a running sum loses digits. Sums are of differences from the first value of
 * the block (the pivot), which lies in every window that ends in it.
 *
 * The first block has no sums, and neither has a block that opens with an outlier: each of its
 * windows is read as a whole. `slots` hold, by place in the block, the values of the open block,
 * and behind them the suffixes of the block before (its values, for a symbol read as a whole).
 */

import {
  factorA, first, inputA, inputB, out, period, rowBytes, secondOut, state,
} from './instruction';
import { startOf } from './recursions';

/**
 * A value this many times the mean before it makes a bad pivot: the other differences from it all
 * have its size, and hundreds of them lose more digits than the bounds allow.
 */
const OUTLIER_RATIO: f64 = 32;

/** Rows of the state behind the slots. */
const PREFIX: i32 = 0, PIVOT: i32 = 1, LAST: i32 = 2, WHOLE: i32 = 3, PREFIX_TWO: i32 = 4;

@inline
function rowAt(base: usize, index: i32): usize {
  return base + <usize>index * rowBytes;
}

/** The row behind one in a ring. */
@inline
function next(at: usize, slots: usize, end: usize): usize {
  const following = at + rowBytes;
  return following == end ? slots : following;
}

/**
 * The value of a window that is nearest to 0, by symbol. Sums are of differences from it: equal
 * values give exactly that value, and values of any size lose no digits.
 */
function smallestOfWindow(slots: usize, end: usize, newest: usize): v128 {
  let smallest = v128.load(newest);
  // One minimum a value is the only wait from one to the next.
  let size = f64x2.abs(smallest);
  for (let at = next(newest, slots, end); at != newest; at = next(at, slots, end)) {
    const value = v128.load(at);
    const other = f64x2.abs(value);
    smallest = v128.bitselect(value, smallest, f64x2.lt(other, size));
    size = f64x2.pmin(size, other);
  }
  return smallest;
}

/** Values of two symbols from their whole windows, the oldest value first. */
@inline
function readWhole<T>(to: usize, second: usize, slots: usize, span: i32, place: i32, isWhole: v128): void {
  const end = rowAt(slots, span), newest = rowAt(slots, place);
  const pivot = smallestOfWindow(slots, end, newest);
  const length = f64x2.splat(<f64>span), all = f64x2.splat(weights(span));
  let sum = f64x2.splat(0), weighted = sum;
  for (let i = 1, at = newest; i <= span; i++) {
    at = next(at, slots, end);
    const difference = f64x2.sub(v128.load(at), pivot);
    sum = f64x2.add(sum, difference);
    if (isWeighted<T>()) weighted = f64x2.add(weighted, f64x2.mul(f64x2.splat(<f64>i), difference));
  }
  const mean = f64x2.add(pivot, f64x2.div(sum, length));
  if (idof<T>() == idof<Means>()) return keepWhole(to, mean, isWhole);
  if (idof<T>() == idof<Weighteds>()) {
    return keepWhole(to, f64x2.add(pivot, f64x2.div(weighted, all)), isWhole);
  }
  keepWhole(second, mean, isWhole);
  if (idof<T>() == idof<Leans>()) {
    return keepWhole(to, f64x2.sub(f64x2.div(weighted, all), f64x2.div(sum, length)), isWhole);
  }
  let squares = f64x2.splat(0);
  for (let i = 1, at = newest; i <= span; i++) {
    at = next(at, slots, end);
    const difference = f64x2.sub(v128.load(at), mean);
    squares = f64x2.add(squares, f64x2.mul(difference, difference));
  }
  keepWhole(to, f64x2.sqrt(f64x2.div(squares, length)), isWhole);
}

@inline
function keepWhole(to: usize, value: v128, isWhole: v128): void {
  v128.store(to, v128.bitselect(value, v128.load(to), isWhole));
}

@inline
function weights(span: i32): f64 {
  return <f64>span * <f64>(span + 1) / 2;
}

// Kinds of sums: each makes code of its own, without a branch.
class Means {}
class Deviations {}
class Weighteds {}
class Leans {}

@inline
function isWeighted<T>(): bool {
  return idof<T>() == idof<Weighteds>() || idof<T>() == idof<Leans>();
}

/** True where the mean is the second output. */
@inline
function hasMean<T>(): bool {
  return idof<T>() == idof<Deviations>() || idof<T>() == idof<Leans>();
}

/**
 * Opens a block: takes its first values as pivots and turns the slots of the block before into
 * suffix sums.
 */
function openBlock<T>(x: usize, slots: usize, span: i32, fields: usize): bool {
  const more = rowAt(fields, PREFIX_TWO + 1);
  const pivots = rowAt(fields, PIVOT), wholes = rowAt(fields, WHOLE);
  let isAnyWhole = false;
  for (let g: usize = 0; g < rowBytes; g += 16) {
    const pivot = v128.load(x + g);
    const bound = f64x2.mul(f64x2.splat(OUTLIER_RATIO), f64x2.abs(v128.load(rowAt(fields, LAST) + g)));
    const isWhole = f64x2.gt(f64x2.abs(pivot), bound);
    isAnyWhole = isAnyWhole || v128.any_true(isWhole);
    v128.store(pivots + g, pivot);
    v128.store(wholes + g, isWhole);
    v128.store(rowAt(fields, PREFIX) + g, f64x2.splat(0));
    v128.store(rowAt(fields, PREFIX_TWO) + g, f64x2.splat(0));
  }
  const toMore = more - slots;
  for (let g: usize = 0; g < rowBytes; g += 32) {
    const pivot = v128.load(pivots + g), pivot2 = v128.load(pivots + g, 16);
    const isWhole = v128.load(wholes + g), isWhole2 = v128.load(wholes + g, 16);
    let sum = f64x2.splat(0), sum2 = sum, sumTwo = sum, sumTwo2 = sum;
    let slot = rowAt(slots, span - 1) + g;
    for (let count = span; count > 0; count--, slot -= rowBytes) {
      const value = v128.load(slot), value2 = v128.load(slot, 16);
      v128.store(slot, v128.bitselect(value, sum, isWhole));
      v128.store(slot, v128.bitselect(value2, sum2, isWhole2), 16);
      if (idof<T>() != idof<Means>()) {
        v128.store(slot + toMore, sumTwo);
        v128.store(slot + toMore, sumTwo2, 16);
      }
      const difference = f64x2.sub(value, pivot), difference2 = f64x2.sub(value2, pivot2);
      sum = f64x2.add(sum, difference);
      sum2 = f64x2.add(sum2, difference2);
      if (isWeighted<T>()) {
        sumTwo = f64x2.add(sumTwo, sum);
        sumTwo2 = f64x2.add(sumTwo2, sum2);
      } else if (idof<T>() == idof<Deviations>()) {
        sumTwo = f64x2.add(sumTwo, f64x2.mul(difference, difference));
        sumTwo2 = f64x2.add(sumTwo2, f64x2.mul(difference2, difference2));
      }
    }
  }
  return isAnyWhole;
}

/** Runs rows of one block that is not the first of its series. */
function runBlock<T>(
  x: usize, to: usize, second: usize, slots: usize, fields: usize,
  span: i32, from: i32, count: i32,
): void {
  const share = f64x2.splat(isWeighted<T>() ? 1 / weights(span) : 1 / <f64>span);
  const equalShare = f64x2.splat(1 / <f64>span);
  const end = <usize>count * rowBytes;
  const slot = rowAt(slots, from), more = rowAt(fields, PREFIX_TWO + 1 + from);
  for (let g: usize = 0; g < rowBytes; g += 32) {
    const prefixes = rowAt(fields, PREFIX) + g, seconds = rowAt(fields, PREFIX_TWO) + g;
    const pivot = v128.load(rowAt(fields, PIVOT) + g), pivot2 = v128.load(rowAt(fields, PIVOT) + g, 16);
    let sum = v128.load(prefixes), sum2 = v128.load(prefixes, 16);
    let squares = v128.load(seconds), squares2 = v128.load(seconds, 16);
    let place = from;
    for (let i = g; i < end; i += rowBytes, place++) {
      const value = v128.load(x + i), value2 = v128.load(x + i, 16);
      const suffix = v128.load(slot + i), suffix2 = v128.load(slot + i, 16);
      const difference = f64x2.sub(value, pivot), difference2 = f64x2.sub(value2, pivot2);
      v128.store(slot + i, value);
      v128.store(slot + i, value2, 16);
      sum = f64x2.add(sum, difference);
      sum2 = f64x2.add(sum2, difference2);
      if (isWeighted<T>()) {
        const weight = f64x2.splat(<f64>(place + 1)), ahead = f64x2.splat(<f64>(span - 1 - place));
        squares = f64x2.add(squares, f64x2.mul(difference, weight));
        squares2 = f64x2.add(squares2, f64x2.mul(difference2, weight));
        const all = f64x2.add(f64x2.add(squares, f64x2.mul(sum, ahead)), v128.load(more + i));
        const all2 = f64x2.add(f64x2.add(squares2, f64x2.mul(sum2, ahead)), v128.load(more + i, 16));
        if (idof<T>() == idof<Leans>()) {
          const mean = f64x2.mul(f64x2.add(sum, suffix), equalShare);
          const mean2 = f64x2.mul(f64x2.add(sum2, suffix2), equalShare);
          v128.store(to + i, f64x2.sub(f64x2.mul(all, share), mean));
          v128.store(to + i, f64x2.sub(f64x2.mul(all2, share), mean2), 16);
          v128.store(second + i, f64x2.add(pivot, mean));
          v128.store(second + i, f64x2.add(pivot2, mean2), 16);
        } else {
          v128.store(to + i, f64x2.add(pivot, f64x2.mul(all, share)));
          v128.store(to + i, f64x2.add(pivot2, f64x2.mul(all2, share)), 16);
        }
      } else {
        const mean = f64x2.mul(f64x2.add(sum, suffix), share);
        const mean2 = f64x2.mul(f64x2.add(sum2, suffix2), share);
        if (idof<T>() == idof<Deviations>()) {
          squares = f64x2.add(squares, f64x2.mul(difference, difference));
          squares2 = f64x2.add(squares2, f64x2.mul(difference2, difference2));
          const all = f64x2.mul(f64x2.add(squares, v128.load(more + i)), share);
          const all2 = f64x2.mul(f64x2.add(squares2, v128.load(more + i, 16)), share);
          // Squares too small for a double may round to a variance just below zero.
          v128.store(to + i, f64x2.sqrt(f64x2.abs(f64x2.sub(all, f64x2.mul(mean, mean)))));
          v128.store(to + i, f64x2.sqrt(f64x2.abs(f64x2.sub(all2, f64x2.mul(mean2, mean2)))), 16);
        }
        const target = idof<T>() == idof<Deviations>() ? second : to;
        v128.store(target + i, f64x2.add(pivot, mean));
        v128.store(target + i, f64x2.add(pivot2, mean2), 16);
      }
    }
    v128.store(prefixes, sum);
    v128.store(prefixes, sum2, 16);
    v128.store(seconds, squares);
    v128.store(seconds, squares2, 16);
  }
}

function sumWindows<T>(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), second = secondOut(at), slots = state(at), span = period(at);
  const fields = rowAt(slots, span);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  const lasts = hasMean<T>() ? second : to;
  let place = seen % span;
  let isFirst = seen < span;
  let isAnyWhole = place > 0 && !isFirst && hasAny(rowAt(fields, WHOLE));
  for (let bar = start; bar < bars; ) {
    const input = rowAt(x, bar), output = rowAt(to, bar), other = rowAt(second, bar);
    if (place == 0 && !isFirst) isAnyWhole = openBlock<T>(input, slots, span, fields);
    const count = isFirst || isAnyWhole ? 1 : min(bars - bar, span - place);
    if (isFirst) memory.copy(rowAt(slots, place), input, rowBytes);
    else runBlock<T>(input, output, other, slots, fields, span, place, count);
    if (isFirst || isAnyWhole) {
      for (let g: usize = 0; g < rowBytes; g += 16) {
        const isWhole = isFirst ? i64x2.splat(place == span - 1 ? -1 : 0) : v128.load(rowAt(fields, WHOLE) + g);
        if (v128.any_true(isWhole)) readWhole<T>(output + g, other + g, slots + g, span, place, isWhole);
      }
    }
    place += count;
    bar += count;
    if (place < span) continue;
    memory.copy(rowAt(fields, LAST), rowAt(lasts, bar - 1), rowBytes);
    place = 0;
    isFirst = false;
  }
}

function hasAny(flags: usize): bool {
  for (let g: usize = 0; g < rowBytes; g += 16) if (v128.any_true(v128.load(flags + g))) return true;
  return false;
}

export function mean(at: usize, row: i32, bars: i32): void {
  sumWindows<Means>(at, row, bars);
}

/** Population standard deviation, and the mean as second output. */
export function deviation(at: usize, row: i32, bars: i32): void {
  sumWindows<Deviations>(at, row, bars);
}

/** Mean with weights 1 for the oldest value to `period` for the newest. */
export function weighted(at: usize, row: i32, bars: i32): void {
  sumWindows<Weighteds>(at, row, bars);
}

/** Weighted mean minus the mean, and the mean as second output. */
export function lean(at: usize, row: i32, bars: i32): void {
  sumWindows<Leans>(at, row, bars);
}

/** Mean distance of the last values from the second input. State: the values. */
export function meanDistance(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), centre = inputB(at), to = out(at), slots = state(at), span = period(at);
  const start = startOf(at, row, bars);
  const length = f64x2.splat(<f64>span);
  let place = (row + start - first(at)) % span;
  for (let bar = start; bar < bars; bar++) {
    const i = <usize>bar * rowBytes;
    memory.copy(rowAt(slots, place), x + i, rowBytes);
    for (let g: usize = 0; g < rowBytes; g += 16) {
      const middle = v128.load(centre + i + g);
      let sum = f64x2.splat(0);
      for (let slot = slots + g, end = rowAt(slots, span); slot < end; slot += rowBytes) {
        sum = f64x2.add(sum, f64x2.abs(f64x2.sub(v128.load(slot), middle)));
      }
      v128.store(to + i + g, f64x2.div(sum, length));
    }
    place = place + 1 == span ? 0 : place + 1;
  }
}

/**
 * Sum of the last values times the weights of a table, as differences from the value that has the
 * heaviest: equal values give exactly that value. State: the values.
 */
export function weightedBy(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), weights = inputB(at), to = out(at), slots = state(at), span = period(at);
  const heaviest = <i32>factorA(at);
  const start = startOf(at, row, bars);
  let newest = (row + start - first(at)) % span;
  for (let bar = start; bar < bars; bar++) {
    const i = <usize>bar * rowBytes;
    memory.copy(rowAt(slots, newest), x + i, rowBytes);
    const oldest = newest + 1 == span ? 0 : newest + 1;
    for (let g: usize = 0; g < rowBytes; g += 32) {
      const pivotAt = rowAt(slots, (oldest + heaviest) % span) + g;
      const pivot = v128.load(pivotAt), pivot2 = v128.load(pivotAt, 16);
      let sum = f64x2.splat(0), sum2 = sum;
      for (let place = 0, slot = oldest; place < span; place++) {
        const weight = v128.load64_splat(weights + ((<usize>place) << 3));
        const value = rowAt(slots, slot) + g;
        sum = f64x2.add(sum, f64x2.mul(weight, f64x2.sub(v128.load(value), pivot)));
        sum2 = f64x2.add(sum2, f64x2.mul(weight, f64x2.sub(v128.load(value, 16), pivot2)));
        slot = slot + 1 == span ? 0 : slot + 1;
      }
      v128.store(to + i + g, f64x2.add(pivot, sum));
      v128.store(to + i + g, f64x2.add(pivot2, sum2), 16);
    }
    newest = oldest;
  }
}
