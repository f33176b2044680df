/** Fused code has the bits of single operations: values, and the state that a next run needs. */

import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../src/base/bars.ts';
import { barRows } from '../../../src/base/bars.ts';
import {
  bar,
  type Column,
  highest,
  larger,
  leanAndMean,
  lowest,
  mean,
  meanAndDeviation,
  multiply,
  percentChange,
  relativeStrength,
  subtract,
  weightedMean,
} from '../../../src/compute/columns/column.ts';
import {
  COLUMN_ROWS,
  LANES,
  laneColumn,
  STAGED_ROWS,
} from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { datedBars } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const BAR_COUNT = STAGED_ROWS + 140;
/** Row at which the series are cut: behind the first window of most, and not at a whole chunk. */
const CUT = 701;
const NEVER = Number.POSITIVE_INFINITY;

const walks = Array.from({ length: LANES }, (_, i) => datedBars(randomWalk(BAR_COUNT, i + 1)));
const hostile = Object.values(hostileSeries)
  .slice(0, LANES)
  .map((series) => datedBars(series(BAR_COUNT)));
const ragged = walks.map((bars, i) => barRows(bars, 0, BAR_COUNT - 97 * i));
const withGaps = walks.map((bars, i) => {
  const copy = { ...bars, close: bars.close.slice() };
  if (i % 3 === 0) copy.close.fill(Number.NaN, 500 + i, 503 + i);
  return copy;
});
/** Two or three of each kind. */
const mixed = walks.map((_, i) => [hostile, ragged, withGaps][i % 3][i]);

/**
 * Runs in two parts, the second from the state after the first.
 *
 * @param isInPlace True for columns in the memory of the program.
 */
function results(
  columns: readonly Column[],
  bars: readonly BarColumns[],
  fusedFrom: number,
  isInPlace = false,
) {
  const program = new Program(columns, fusedFrom);
  const workspace = isInPlace ? program.workspace() : undefined;
  const placed = workspace?.symbols(bars.map(({ close }) => close.length));
  const out =
    placed?.map(({ outputs }) => outputs) ??
    bars.map(({ close }) => columns.map(() => new Float64Array(close.length)));
  const series = bars.map((one, i) => {
    if (!placed) return one;
    const { inputs } = placed[i];
    for (const name of program.inputs) inputs[name].set(laneColumn(one, name));
    return { ...one, ...inputs };
  });
  const state = new Float64Array(program.stateRows * (series.length > 4 ? 8 : 4));
  const width = state.length / program.stateRows;
  program.run(
    series.map((bars) => barRows(bars, 0, CUT)),
    CUT,
    out.map((own) => own.map((column) => column.subarray(0, CUT))),
    { state, workspace },
  );
  program.run(
    series.map((bars) => barRows(bars, CUT)),
    series[0].close.length - CUT,
    out.map((own) => own.map((column) => column.subarray(CUT))),
    { row: CUT, state, workspace },
  );
  const isEqual = series.every(({ close }) => close.length === series[0].close.length);
  const states = isEqual ? state.filter((_, i) => i % width < series.length) : state.subarray(0, 0);
  return { values: out.map((own) => own.map(bits)), states: bits(states) };
}

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (_, spec) => {
  const columns = spec.expressions(defaultParams(spec));

  it.each(scaled([3], [1, 3, LANES]))('of %i symbols has the same bits and state', (count) => {
    const series = walks.slice(0, count);
    expect(results(columns, series, 0)).toEqual(results(columns, series, NEVER));
  });

  it.each(
    scaled(
      [['series of all kinds', mixed]],
      [
        ['hostile series', hostile],
        ['series that end at different rows', ragged],
        ['series with gaps', withGaps],
      ],
    ),
  )('of %s has the same bits', (_, series) => {
    const { values } = results(columns, series, NEVER);
    for (const isInPlace of scaled([true], [false, true])) {
      expect(results(columns, series, 0, isInPlace).values).toEqual(values);
    }
  });
});

