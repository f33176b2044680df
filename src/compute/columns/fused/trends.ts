/** Code of operations that follow a trend. */

import type { Emit } from './emitter.ts';
import { type Code, f64x2, get, set, v128 } from './encoding.ts';

const { add, sub, mul } = f64x2;

export const parabolic: Emit = (
  e,
  { inputs: [h, l], outputs: [to], state, factors },
  row,
  signs,
) => {
  const [direction, stop, extreme, speed, high1, low1, high2, low2] = Array.from(
    { length: 8 },
    (_, i) => e.carry(row, state + i),
  );
  const isQuick = signs.get(h) === 'positive' && signs.get(l) === 'positive';
  const least = isQuick ? f64x2.pmin : f64x2.min;
  const most = isQuick ? f64x2.pmax : f64x2.max;
  const [high, low] = [e.value(row, h), e.value(row, l)];
  const [isUp, isTurn, isFurther, next] = [e.vector(), e.vector(), e.vector(), e.vector()];
  const [step, mostSpeed] = factors.map((factor) => e.constant(factor));
  const byTrend = (up: Code, down: Code) => v128.bitselect(up, down, get(isUp));
  const turned = byTrend(
    most(get(extreme), most(high, get(high1))),
    least(get(extreme), least(low, get(low1))),
  );
  const faster = least(add(get(speed), step), mostSpeed);
  return [
    set(isUp, f64x2.gt(get(direction), e.constant(0))),
    set(next, add(get(stop), mul(get(speed), sub(get(extreme), get(stop))))),
    set(
      next,
      byTrend(
        least(get(next), least(get(low1), get(low2))),
        most(get(next), most(get(high1), get(high2))),
      ),
    ),
    set(isTurn, byTrend(f64x2.ge(get(next), low), f64x2.ge(high, get(next)))),
    set(isFurther, byTrend(f64x2.gt(high, get(extreme)), f64x2.lt(low, get(extreme)))),
    set(stop, v128.bitselect(turned, get(next), get(isTurn))),
    set(
      direction,
      v128.bitselect(sub(e.constant(-0), get(direction)), get(direction), get(isTurn)),
    ),
    set(
      speed,
      v128.bitselect(step, v128.bitselect(faster, get(speed), get(isFurther)), get(isTurn)),
    ),
    set(
      extreme,
      v128.bitselect(
        byTrend(low, high),
        v128.bitselect(byTrend(high, low), get(extreme), get(isFurther)),
        get(isTurn),
      ),
    ),
    set(high2, get(high1)),
    set(low2, get(low1)),
    set(high1, high),
    set(low1, low),
    e.define(row, to, get(stop)),
  ];
};

export const trend: Emit = (e, { inputs, outputs: [to, second], state }, row) => {
  const [upper, lower, direction, last] = [0, 1, 2, 3].map((i) => e.carry(row, state + i));
  const [nextUpper, nextLower, close] = inputs.map((tile) => e.value(row, tile));
  const [wasAbove, wasBelow] = [e.vector(), e.vector()];
  const isUp = v128.and(f64x2.lt(get(direction), e.constant(0)), f64x2.gt(close, get(upper)));
  const isDown = v128.and(f64x2.gt(get(direction), e.constant(0)), f64x2.lt(close, get(lower)));
  const down = v128.bitselect(e.constant(-1), get(direction), isDown);
  return [
    set(wasAbove, v128.or(f64x2.lt(nextUpper, get(upper)), f64x2.gt(get(last), get(upper)))),
    set(wasBelow, v128.or(f64x2.gt(nextLower, get(lower)), f64x2.lt(get(last), get(lower)))),
    set(upper, v128.bitselect(nextUpper, get(upper), get(wasAbove))),
    set(lower, v128.bitselect(nextLower, get(lower), get(wasBelow))),
    set(direction, v128.bitselect(e.constant(1), down, isUp)),
    set(last, close),
    e.define(
      row,
      to,
      v128.bitselect(get(lower), get(upper), f64x2.gt(get(direction), e.constant(0))),
    ),
    e.define(row, second, get(direction)),
  ];
};
