/** Operations whose value follows from their last one. */

import { type Piece, startOf } from './piece.ts';

/** Share of an average that is kept when value number `index` comes in, as in a mean at first. */
function decayAt(index: number, period: number): number {
  return index < period ? index / (index + 1) : (period - 1) / (period + 1);
}

/** Rows that the operation has read before one of these rows. */
function seenBefore({ one, row }: Piece, start: number): number {
  return row + start - one.start;
}

/** State: the last value, the average minus it. `weight` 1 adds the value again. */
function advanceEma(piece: Piece, isLag: boolean): void {
  const { one, values, a, to, states, at, stride, count } = piece;
  const start = startOf(piece);
  if (start === count) return;
  let seen = seenBefore(piece, start);
  let last = seen === 0 ? values[a + start] : states[at];
  let lag = states[at + stride];
  const settled = decayAt(one.period, one.period);
  for (let k = start; k < count; k++, seen++) {
    const x = values[a + k];
    const decay = seen < one.period ? decayAt(seen, one.period) : settled;
    lag = (lag - (x - last)) * decay;
    last = x;
    values[to + k] = isLag ? lag : x + lag;
  }
  states[at] = last;
  states[at + stride] = lag;
}

export const ema = (piece: Piece): void => advanceEma(piece, false);
export const emaLag = (piece: Piece): void => advanceEma(piece, true);

/** The same average as `ema`, carried as it is: for values that are not prices. State: itself. */
export function smooth(piece: Piece): void {
  const { one, values, a, to, states, at, count } = piece;
  const start = startOf(piece);
  let seen = seenBefore(piece, start);
  let average = states[at];
  const settled = decayAt(one.period, one.period);
  for (let k = start; k < count; k++, seen++) {
    const kept = seen < one.period ? decayAt(seen, one.period) : settled;
    average = average * kept + values[a + k] * (1 - kept);
    values[to + k] = average;
  }
  states[at] = average;
}

/** Wilder's smoothing, seeded with the mean of the first values. State: `period` times the mean. */
export function wilder(piece: Piece): void {
  const { one, values, a, to, states, at, count } = piece;
  const { period } = one;
  const start = startOf(piece);
  let seen = seenBefore(piece, start);
  const decay = (period - 1) / period;
  let sum = states[at];
  for (let k = start; k < count; k++, seen++) {
    sum = (seen < period ? sum : sum * decay) + values[a + k];
    values[to + k] = sum / period;
  }
  states[at] = sum;
}

/**
 * Below this the sum of sizes of changes is held. Without it a long flat run would take both sums
 * to subnormal numbers, whose ratio is noise.
 */
const HELD_BELOW = 1e-290;

/**
 * 50 + 50 × net ÷ gross, with `net` the smoothed change and `gross` the smoothed size of change.
 * State: the last value, both sums.
 */
export function rsi(piece: Piece): void {
  const { one, values, a, to, states, at, stride, count } = piece;
  const { period } = one;
  const start = startOf(piece);
  if (start === count) return;
  let seen = seenBefore(piece, start);
  const decay = (period - 1) / period;
  let last = seen === 0 ? values[a + start] : states[at];
  let net = states[at + stride];
  let gross = states[at + 2 * stride];
  for (let k = start; k < count; k++, seen++) {
    const x = values[a + k];
    const change = x - last;
    last = x;
    if (seen <= period) {
      net += change;
      gross += Math.abs(change);
    } else {
      const next = gross * decay + Math.abs(change);
      if (!(next < HELD_BELOW)) {
        net = net * decay + change;
        gross = next;
      }
    }
    values[to + k] = 50 + 50 * (net / gross);
  }
  states[at] = last;
  states[at + stride] = net;
  states[at + 2 * stride] = gross;
}

/**
 * Moves towards the first input by the share that the second gives, from the third input in the
 * first row on. State: the last value.
 */
export function follow(piece: Piece): void {
  const { values, a, b, c, to, states, at, count } = piece;
  const start = startOf(piece);
  if (start === count) return;
  let value = seenBefore(piece, start) === 0 ? values[c + start] : states[at];
  for (let k = start; k < count; k++) {
    const x = values[a + k];
    value = x + (1 - values[b + k]) * (value - x);
    values[to + k] = value;
  }
  states[at] = value;
}

/**
 * Moves towards the input by the first factor. A value beyond the second factor becomes the third,
 * with its sign. State: the last value.
 */
export function snapped(piece: Piece): void {
  const { one, values, a, to, states, at, count } = piece;
  const [share, beyond, bound] = one.factors;
  let value = states[at];
  for (let k = startOf(piece); k < count; k++) {
    value = share * values[a + k] + (1 - share) * value;
    if (Math.abs(value) > beyond) value = Math.sign(value) * bound;
    values[to + k] = value;
  }
  states[at] = value;
}

/** Largest value since the last row whose second input is not 0. State: that value. */
export function highestSince(piece: Piece): void {
  const { values, a, b, to, states, at, count } = piece;
  const start = startOf(piece);
  if (start === count) return;
  let best = seenBefore(piece, start) === 0 ? Number.NEGATIVE_INFINITY : states[at];
  for (let k = start; k < count; k++) {
    best = values[b + k] === 0 ? Math.max(best, values[a + k]) : values[a + k];
    values[to + k] = best;
  }
  states[at] = best;
}

/** Running total, which starts again at rows whose second input is not 0. State: the total. */
export function total(piece: Piece): void {
  const { values, a, b, to, states, at, count } = piece;
  let sum = states[at];
  for (let k = startOf(piece); k < count; k++) {
    sum = (values[b + k] === 0 ? sum : 0) + values[a + k];
    values[to + k] = sum;
  }
  states[at] = sum;
}

/** Value `period` rows before. State: as many rows, by row of the series modulo `period`. */
export function delay(piece: Piece): void {
  const { one, values, a, to, states, at, stride, count } = piece;
  const start = startOf(piece);
  let place = seenBefore(piece, start) % one.period;
  for (let k = start; k < count; k++) {
    const slot = at + place * stride;
    const before = states[slot];
    states[slot] = values[a + k];
    values[to + k] = before;
    place = place + 1 === one.period ? 0 : place + 1;
  }
}

/** Repeats the last value where the input is NaN. State: that value. */
export function held(piece: Piece): void {
  const { values, a, to, states, at, count } = piece;
  const start = startOf(piece);
  if (start === count) return;
  let last = seenBefore(piece, start) === 0 ? Number.NaN : states[at];
  for (let k = start; k < count; k++) {
    const x = values[a + k];
    if (!Number.isNaN(x)) last = x;
    values[to + k] = last;
  }
  states[at] = last;
}

/**
 * Truth on any of the last `period` rows. State: rows for which the last truth still counts, and
 * known rows up to the last one, `period` at most. Zeros are right before the first row.
 */
export function within(piece: Piece): void {
  const { one, values, a, to, states, at, stride, count } = piece;
  const { period } = one;
  let left = states[at];
  let known = states[at + stride];
  for (let k = startOf(piece); k < count; k++) {
    const truth = values[a + k];
    left = truth === 1 ? period : Math.max(left - 1, 0);
    known = Number.isNaN(truth) ? 0 : Math.min(known + 1, period);
    values[to + k] = left > 0 ? 1 : known === period ? 0 : Number.NaN;
  }
  states[at] = left;
  states[at + stride] = known;
}
