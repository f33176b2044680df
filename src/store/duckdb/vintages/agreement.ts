/**
 * Compares a served series before a load and after it. Pure.
 *
 * New prices agree with the old ones if their ratio is constant, piece by piece, and if they do not
 * jump where the old ones are smooth. A file that mends a missed split changes the ratio too, but
 * takes a jump away. So the smoother side wins.
 */

import { limits } from '../../../base/limits.ts';

/** Open, high, low, close. */
type Prices = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

/** Bars with the same times, strictly rising: as they were served and as they would be. */
export interface ComparedBars {
  timestampUs: Float64Array;
  older: Prices;
  newer: Prices;
  /** Half of the last decimal of either side at each bar, as a share of the close. */
  slack: Float64Array;
}

export interface Comparison {
  /** `same`: prices must be equal; `scaled`: a factor is fine; `other`: another source or basis. */
  kind: 'same' | 'scaled' | 'other';
  /**
   * True if the load brings bars after the last served one. A split may lie there, so that all
   * earlier prices are tenfold.
   */
  isAhead: boolean;
}

/** The first bar that speaks against the new prices. */
export interface Contradiction {
  kind: 'shifted' | 'exchanged' | 'longer' | 'jump' | 'stray' | 'level' | 'uneven';
  row: number;
  /** Number of bars of this kind. */
  count: number;
  /** Places of the stored bar whose prices a shifted or exchanged one has, or up to which a longer one has them. */
  by?: number;
}

const { agreement: bounds } = limits.sanity;

/** Runs of bars with one ratio. Levels are natural logarithms of new ÷ old. */
export interface Run {
  start: number;
  end: number;
  low: number;
  high: number;
}

/** Returns undefined if the new prices agree with the old ones. */
export function findContradiction(
  bars: ComparedBars,
  { kind, isAhead }: Comparison,
): Contradiction | undefined {
  const ratios = bars.timestampUs.map((_, row) =>
    Math.log(bars.newer[3][row] / bars.older[3][row]),
  );
  const runs = runsOf(ratios, bars.slack, kind === 'other' ? bounds.otherNoise : bounds.noise);
  return (
    findShift(bars) ??
    findExchange(bars) ??
    findLonger(bars) ??
    findJumps(bars, runs, kind) ??
    findStrays(bars, ratios, kind) ??
    findLevel(ratios, runs, kind, isAhead) ??
    findUneven(ratios, runs, bars.slack)
  );
}

/** Returns the longest runs whose ratios lie within rounding and noise of one another. */
export function runsOf(ratios: Float64Array, slack: Float64Array, noise: number): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const [row, ratio] of ratios.entries()) {
    const [low, high] = [ratio - slack[row] - noise, ratio + slack[row] + noise];
    if (last && low <= last.high && high >= last.low) {
      last.end = row + 1;
      last.low = Math.max(last.low, low);
      last.high = Math.min(last.high, high);
    } else {
      last = { start: row, end: row + 1, low, high };
      runs.push(last);
    }
  }
  return runs;
}

const lengthOf = ({ start, end }: Run): number => end - start;
export const levelOf = ({ low, high }: Run): number => (low + high) / 2;

/** Returns true if prices of two rows are equal, give or take roundings. */
function isAlike({ slack }: ComparedBars, a: [row: number, price: number], b: typeof a): boolean {
  const ratio = Math.abs(Math.log(a[1] / b[1]));
  return ratio <= slack[a[0]] + slack[b[0]] + bounds.noise;
}

function changedRows(bars: ComparedBars): number[] {
  return [...bars.slack.keys()].filter((row) => !hasPricesOf(bars, row, row));
}

function hasPricesOf(bars: ComparedBars, row: number, other: number): boolean {
  return bars.newer.every((column, price) =>
    isAlike(bars, [row, column[row]], [other, bars.older[price][other]]),
  );
}

/** Finds bars that all have the prices of the bar before or after them, as dates a day off give. */
function findShift(bars: ComparedBars): Contradiction | undefined {
  const { slack } = bars;
  const changed = changedRows(bars);
  for (const by of [1, -1] as const) {
    const compared = changed.filter((row) => row + by >= 0 && row + by < slack.length);
    if (compared.length < bounds.shiftedBarsMin) continue;
    if (!compared.every((row) => hasPricesOf(bars, row, row + by))) continue;
    return { kind: 'shifted', row: compared[0], count: compared.length, by };
  }
  return undefined;
}

