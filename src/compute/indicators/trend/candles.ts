import {
  above,
  absolute,
  add,
  type Bars,
  type Column,
  delay,
  larger,
  mean,
  multiply,
  negation,
  type Operand,
  smaller,
  subtract,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/** 1 where all conditions are, from the row on where each has a value. */
const all = (...conditions: Column[]): Column => conditions.reduce((a, b) => multiply(a, b));
const notAbove = (a: Operand, b: Operand) => negation(above(a, b));

/** Measures of bars, as TA-Lib has them by default. The averages are those of the bars before. */
function measuresOf({ open, high, low, close }: Bars) {
  const body = absolute(subtract(close, open));
  const [top, bottom] = [larger(open, close), smaller(open, close)];
  const averageOf = (a: Column, bars: number, share: number) =>
    multiply(delay(mean(a, bars), 1), share);
  const range = subtract(high, low);
  return {
    ...{ open, high, low, close, body, top, bottom },
    upper: subtract(high, top),
    lower: subtract(bottom, low),
    isWhite: notAbove(open, close),
    isBlack: above(open, close),
    usual: averageOf(body, 10, 1),
    /** A tenth of the usual range. */
    tiny: averageOf(range, 10, 0.1),
    near: averageOf(range, 5, 0.2),
    far: averageOf(range, 5, 0.6),
  };
}

type Measures = ReturnType<typeof measuresOf>;

/** The same measures some bars before. */
function before(measures: Measures, bars: number): Measures {
  const entries = Object.entries(measures).map(([name, a]) => [name, delay(a, bars)]);
  return Object.fromEntries(entries) as Measures;
}

const isLong = ({ body, usual }: Measures) => above(body, usual);
const isShort = ({ body, usual }: Measures) => notAbove(body, usual);

/** 1 for rising candles, −1 for falling ones, 0 without the pattern. */
const signed = (rising: Column, falling: Column) => subtract(rising, falling);
const bullish = (condition: Column) => condition;
const bearish = (condition: Column) => subtract(0, condition);

/** White and black candle, the second around or inside of the body of the first. */
function pairs(now: Measures, last: Measures) {
  const holds = (outer: Measures, inner: Measures) =>
    all(notAbove(outer.bottom, inner.bottom), notAbove(inner.top, outer.top));
  const isOther = larger(above(last.bottom, now.bottom), above(now.top, last.top));
  const around = all(holds(now, last), isOther);
  const inside = all(isLong(last), isShort(now), holds(last, now));
  return {
    engulfing: signed(
      all(now.isWhite, last.isBlack, around),
      all(now.isBlack, last.isWhite, around),
    ),
    harami: signed(all(last.isBlack, inside), all(last.isWhite, inside)),
    piercing: bullish(
      all(
        ...[last.isBlack, isLong(last), now.isWhite, isLong(now), above(last.low, now.open)],
        above(last.open, now.close),
        above(now.close, add(last.close, multiply(last.body, 0.5))),
      ),
    ),
    dark_cloud: bearish(
      all(
        ...[last.isWhite, isLong(last), now.isBlack, above(now.open, last.high)],
        above(now.close, last.open),
        above(subtract(last.close, multiply(last.body, 0.5)), now.close),
      ),
    ),
  };
}

/** A long candle, a short one beyond its body, and one that goes back by 0.3 of the first. */
function stars(now: Measures, star: Measures, first: Measures) {
  const shape = all(isLong(first), isShort(star), isLong(now));
  const way = multiply(first.body, 0.3);
  return {
    morning_star: bullish(
      all(
        ...[shape, first.isBlack, above(first.bottom, star.top), now.isWhite],
        above(now.close, add(first.close, way)),
      ),
    ),
    evening_star: bearish(
      all(
        ...[shape, first.isWhite, above(star.bottom, first.top), now.isBlack],
        above(subtract(first.close, way), now.close),
      ),
    ),
  };
}

/** Three candles of one colour, each closing further, with almost no shadow at their closes. */
function threes(bars: readonly Measures[]) {
  const [now, second, first, before] = bars;
  const steps = [
    [second, first],
    [now, second],
  ];
  const three = [now, second, first];
  const soldiers = steps.flatMap(([next, last]) => [
    above(next.close, last.close),
    above(next.open, last.open),
    notAbove(next.open, add(last.close, last.near)),
    above(next.body, subtract(last.body, last.far)),
  ]);
  const crows = steps.flatMap(([next, last]) => [
    above(last.close, next.close),
    above(last.open, next.open),
    above(next.open, last.close),
  ]);
  return {
    three_soldiers: bullish(
      all(
        ...three.flatMap(({ isWhite, tiny, upper }) => [isWhite, above(tiny, upper)]),
        ...soldiers,
        isLong(now),
      ),
    ),
    three_crows: bearish(
      all(
        ...three.flatMap(({ isBlack, tiny, lower }) => [isBlack, above(tiny, lower)]),
        ...crows,
        before.isWhite,
        above(before.high, first.close),
      ),
    ),
  };
}

/**
 * Twelve patterns of candles: 1 for a bullish one, −1 for a bearish one, else 0; a doji is 1. They are
 * those of TA-Lib with its default settings, which compare bodies, shadows and ranges with those of
 * the five or ten bars before.
 *
 * @see Nison 1991, Japanese Candlestick Charting Techniques.
 */
export const candles = indicator({
  name: 'candles',
  title: 'Candle patterns',
  outputs: [
    ...(['doji', 'hammer', 'shooting_star', 'marubozu', 'engulfing', 'harami'] as const),
    ...(['piercing', 'dark_cloud', 'morning_star', 'evening_star'] as const),
    ...(['three_soldiers', 'three_crows'] as const),
  ],
  columns: (bars) => {
    const now = measuresOf(bars);
    const [last, second, third] = [1, 2, 3].map((count) => before(now, count));
    const { body, upper, lower, tiny, usual } = now;
    const isSmall = above(usual, body);
    const isBare = all(isLong(now), above(tiny, upper), above(tiny, lower));
    return {
      doji: notAbove(body, tiny),
      hammer: bullish(
        all(
          ...[isSmall, above(lower, body), above(tiny, upper)],
          notAbove(now.bottom, add(last.low, last.near)),
        ),
      ),
      shooting_star: bearish(
        all(...[isSmall, above(upper, body), above(tiny, lower)], above(now.bottom, last.top)),
      ),
      marubozu: signed(all(isBare, now.isWhite), all(isBare, now.isBlack)),
      ...pairs(now, last),
      ...stars(now, last, second),
      ...threes([now, last, second, third]),
    };
  },
});