describe.each([
  ['single operations', NEVER],
  ['fused code', 0],
])('columns in the memory of the program, by %s', (_, fusedFrom) => {
  const columns = [bar.high, mean(bar.close, 5), highest(bar.high, 20)];

  it.each([1, 3, LANES])('have the same bits and state: %i symbols', (count) => {
    const series = walks.slice(0, count);
    const expected = results(columns, series, fusedFrom);
    expect(results(columns, series, fusedFrom, true)).toEqual(expected);
  });

  it('come in pieces', () => {
    const program = new Program(columns, fusedFrom);
    const workspace = program.workspace();
    const symbols = workspace.symbols(
      ragged.map(({ close }) => close.length),
      { hasOutputs: false },
    );
    const lanes = symbols.map(({ inputs }, i) => {
      for (const name of program.inputs) inputs[name].set(laneColumn(ragged[i], name));
      return inputs;
    });
    const out = ragged.map(({ close }) => columns.map(() => new Float64Array(close.length)));
    const use = (values: readonly Float64Array[], done: number, rows: number) => {
      for (const [i, column] of values.entries()) {
        const to = out[i % LANES][Math.floor(i / LANES)].subarray(done, done + rows);
        to.set(column.subarray(0, to.length));
      }
    };
    program.runInPieces(lanes, BAR_COUNT, use, { workspace });
    const { values } = results(columns, ragged, NEVER);
    expect(out.map((own) => own.map(bits))).toEqual(values);
  });
});

it('a symbol with more rows than fit the memory is computed elsewhere', () => {
  const columns = [mean(bar.close, 5)];
  const series = [datedBars(randomWalk(COLUMN_ROWS + 1)), walks[0]];
  const expected = results(columns, series, NEVER);
  expect(results(columns, series, 0, true)).toEqual(expected);
});

describe('prices that are not positive numbers', () => {
  const damaged = (change: (bars: BarColumns) => void) => {
    const bars = { ...walks[0], high: walks[0].high.slice(), close: walks[0].close.slice() };
    change(bars);
    return [bars];
  };
  const { high, low, close } = bar;

  // Fused code once divided by prices from a state that single operations had left.
  it.each([
    ['zero', 0],
    ['minus zero', -0],
    ['negative', -1],
  ])('have the same bits if they were %s before', (_, price) => {
    const columns = [percentChange(close, 10), highest(close, 3), lowest(close, 12)];
    const series = damaged((bars) => bars.close.fill(price, CUT - 5, CUT));
    expect(results(columns, series, 0)).toEqual(results(columns, series, NEVER));
  });

  // The difference of two infinities is not a number, which the quick way to a maximum drops.
  it('have the same bits if they are infinite in one row', () => {
    const columns = [larger(subtract(high, close), subtract(high, low))];
    const infinite = walks[0].low.map((price, i) => (i === 800 ? Number.POSITIVE_INFINITY : price));
    const [bars] = damaged((bars) => bars.high.fill(Number.POSITIVE_INFINITY, 800, 801));
    const series = [{ ...bars, low: infinite }];
    expect(results(columns, series, 0)).toEqual(results(columns, series, NEVER));
  });
});

describe('windows that open with outliers', () => {
  // Most values are 0 or small, so that many first values of a block are outliers.
  const series = walks.map(({ close }) => {
    const jumps = close.map((price, i) => (i % 5 < 2 ? 0 : (price % 1) * (i % 7 === 0 ? 1e4 : 1)));
    return datedBars(jumps);
  });
  const { close } = bar;
  it.each([
    ['mean', [mean(close, 14), mean(multiply(close, 2), 14)]],
    ['deviation', Object.values(meanAndDeviation(close, 9))],
    ['weighted mean', [weightedMean(close, 7)]],
    ['lean', Object.values(leanAndMean(close, 11))],
    ['window of one', [mean(close, 1)]],
  ])('have the same bits: %s', (_, columns) => {
    expect(results(columns, series, 0)).toEqual(results(columns, series, NEVER));
  });
});

// Its gross change shrinks in each row, to where an RSI holds its value.
it.each([1, 2, 3, 14])('an RSI of %i bars has the same bits where prices stand still', (period) => {
  const series = walks.map(({ close }) => datedBars(close.slice().fill(close[600], 600, 2300)));
  const columns = [relativeStrength(bar.close, period)];
  expect(results(columns, series, 0)).toEqual(results(columns, series, NEVER));
});

// A stage of this program once held an operation without its input, and its code did not compile.
it('newest values of programs whose operations begin at different rows have the same bits', () => {
  const specs = ['cci', 'kst'].map((name) => indicatorCatalogue.find((one) => one.name === name)!);
  const columns = specs.flatMap((spec) => spec.expressions(defaultParams(spec)));
  const newest = (fusedFrom: number) => {
    const program = new Program(columns, fusedFrom);
    const out = columns.map(() => new Float64Array(LANES));
    const stages = program.stagesFor(BAR_COUNT - 1);
    const ends = walks.map(() => BAR_COUNT);
    program.runNewest(walks, BAR_COUNT, ends, out, [...ends.keys()], { stages });
    return out.map(bits);
  };
  expect(newest(0)).toEqual(newest(NEVER));
});
