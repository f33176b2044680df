import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../../src/compute/columns/indicator-spec.ts';
import { EXACT_ONE, type Exact, exactFromDouble, size } from '../exact.ts';
import {
  absolute,
  add,
  change,
  type Definition,
  delay,
  divide,
  type ExactColumns,
  exactColumn,
  highest,
  larger,
  lowest,
  mean,
  ones,
  rowByRow,
  smaller,
  subtract,
  sum,
  times,
  trueRange,
  typicalPrice,
  wilder,
  windowed,
} from './definition.ts';

/** Wilder's stop. The second bar begins a trend; no stop is inside the last two bars' ranges. */
function parabolic({ high, low }: IndicatorInput, { step, most }: IndicatorParams): Exact[] {
  const [highs, lows] = [high, low].map((column) => Array.from(column, exactFromDouble));
  const [first, limit] = [step, most].map(exactFromDouble);
  const least = (...values: bigint[]) => values.reduce((a, b) => (a < b ? a : b));
  const greatest = (...values: bigint[]) => values.reduce((a, b) => (a > b ? a : b));
  let isUp = true;
  let stop = 0n;
  let extreme = 0n;
  let speed = first;
  return highs.map((_, i) => {
    if (i === 0) return undefined;
    // The range of the first bar bounds nothing.
    const before = Math.max(1, i - 1);
    const twoBefore = Math.max(1, i - 2);
    if (i === 1) {
      const fall = lows[0] - lows[1];
      isUp = fall <= 0n || fall <= highs[1] - highs[0];
      stop = isUp ? lows[0] : highs[0];
      extreme = isUp ? highs[1] : lows[1];
    } else {
      stop += (speed * (extreme - stop)) / EXACT_ONE;
      stop = isUp
        ? least(stop, lows[before], lows[twoBefore])
        : greatest(stop, highs[before], highs[twoBefore]);
    }
    const isHit = isUp ? lows[i] <= stop : highs[i] >= stop;
    if (isHit) {
      stop = isUp
        ? greatest(extreme, highs[i], highs[before])
        : least(extreme, lows[i], lows[before]);
      isUp = !isUp;
      extreme = isUp ? highs[i] : lows[i];
      speed = first;
    } else if (isUp ? highs[i] > extreme : lows[i] < extreme) {
      extreme = isUp ? highs[i] : lows[i];
      speed = least(speed + first, limit);
    }
    return stop;
  });
}

/** Line, direction, and the sum of the sizes that the line was computed from. */
function supertrend(bars: IndicatorInput, { period, k }: IndicatorParams): ExactColumns {
  const [high, low, close] = [bars.high, bars.low, bars.close].map(exactColumn);
  const middle = times(add(high, low), 0.5);
  const width = times(wilder(trueRange(bars), period), k);
  const [basicUpper, basicLower] = [add(middle, width), subtract(middle, width)];
  const terms = add(absolute(middle), width);
  type Band = { at: bigint; terms: bigint };
  let upper: Band | undefined;
  let lower: Band | undefined;
  let isUp = false;
  const rows = close.map((value, i) => {
    if (basicUpper[i] === undefined) return undefined;
    const last = close[i - 1] as bigint;
    const nextUpper = { at: basicUpper[i], terms: terms[i] as bigint };
    const nextLower = { at: basicLower[i] as bigint, terms: terms[i] as bigint };
    if (!upper || nextUpper.at < upper.at || last > upper.at) upper = nextUpper;
    if (!lower || nextLower.at > lower.at || last < lower.at) lower = nextLower;
    isUp = isUp ? (value as bigint) >= lower.at : (value as bigint) > upper.at;
    return { band: isUp ? lower : upper, direction: isUp ? EXACT_ONE : -EXACT_ONE };
  });
  return {
    value: rows.map((row) => row?.band.at),
    direction: rows.map((row) => row?.direction),
    terms: rows.map((row) => row?.band.terms),
  };
}

function directional(bars: IndicatorInput, { period }: IndicatorParams) {
  const rise = change(exactColumn(bars.high));
  const fall = times(change(exactColumn(bars.low)), -1);
  const movement = (a: bigint, b: bigint) => (a > b && a > 0n ? a : 0n);
  const plus = wilder(rowByRow(movement, rise, fall), period);
  const minus = wilder(rowByRow(movement, fall, rise), period);
  const range = wilder(trueRange(bars), period);
  const index = rowByRow(
    (a, b) => (a + b === 0n ? 0n : (100n * EXACT_ONE * size(a - b)) / (a + b)),
    plus,
    minus,
  );
  return {
    adx: rowByRow((a, b, x) => (a + b === 0n ? undefined : x), plus, minus, wilder(index, period)),
    plus_di: divide(times(plus, 100), range),
    minus_di: divide(times(minus, 100), range),
  };
}