/**
 * Finds two bars of which each has all prices of the other one's stored bar. In the right order, a
 * price opens nearer to the close before.
 */
function findExchange(bars: ComparedBars): Contradiction | undefined {
  const changed = changedRows(bars);
  if (changed.length > bounds.manyBars) return undefined;
  const keyOf = (prices: Prices, row: number) =>
    prices.map((column) => column[row].toPrecision(7)).join(' ');
  const stored = new Map(changed.map((row) => [keyOf(bars.older, row), row]));
  const gaps = ([open, , , close]: Prices, rows: readonly number[]) =>
    rows.reduce((sum, row) => sum + Math.abs(Math.log(open[row] / close[row - 1])) || sum, 0);
  const first = changed.find((row) => {
    const other = stored.get(keyOf(bars.newer, row)) ?? 0;
    const beside = [...new Set([row, row + 1, other, other + 1])];
    return (
      other > row &&
      keyOf(bars.newer, other) === keyOf(bars.older, row) &&
      gaps(bars.newer, beside) > gaps(bars.older, beside)
    );
  });
  if (first === undefined) return undefined;
  const by = stored.get(keyOf(bars.newer, first))! - first;
  return { kind: 'exchanged', row: first, count: 2, by };
}

/** Finds bars that all are of several stored ones, from their date on or up to it. */
function findLonger(bars: ComparedBars): Contradiction | undefined {
  const changed = changedRows(bars);
  const spans = changed.map((row) => longerSpan(bars, row));
  if (spans.length === 0 || spans.includes(undefined)) return undefined;
  return { kind: 'longer', row: changed[0], count: changed.length, by: spans[0] };
}

function longerSpan({ older, newer, ...bars }: ComparedBars, row: number): number | undefined {
  const [opens, highs, lows, closes] = older;
  for (const side of [1, -1]) {
    let [high, low] = [highs[row], lows[row]];
    for (let at = row + side; at >= 0 && at < opens.length; at += side) {
      [high, low] = [Math.max(high, highs[at]), Math.min(low, lows[at])];
      const [first, last] = side === 1 ? [row, at] : [at, row];
      const found = [opens[first], high, low, closes[last]];
      const own = { ...bars, older, newer };
      const isWider = high > highs[row] || low < lows[row];
      if (isWider && found.every((price, i) => isAlike(own, [row, newer[i][row]], [at, price]))) {
        return at - row;
      }
    }
  }
  return undefined;
}

/** Finds jumps that only the new prices have. */
function findJumps(
  bars: ComparedBars,
  runs: readonly Run[],
  kind: Comparison['kind'],
): Contradiction | undefined {
  const steps = runs.slice(1).map((run, i) => {
    return { run, before: runs[i], step: levelOf(run) - levelOf(runs[i]) };
  });
  // Splits move prices one way; a level that another jump takes back is one of wrong prices.
  const isUndone = (step: number) =>
    Math.abs(step) >= Math.log(bounds.stepMin) &&
    steps.some((other) => Math.abs(other.step + step) < bounds.unitNoise);
  const jumps = steps.filter(({ run, before, step }) => {
    const isLasting = Math.min(lengthOf(run), lengthOf(before)) >= bounds.lastingBarsMin;
    if (Math.abs(step) < Math.log(isLasting ? bounds.lastingStepMin : bounds.stepMin)) return false;
    // Traded prices jump at splits that adjusted ones do not show.
    if (kind === 'other' && isLasting && !isUnit(step, 2) && !isUndone(step)) return false;
    return jumpAt(bars.newer, run.start) > jumpAt(bars.older, run.start);
  });
  const [first] = jumps;
  if (!first) return undefined;
  const isCorrected = (step: (typeof steps)[number]) => {
    const lone = [step.before, step.run].find((run) => lengthOf(run) === 1);
    // A correction does not leave the prices on both sides.
    const isSpike = jumps.some(({ before }) => before === lone && step.run === lone);
    return lone && !isSpike && !isUnit(levelOf(step.run) - levelOf(step.before), 1);
  };
  const correctedMax = 2 * Math.max(1, bounds.correctedShareMax * bars.timestampUs.length);
  if (jumps.every(isCorrected) && jumps.length <= correctedMax) return undefined;
  return { kind: 'jump', row: first.run.start, count: jumps.length };
}

