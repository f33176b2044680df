/**
 * Operations whose value follows from their last one. Two vectors of two symbols go side by side:
 * each waits for its own last value, and the processor fills the wait with the other.
 */

import { factorA, first, inputA, inputB, inputC, out, period, rowBytes, state } from './instruction';

/** Row at which an operation starts within a chunk that begins at `row` of the series. */
@inline
export function startOf(at: usize, row: i32, bars: i32): i32 {
  return min(max(first(at) - row, 0), bars);
}

/** Share of an average that is kept when value number `index` comes in, as in a mean at first. */
@inline
function decayAt(index: i32, period: i32): f64 {
  return index < period ? <f64>index / <f64>(index + 1) : <f64>(period - 1) / <f64>(period + 1);
}

// Kinds: each makes code of its own, without a branch.
class Average {}
class Lag {}

/** State: the last value, the average minus it. */
function advanceEma<T>(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at), span = period(at);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  const seeding = min(bars, start + max(span - seen, 0));
  for (let g: usize = 0; g < rowBytes; g += 32) {
    const from = x + g, target = to + g;
    let i = <usize>start * rowBytes;
    const seeded = <usize>seeding * rowBytes, end = <usize>bars * rowBytes;
    let last = v128.load(saved + g), last2 = v128.load(saved + g, 16);
    let lag = v128.load(saved + rowBytes + g), lag2 = v128.load(saved + rowBytes + g, 16);
    if (seen == 0 && i < end) {
      last = v128.load(from + i);
      last2 = v128.load(from + i, 16);
    }
    for (let count = seen; i < seeded; i += rowBytes, count++) {
      const decay = f64x2.splat(decayAt(count, span));
      const a = v128.load(from + i), a2 = v128.load(from + i, 16);
      lag = f64x2.mul(f64x2.sub(lag, f64x2.sub(a, last)), decay);
      lag2 = f64x2.mul(f64x2.sub(lag2, f64x2.sub(a2, last2)), decay);
      last = a;
      last2 = a2;
      v128.store(target + i, idof<T>() == idof<Lag>() ? lag : f64x2.add(a, lag));
      v128.store(target + i, idof<T>() == idof<Lag>() ? lag2 : f64x2.add(a2, lag2), 16);
    }
    const decay = f64x2.splat(decayAt(span, span));
    for (; i < end; i += rowBytes) {
      const a = v128.load(from + i), a2 = v128.load(from + i, 16);
      lag = f64x2.mul(f64x2.sub(lag, f64x2.sub(a, last)), decay);
      lag2 = f64x2.mul(f64x2.sub(lag2, f64x2.sub(a2, last2)), decay);
      last = a;
      last2 = a2;
      v128.store(target + i, idof<T>() == idof<Lag>() ? lag : f64x2.add(a, lag));
      v128.store(target + i, idof<T>() == idof<Lag>() ? lag2 : f64x2.add(a2, lag2), 16);
    }
    v128.store(saved + g, last);
    v128.store(saved + g, last2, 16);
    v128.store(saved + rowBytes + g, lag);
    v128.store(saved + rowBytes + g, lag2, 16);
  }
}

export function ema(at: usize, row: i32, bars: i32): void {
  advanceEma<Average>(at, row, bars);
}

export function emaLag(at: usize, row: i32, bars: i32): void {
  advanceEma<Lag>(at, row, bars);
}

/** The same average as `ema`, carried as it is: for values that are not prices. State: itself. */
export function smooth(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at), span = period(at);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  const seeding = min(bars, start + max(span - seen, 0));
  const settled = decayAt(span, span);
  const decay = f64x2.splat(settled), weight = f64x2.splat(1 - settled);
  for (let g: usize = 0; g < rowBytes; g += 32) {
    let i = <usize>start * rowBytes + g;
    const seeded = <usize>seeding * rowBytes, end = <usize>bars * rowBytes;
    let average = v128.load(saved + g), average2 = v128.load(saved + g, 16);
    for (let count = seen; i < seeded; i += rowBytes, count++) {
      const kept = decayAt(count, span);
      const before = f64x2.splat(kept), now = f64x2.splat(1 - kept);
      average = f64x2.add(f64x2.mul(average, before), f64x2.mul(v128.load(x + i), now));
      average2 = f64x2.add(f64x2.mul(average2, before), f64x2.mul(v128.load(x + i, 16), now));
      v128.store(to + i, average);
      v128.store(to + i, average2, 16);
    }
    for (; i < end; i += rowBytes) {
      average = f64x2.add(f64x2.mul(average, decay), f64x2.mul(v128.load(x + i), weight));
      average2 = f64x2.add(f64x2.mul(average2, decay), f64x2.mul(v128.load(x + i, 16), weight));
      v128.store(to + i, average);
      v128.store(to + i, average2, 16);
    }
    v128.store(saved + g, average);
    v128.store(saved + g, average2, 16);
  }
}

