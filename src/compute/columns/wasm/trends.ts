/** Operations that turn with the trend: each symbol goes its own way, so they run one by one. */

import {
  factorA,
  factorB,
  first,
  inputA,
  inputB,
  inputC,
  out,
  rowBytes,
  secondOut,
  state,
} from './instruction';
import { startOf } from './recursions';

/**
 * Wilder's Parabolic Stop and Reverse of highs and lows. State: direction, stop, extreme point,
 * acceleration, and high and low of the last two bars.
 */
export function parabolic(at: usize, row: i32, bars: i32): void {
  const highs = inputA(at),
    lows = inputB(at),
    to = out(at),
    saved = state(at);
  const step = factorA(at),
    most = factorB(at);
  const start = startOf(at, row, bars);
  for (let lane: usize = 0; lane < rowBytes; lane += 8) {
    const fields = saved + lane;
    let direction = load<f64>(fields);
    let stop = load<f64>(fields + rowBytes);
    let extreme = load<f64>(fields + 2 * rowBytes);
    let speed = load<f64>(fields + 3 * rowBytes);
    let high1 = load<f64>(fields + 4 * rowBytes),
      low1 = load<f64>(fields + 5 * rowBytes);
    let high2 = load<f64>(fields + 6 * rowBytes),
      low2 = load<f64>(fields + 7 * rowBytes);
    let seen = row + start - first(at);
    for (let bar = start; bar < bars; bar++, seen++) {
      const i = <usize>bar * rowBytes + lane;
      const high = load<f64>(highs + i),
        low = load<f64>(lows + i);
      if (seen == 1) {
        // The second bar sets the direction, by the larger of its two moves.
        const isDown = low1 - low > 0 && low1 - low > high - high1;
        direction = isDown ? -1 : 1;
        stop = isDown ? high1 : low1;
        extreme = isDown ? low : high;
        speed = step;
        // The first bar bounds no stop: those of TA-Lib begin with the second bar's range.
        high1 = high;
        low1 = low;
      }
      if (seen >= 1) {
        const isUp = direction > 0;
        if (seen > 1) {
          stop += speed * (extreme - stop);
          stop = isUp ? min(stop, min(low1, low2)) : max(stop, max(high1, high2));
        }
        if (isUp ? low <= stop : high >= stop) {
          direction = -direction;
          stop = isUp ? max(extreme, max(high, high1)) : min(extreme, min(low, low1));
          extreme = isUp ? low : high;
          speed = step;
        } else if (isUp ? high > extreme : low < extreme) {
          extreme = isUp ? high : low;
          if (seen > 1) speed = min(speed + step, most);
        }
        store<f64>(to + i, stop);
      }
      high2 = high1;
      low2 = low1;
      high1 = high;
      low1 = low;
    }
    store<f64>(fields, direction);
    store<f64>(fields + rowBytes, stop);
    store<f64>(fields + 2 * rowBytes, extreme);
    store<f64>(fields + 3 * rowBytes, speed);
    store<f64>(fields + 4 * rowBytes, high1);
    store<f64>(fields + 5 * rowBytes, low1);
    store<f64>(fields + 6 * rowBytes, high2);
    store<f64>(fields + 7 * rowBytes, low2);
  }
}

/**
 * Bands that only tighten while the trend lasts: the line, and its direction as second output. The
 * inputs are the upper and the lower band and the close. State: both bands, direction, last close.
 */
export function trend(at: usize, row: i32, bars: i32): void {
  const uppers = inputA(at),
    lowers = inputB(at),
    closes = inputC(at);
  const to = out(at),
    second = secondOut(at),
    saved = state(at);
  const start = startOf(at, row, bars);
  for (let lane: usize = 0; lane < rowBytes; lane += 8) {
    const fields = saved + lane;
    let upper = load<f64>(fields),
      lower = load<f64>(fields + rowBytes);
    let direction = load<f64>(fields + 2 * rowBytes),
      last = load<f64>(fields + 3 * rowBytes);
    let seen = row + start - first(at);
    for (let bar = start; bar < bars; bar++, seen++) {
      const i = <usize>bar * rowBytes + lane;
      const close = load<f64>(closes + i);
      const nextUpper = load<f64>(uppers + i),
        nextLower = load<f64>(lowers + i);
      if (seen == 0) {
        upper = nextUpper;
        lower = nextLower;
        direction = close > upper ? 1 : -1;
      } else {
        const wasAbove = last > upper,
          wasBelow = last < lower;
        if (nextUpper < upper || wasAbove) upper = nextUpper;
        if (nextLower > lower || wasBelow) lower = nextLower;
        if (direction < 0 && close > upper) direction = 1;
        else if (direction > 0 && close < lower) direction = -1;
      }
      last = close;
      store<f64>(to + i, direction > 0 ? lower : upper);
      store<f64>(second + i, direction);
    }
    store<f64>(fields, upper);
    store<f64>(fields + rowBytes, lower);
    store<f64>(fields + 2 * rowBytes, direction);
    store<f64>(fields + 3 * rowBytes, last);
  }
}