/** Greatest move from the close before to the open or close of a bar, in logarithms. */
export function jumpAt([open, , , close]: Prices, row: number): number {
  const before = close[row - 1];
  return Math.max(Math.abs(Math.log(open[row] / before)), Math.abs(Math.log(close[row] / before)));
}

/** Returns true for a power of ten, at least the given one: cents for dollars, pence for pounds. */
function isUnit(level: number, powerMin: number): boolean {
  const power = level / Math.LN10;
  const whole = Math.round(power);
  return Math.abs(whole) >= powerMin && Math.abs(power - whole) * Math.LN10 < bounds.unitNoise;
}

/**
 * Finds opens, highs and lows that have moved away from the close of their bar: some by far, or
 * those of most bars by more than noise, as a column that alone is adjusted.
 */
function findStrays(
  { older, newer }: ComparedBars,
  ratios: Float64Array,
  kind: Comparison['kind'],
): Contradiction | undefined {
  const rowsOver = (step: number) =>
    [...ratios.keys()].filter((row) =>
      [0, 1, 2].some((price) => {
        const [was, is] = [older, newer].map((side) => Math.log(side[price][row] / side[3][row]));
        // A close that alone has moved shows in its own ratio.
        const isMoved = Math.abs(Math.log(newer[price][row] / older[price][row])) >= step;
        return isMoved && Math.abs(is - was) >= step && Math.abs(is) > Math.abs(was);
      }),
    );
  const far = rowsOver(Math.log(bounds.stepMin));
  if (far.length > bounds.correctedShareMax * ratios.length) {
    return { kind: 'stray', row: far[0], count: far.length };
  }
  const most = rowsOver(kind === 'other' ? Math.log(bounds.lastingStepMin) : bounds.otherNoise);
  if (most.length < bounds.manyBars || most.length * 2 <= ratios.length) return undefined;
  return { kind: 'stray', row: most[0], count: most.length };
}

/** Finds a factor of all bars that nothing explains: another unit, or prices that are not traded. */
function findLevel(
  ratios: Float64Array,
  runs: readonly Run[],
  kind: Comparison['kind'],
  isAhead: boolean,
): Contradiction | undefined {
  const off = runs.filter((run) => {
    if (kind !== 'same') return isUnit(levelOf(run), isAhead ? 2 : 1);
    return Math.abs(levelOf(run)) > bounds.sameNoise;
  });
  const count = off.reduce((sum, run) => sum + lengthOf(run), 0);
  if (count * 2 <= ratios.length) return undefined;
  const largest = Math.max(...off.map((run) => Math.abs(levelOf(run))));
  // A short file of the corrected bars alone.
  const isCorrection = count < bounds.manyBars && largest < Math.log(bounds.stepMin);
  // All jumps that are left over are ones that the new prices take away.
  const isMended = runs.some((run, i) => {
    const step = i === 0 ? 0 : levelOf(run) - levelOf(runs[i - 1]);
    return Math.abs(step) >= Math.log(bounds.lastingStepMin);
  });
  if (kind === 'same' && (isCorrection || isMended)) return undefined;
  if (kind !== 'same' && isMended) return undefined;
  return { kind: 'level', row: off[0].start, count };
}

/** Finds series in which most bars fit neither the bars beside them nor the old prices. */
function findUneven(
  ratios: Float64Array,
  runs: readonly Run[],
  slack: Float64Array,
): Contradiction | undefined {
  const long = runs.filter((run) => lengthOf(run) >= bounds.lastingBarsMin);
  const misfits = [...ratios.keys()].filter((row) => {
    if (Math.abs(ratios[row]) <= slack[row] + bounds.noise) return false;
    return !long.some(({ start, end }) => row >= start && row < end);
  });
  if (ratios.length < bounds.lastingBarsMin || misfits.length * 2 <= ratios.length)
    return undefined;
  return { kind: 'uneven', row: misfits[0], count: misfits.length };
}