/** Wilder's smoothing, seeded with the mean of the first values. State: `period` times the mean. */
export function wilder(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at), span = period(at);
  const start = startOf(at, row, bars);
  const seeding = min(bars, start + max(first(at) + span - row - start, 0));
  const length = f64x2.splat(<f64>span);
  const decay = f64x2.splat(<f64>(span - 1) / <f64>span);
  for (let g: usize = 0; g < rowBytes; g += 32) {
    let i = <usize>start * rowBytes + g;
    const seeded = <usize>seeding * rowBytes, end = <usize>bars * rowBytes;
    let sum = v128.load(saved + g), sum2 = v128.load(saved + g, 16);
    for (; i < seeded; i += rowBytes) {
      sum = f64x2.add(sum, v128.load(x + i));
      sum2 = f64x2.add(sum2, v128.load(x + i, 16));
      v128.store(to + i, f64x2.div(sum, length));
      v128.store(to + i, f64x2.div(sum2, length), 16);
    }
    for (; i < end; i += rowBytes) {
      sum = f64x2.add(f64x2.mul(sum, decay), v128.load(x + i));
      sum2 = f64x2.add(f64x2.mul(sum2, decay), v128.load(x + i, 16));
      v128.store(to + i, f64x2.div(sum, length));
      v128.store(to + i, f64x2.div(sum2, length), 16);
    }
    v128.store(saved + g, sum);
    v128.store(saved + g, sum2, 16);
  }
}

/**
 * Below this the sum of sizes of changes is held. Without it a long flat run would take both sums
 * to subnormal numbers, whose ratio is noise.
 */
const HELD_BELOW: f64 = 1e-290;

/**
 * 50 + 50 × net ÷ gross, with `net` the smoothed change and `gross` the smoothed size of change:
 * no branch on the sign of a change. State: the last value, both sums.
 */
export function rsi(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at), span = period(at);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  const seeding = min(bars, start + max(span + 1 - seen, 0));
  const decay = f64x2.splat(<f64>(span - 1) / <f64>span);
  const fifty = f64x2.splat(50), held = f64x2.splat(HELD_BELOW);
  for (let g: usize = 0; g < rowBytes; g += 32) {
    let i = <usize>start * rowBytes + g;
    const seeded = <usize>seeding * rowBytes, end = <usize>bars * rowBytes;
    let last = v128.load(saved + g), last2 = v128.load(saved + g, 16);
    let net = v128.load(saved + rowBytes + g), net2 = v128.load(saved + rowBytes + g, 16);
    let gross = v128.load(saved + 2 * rowBytes + g);
    let gross2 = v128.load(saved + 2 * rowBytes + g, 16);
    if (seen == 0 && i < end) {
      last = v128.load(x + i);
      last2 = v128.load(x + i, 16);
    }
    for (; i < seeded; i += rowBytes) {
      const a = v128.load(x + i), a2 = v128.load(x + i, 16);
      const change = f64x2.sub(a, last), change2 = f64x2.sub(a2, last2);
      last = a;
      last2 = a2;
      net = f64x2.add(net, change);
      net2 = f64x2.add(net2, change2);
      gross = f64x2.add(gross, f64x2.abs(change));
      gross2 = f64x2.add(gross2, f64x2.abs(change2));
      v128.store(to + i, f64x2.add(fifty, f64x2.mul(fifty, f64x2.div(net, gross))));
      v128.store(to + i, f64x2.add(fifty, f64x2.mul(fifty, f64x2.div(net2, gross2))), 16);
    }
    for (; i < end; i += rowBytes) {
      const a = v128.load(x + i), a2 = v128.load(x + i, 16);
      const change = f64x2.sub(a, last), change2 = f64x2.sub(a2, last2);
      last = a;
      last2 = a2;
      let nextNet = f64x2.add(f64x2.mul(net, decay), change);
      let nextNet2 = f64x2.add(f64x2.mul(net2, decay), change2);
      let nextGross = f64x2.add(f64x2.mul(gross, decay), f64x2.abs(change));
      let nextGross2 = f64x2.add(f64x2.mul(gross2, decay), f64x2.abs(change2));
      // Branches are nearly never taken; always selecting would lengthen the wait.
      const isHeld = f64x2.lt(nextGross, held), isHeld2 = f64x2.lt(nextGross2, held);
      if (v128.any_true(v128.or(isHeld, isHeld2))) {
        nextNet = v128.bitselect(net, nextNet, isHeld);
        nextNet2 = v128.bitselect(net2, nextNet2, isHeld2);
        nextGross = v128.bitselect(gross, nextGross, isHeld);
        nextGross2 = v128.bitselect(gross2, nextGross2, isHeld2);
      }
      net = nextNet;
      net2 = nextNet2;
      gross = nextGross;
      gross2 = nextGross2;
      v128.store(to + i, f64x2.add(fifty, f64x2.mul(fifty, f64x2.div(net, gross))));
      v128.store(to + i, f64x2.add(fifty, f64x2.mul(fifty, f64x2.div(net2, gross2))), 16);
    }
    v128.store(saved + g, last);
    v128.store(saved + g, last2, 16);
    v128.store(saved + rowBytes + g, net);
    v128.store(saved + rowBytes + g, net2, 16);
    v128.store(saved + 2 * rowBytes + g, gross);
    v128.store(saved + 2 * rowBytes + g, gross2, 16);
  }
}

