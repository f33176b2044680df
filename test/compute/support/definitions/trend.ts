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
  lowest,
  ones,
  rowByRow,
  subtract,
  sum,
  times,
  trueRange,
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
};