/** 100 × (period − bars since the extreme) / period; the newest of equal ones counts. */
function aroonLine(a: Exact[], period: number, isBeyond: (x: bigint, y: bigint) => boolean) {
  return windowed(a, period + 1, (values) => {
    const best = values.reduce((x, y) => (isBeyond(x, y) ? x : y));
    return (100n * EXACT_ONE * BigInt(values.lastIndexOf(best))) / BigInt(period);
  });
}

function middleOf({ high, low }: IndicatorInput, period: number): Exact[] {
  return times(add(highest(exactColumn(high), period), lowest(exactColumn(low), period)), 0.5);
}

function heikinAshi(bars: IndicatorInput): ExactColumns {
  const [o, h, l, c] = [bars.open, bars.high, bars.low, bars.close].map(exactColumn);
  const close = rowByRow((a, b, d, e) => (a + b + d + e) / 4n, o, h, l, c);
  let before: bigint | undefined;
  const open = close.map((value, row) => {
    const last = close[row - 1];
    before =
      before === undefined
        ? ((o[row] as bigint) + (c[row] as bigint)) / 2n
        : (before + (last as bigint)) / 2n;
    return value === undefined ? undefined : before;
  });
  const high = larger(h, larger(open, close));
  return { open, high, low: smaller(l, smaller(open, close)), close };
}

/** Twelve patterns bar by bar, with the averages of the bars before. */
function candles(bars: IndicatorInput): ExactColumns {
  const [o, h, l, c] = [bars.open, bars.high, bars.low, bars.close].map((column) =>
    Array.from(column, exactFromDouble),
  );
  const body = o.map((_, i) => size(c[i] - o[i]));
  const top = larger(o, c) as bigint[];
  const bottom = smaller(o, c) as bigint[];
  const range = subtract(h, l);
  const average = (a: Exact[], count: number, share: number) =>
    times(delay(mean(a, count), 1), share) as bigint[];
  const usual = average(body, 10, 1);
  const tiny = average(range, 10, 0.1);
  const near = average(range, 5, 0.2);
  const far = average(range, 5, 0.6);
  const isWhite = (i: number) => c[i] >= o[i];
  const upper = (i: number) => h[i] - top[i];
  const lower = (i: number) => bottom[i] - l[i];
  const isLong = (i: number) => body[i] > usual[i];
  const step = (i: number) =>
    c[i] > c[i - 1] &&
    o[i] > o[i - 1] &&
    o[i] <= c[i - 1] + near[i - 1] &&
    body[i] > body[i - 1] - far[i - 1];
  const fall = (i: number) => c[i] < c[i - 1] && o[i] < o[i - 1] && o[i] > c[i - 1];
  const part = (value: bigint, share: number) => (value * exactFromDouble(share)) / EXACT_ONE;
  const holds = (a: number, b: number) => bottom[a] <= bottom[b] && top[b] <= top[a];
  const backedBy = (i: number) => isLong(i - 2) && body[i - 1] <= usual[i - 1] && isLong(i);
  /** Warm-up, and value at a bar. */
  const patterns: Record<string, [first: number, of: (i: number) => boolean | number]> = {
    doji: [10, (i) => body[i] <= tiny[i]],
    hammer: [
      10,
      (i) =>
        body[i] < usual[i] &&
        lower(i) > body[i] &&
        upper(i) < tiny[i] &&
        bottom[i] <= l[i - 1] + near[i - 1],
    ],
    shooting_star: [
      10,
      (i) =>
        -Number(
          body[i] < usual[i] && upper(i) > body[i] && lower(i) < tiny[i] && bottom[i] > top[i - 1],
        ),
    ],
    marubozu: [
      10,
      (i) => Number(isLong(i) && upper(i) < tiny[i] && lower(i) < tiny[i]) * (isWhite(i) ? 1 : -1),
    ],
    engulfing: [
      1,
      (i) =>
        Number(
          isWhite(i) !== isWhite(i - 1) &&
            holds(i, i - 1) &&
            (bottom[i] < bottom[i - 1] || top[i] > top[i - 1]),
        ) * (isWhite(i) ? 1 : -1),
    ],
    harami: [
      11,
      (i) =>
        Number(isLong(i - 1) && body[i] <= usual[i] && holds(i - 1, i)) * (isWhite(i - 1) ? -1 : 1),
    ],
    piercing: [
      11,
      (i) =>
        !isWhite(i - 1) &&
        isLong(i - 1) &&
        isWhite(i) &&
        isLong(i) &&
        o[i] < l[i - 1] &&
        c[i] < o[i - 1] &&
        c[i] > c[i - 1] + part(body[i - 1], 0.5),
    ],
    dark_cloud: [
      11,
      (i) =>
        -Number(
          isWhite(i - 1) &&
            isLong(i - 1) &&
            !isWhite(i) &&
            o[i] > h[i - 1] &&
            c[i] > o[i - 1] &&
            c[i] < c[i - 1] - part(body[i - 1], 0.5),
        ),
    ],
    morning_star: [
      12,
      (i) =>
        backedBy(i) &&
        !isWhite(i - 2) &&
        top[i - 1] < bottom[i - 2] &&
        isWhite(i) &&
        c[i] > c[i - 2] + part(body[i - 2], 0.3),
    ],
    evening_star: [
      12,
      (i) =>
        -Number(
          backedBy(i) &&
            isWhite(i - 2) &&
            bottom[i - 1] > top[i - 2] &&
            !isWhite(i) &&
            c[i] < c[i - 2] - part(body[i - 2], 0.3),
        ),
    ],
    three_soldiers: [
      12,
      (i) =>
        [i, i - 1, i - 2].every((at) => isWhite(at) && upper(at) < tiny[at]) &&
        step(i) &&
        step(i - 1) &&
        isLong(i),
    ],
    three_crows: [
      12,
      (i) =>
        -Number(
          [i, i - 1, i - 2].every((at) => !isWhite(at) && lower(at) < tiny[at]) &&
            fall(i) &&
            fall(i - 1) &&
            isWhite(i - 3) &&
            h[i - 3] > c[i - 2],
        ),
    ],
  };
  return Object.fromEntries(
    Object.entries(patterns).map(([name, [first, of]]) => [
      name,
      o.map((_, i) => (i < first ? undefined : BigInt(Number(of(i))) * EXACT_ONE)),
    ]),
  );
}