/**
 * Moves towards the first input by the share that the second gives, from the third input in the
 * first row on. State: the last value.
 */
export function follow(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), share = inputB(at), origin = inputC(at), to = out(at), saved = state(at);
  const start = startOf(at, row, bars);
  const seen = row + start - first(at);
  const end = <usize>bars * rowBytes;
  for (let g: usize = 0; g < rowBytes; g += 16) {
    let i = <usize>start * rowBytes + g;
    let value = v128.load(saved + g);
    if (seen == 0 && i < end) value = v128.load(origin + i);
    for (; i < end; i += rowBytes) {
      const a = v128.load(x + i);
      const kept = f64x2.sub(f64x2.splat(1), v128.load(share + i));
      value = f64x2.add(a, f64x2.mul(kept, f64x2.sub(value, a)));
      v128.store(to + i, value);
    }
    v128.store(saved + g, value);
  }
}

/** Running total, which starts again at rows whose second input is not 0. State: the total. */
export function total(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), restart = inputB(at), to = out(at), saved = state(at);
  const end = <usize>bars * rowBytes;
  const zero = f64x2.splat(0);
  for (let g: usize = 0; g < rowBytes; g += 16) {
    let sum = v128.load(saved + g);
    for (let i = <usize>startOf(at, row, bars) * rowBytes + g; i < end; i += rowBytes) {
      sum = v128.and(sum, f64x2.eq(v128.load(restart + i), zero));
      sum = f64x2.add(sum, v128.load(x + i));
      v128.store(to + i, sum);
    }
    v128.store(saved + g, sum);
  }
}

/** Value `period` rows before. State: as many rows, by row of the series modulo `period`. */
export function delay(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at), span = period(at);
  const start = startOf(at, row, bars);
  let place = (row + start - first(at)) % span;
  for (let bar = start; bar < bars; bar++) {
    const slot = saved + <usize>place * rowBytes;
    const i = <usize>bar * rowBytes;
    for (let g: usize = 0; g < rowBytes; g += 16) {
      const before = v128.load(slot + g);
      v128.store(slot + g, v128.load(x + i + g));
      v128.store(to + i + g, before);
    }
    place = place + 1 == span ? 0 : place + 1;
  }
}

/** Repeats the last value where the input is NaN. State: that value. */
export function held(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at);
  const start = startOf(at, row, bars);
  const isFirst = row + start == first(at);
  const end = <usize>bars * rowBytes;
  for (let g: usize = 0; g < rowBytes; g += 16) {
    let last = isFirst ? f64x2.splat(NaN) : v128.load(saved + g);
    for (let i = <usize>start * rowBytes + g; i < end; i += rowBytes) {
      const value = v128.load(x + i);
      last = v128.bitselect(value, last, f64x2.eq(value, value));
      v128.store(to + i, last);
    }
    if (start < bars) v128.store(saved + g, last);
  }
}

/**
 * Truth on any of the last `period` rows. State: rows for which the last truth still counts, and
 * known rows up to the last one, `period` at most. Zeros are right before the first row.
 */
export function within(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at), saved = state(at);
  const span = f64x2.splat(<f64>period(at));
  const zero = f64x2.splat(0), one = f64x2.splat(1), none = f64x2.splat(NaN);
  const end = <usize>bars * rowBytes;
  for (let g: usize = 0; g < rowBytes; g += 16) {
    let left = v128.load(saved + g), known = v128.load(saved + rowBytes + g);
    for (let i = <usize>startOf(at, row, bars) * rowBytes + g; i < end; i += rowBytes) {
      const truth = v128.load(x + i);
      left = v128.bitselect(span, f64x2.max(f64x2.sub(left, one), zero), f64x2.eq(truth, one));
      known = v128.and(f64x2.min(f64x2.add(known, one), span), f64x2.eq(truth, truth));
      const other = v128.bitselect(zero, none, f64x2.eq(known, span));
      v128.store(to + i, v128.bitselect(one, other, f64x2.gt(left, zero)));
    }
    v128.store(saved + g, left);
    v128.store(saved + rowBytes + g, known);
  }
}
