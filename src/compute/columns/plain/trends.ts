/** Operations that turn with the trend. */

import { type Piece, startOf } from './piece.ts';

/** Numbers of state of `parabolic`, in their order. */
interface Parabolic {
  direction: number;
  stop: number;
  extreme: number;
  speed: number;
  high1: number;
  low1: number;
  high2: number;
  low2: number;
}

/**
 * Wilder's Parabolic Stop and Reverse of highs and lows. State: direction, stop, extreme point,
 * acceleration, and high and low of the last two bars.
 */
export function parabolic(piece: Piece): void {
  const { one, values, a, b, to, states, at, stride, row, count } = piece;
  const [step, most] = one.factors;
  const start = startOf(piece);
  const field = (place: number) => states[at + place * stride];
  const [direction, stop, extreme, speed] = [field(0), field(1), field(2), field(3)];
  const [high1, low1, high2, low2] = [field(4), field(5), field(6), field(7)];
  const now: Parabolic = { direction, stop, extreme, speed, high1, low1, high2, low2 };
  let seen = row + start - one.start;
  for (let k = start; k < count; k++, seen++) {
    const [high, low] = [values[a + k], values[b + k]];
    if (seen === 1) begin(now, high, low, step);
    if (seen >= 1) {
      turn(now, high, low, { step, most, isFirst: seen === 1 });
      values[to + k] = now.stop;
    }
    now.high2 = now.high1;
    now.low2 = now.low1;
    now.high1 = high;
    now.low1 = low;
  }
  Object.values(now).forEach((value, place) => {
    states[at + place * stride] = value;
  });
}

/** The second bar sets the direction, by the larger of its two moves. */
function begin(now: Parabolic, high: number, low: number, step: number): void {
  const { high1, low1 } = now;
  const isDown = low1 - low > 0 && low1 - low > high - high1;
  now.direction = isDown ? -1 : 1;
  now.stop = isDown ? high1 : low1;
  now.extreme = isDown ? low : high;
  now.speed = step;
  // The first bar bounds no stop: those of TA-Lib begin with the second bar's range.
  now.high1 = high;
  now.low1 = low;
}

function turn(
  now: Parabolic,
  high: number,
  low: number,
  { step, most, isFirst }: { step: number; most: number; isFirst: boolean },
): void {
  const { extreme, high1, low1, high2, low2 } = now;
  const isUp = now.direction > 0;
  if (!isFirst) {
    const stop = now.stop + now.speed * (extreme - now.stop);
    now.stop = isUp ? Math.min(stop, Math.min(low1, low2)) : Math.max(stop, Math.max(high1, high2));
  }
  if (isUp ? low <= now.stop : high >= now.stop) {
    now.direction = -now.direction;
    now.stop = isUp
      ? Math.max(extreme, Math.max(high, high1))
      : Math.min(extreme, Math.min(low, low1));
    now.extreme = isUp ? low : high;
    now.speed = step;
  } else if (isUp ? high > extreme : low < extreme) {
    now.extreme = isUp ? high : low;
    if (!isFirst) now.speed = Math.min(now.speed + step, most);
  }
}

/**
 * Bands that only tighten while the trend lasts: the line, and its direction as second output. The
 * inputs are the upper and the lower band and the close. State: both bands, direction, last close.
 */
export function trend(piece: Piece): void {
  const { one, values, a, b, c, to, second, states, at, stride, row, count } = piece;
  let [upper, lower] = [states[at], states[at + stride]];
  let [direction, last] = [states[at + 2 * stride], states[at + 3 * stride]];
  const start = startOf(piece);
  let seen = row + start - one.start;
  for (let k = start; k < count; k++, seen++) {
    const [nextUpper, nextLower, close] = [values[a + k], values[b + k], values[c + k]];
    if (seen === 0) {
      upper = nextUpper;
      lower = nextLower;
      direction = close > upper ? 1 : -1;
    } else {
      const [wasAbove, wasBelow] = [last > upper, last < lower];
      if (nextUpper < upper || wasAbove) upper = nextUpper;
      if (nextLower > lower || wasBelow) lower = nextLower;
      if (direction < 0 && close > upper) direction = 1;
      else if (direction > 0 && close < lower) direction = -1;
    }
    last = close;
    values[to + k] = direction > 0 ? lower : upper;
    values[second + k] = direction;
  }
  states[at] = upper;
  states[at + stride] = lower;
  states[at + 2 * stride] = direction;
  states[at + 3 * stride] = last;
}