export const trend: Readonly<Record<string, Definition>> = {
  adx: {
    exact: directional,
    bound: 1e-11,
    measure: 'in points',
    scale: ({ adx }) => ones(adx),
    params: [{ period: 3 }, { period: 4 }],
    longParams: [{ period: 50 }],
  },
  aroon: {
    exact({ high, low }, { period }) {
      const up = aroonLine(exactColumn(high), period, (x, y) => x > y);
      const down = aroonLine(exactColumn(low), period, (x, y) => x < y);
      return { up, down, oscillator: subtract(up, down) };
    },
    bound: 1e-13,
    measure: 'in points',
    scale: ({ up }) => ones(up),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [{ period: 49 }],
  },
  psar: {
    exact: (bars, params) => ({ psar: parabolic(bars, params) }),
    bound: 1e-12,
    measure: 'as a share of the value',
    scale: ({ psar }) => absolute(psar),
    params: [
      { step: 0.001, most: 0.001 },
      { step: 0.1, most: 1 },
    ],
  },
  supertrend: {
    exact: supertrend,
    bound: 1e-13,
    measure: 'as a share of the sizes of its terms',
    scale: ({ terms }) => terms,
    params: [
      { period: 1, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [{ period: 50, k: 3 }],
  },
  ichimoku: {
    exact(bars, { conversion, base, span }) {
      const lines = { conversion: middleOf(bars, conversion), base: middleOf(bars, base) };
      return {
        ...lines,
        span_a: delay(times(add(lines.conversion, lines.base), 0.5), base),
        span_b: delay(middleOf(bars, span), base),
      };
    },
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: (exact, _bars, _params, output) => absolute(exact[output]),
    params: [
      { conversion: 1, base: 1, span: 1 },
      { conversion: 3, base: 5, span: 9 },
    ],
  },
  vortex: {
    exact(bars, { period }) {
      const [high, low] = [bars.high, bars.low].map(exactColumn);
      const range = sum(trueRange(bars), period);
      const share = (a: Exact[], b: Exact[]) =>
        divide(sum(absolute(subtract(a, delay(b, 1))), period), range);
      return { plus: share(high, low), minus: share(low, high) };
    },
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact, _bars, _params, output) => absolute(exact[output]),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [{ period: 200 }],
  },
  highest: {
    exact: ({ high }, { period }) => ({ highest: highest(exactColumn(high), period) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.highest),
    params: [{ period: 1 }, { period: 4 }],
  },
  lowest: {
    exact: ({ low }, { period }) => ({ lowest: lowest(exactColumn(low), period) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.lowest),
    params: [{ period: 1 }, { period: 4 }],
  },
  change: {
    exact: ({ close }, { bars }) => ({ change: change(exactColumn(close), bars) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.change),
    params: [{ bars: 4 }],
  },
  heikin_ashi: {
    exact: heikinAshi,
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact, _bars, _params, output) => absolute(exact[output]),
    params: [],
  },
  pivot_points: {
    exact(bars) {
      const pivot = delay(typicalPrice(bars), 1);
      const [high, low] = [bars.high, bars.low].map((column) => delay(exactColumn(column), 1));
      const range = subtract(high, low);
      return {
        pivot,
        r1: subtract(times(pivot, 2), low),
        s1: subtract(times(pivot, 2), high),
        r2: add(pivot, range),
        s2: subtract(pivot, range),
        r3: add(high, times(subtract(pivot, low), 2)),
        s3: subtract(low, times(subtract(high, pivot), 2)),
      };
    },
    bound: 1e-14,
    measure: 'as a share of the last high',
    scale: (_, { high }) => delay(exactColumn(high), 1),
    params: [],
  },
  candles: {
    exact: candles,
    bound: 1e-15,
    measure: 'of 1: none',
    scale: ({ doji }) => ones(doji.map(() => 1n)),
    params: [],
  },
};
