/** Random programs over random series have the same bits in each of the ways in which they can run. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as make from '../../../src/compute/columns/column.ts';
import { LANES, laneColumn, STAGED_ROWS } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { scaled, tell } from '../../faults/scale.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, seededRandom } from '../support/hostile-series.ts';

const RUNS = scaled(30, 2500);
const NEVER = Number.POSITIVE_INFINITY;

/** A column with a text that a failure shows. */
class Named {
  readonly text: string;
  readonly column: make.Column;

  constructor(text: string, column: make.Column) {
    this.text = text;
    this.column = column;
  }

  [fc.toStringMethod](): string {
    return this.text;
  }
}

const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

const unary: Record<string, (a: make.Column) => make.Column> = {
  absolute: make.absolute,
  logarithm: make.logarithm,
  squareRoot: make.squareRoot,
  snapped: (a) => make.snapped(a, 0.33, { beyond: 0.99, to: 0.999 }),
  held: make.held,
  isNull: make.isNull,
  total: make.total,
  previousOrZero: make.previousOrZero,
  half: (a) => make.multiply(a, 0.5),
  minus: (a) => make.subtract(0, a),
  inverse: (a) => make.divide(1, a),
};
const windowed: Record<string, (a: make.Column, period: number) => make.Column> = {
  delay: make.delay,
  change: make.change,
  percentChange: make.percentChange,
  ema: make.ema,
  emaLag: make.emaLag,
  smooth: make.smooth,
  wilder: make.wilder,
  rsi: make.relativeStrength,
  mean: make.mean,
  deviation: (a, period) => make.meanAndDeviation(a, period).deviation,
  meanOfDeviation: (a, period) => make.meanAndDeviation(a, period).mean,
  weighted: make.weightedMean,
  lean: (a, period) => make.leanAndMean(a, period).lean,
  meanOfLean: (a, period) => make.leanAndMean(a, period).mean,
  weightedBy: (a, period) => make.weightedBy(a, Array(period).fill(1 / period)),
  highest: make.highest,
  below: (a, period) => make.placeAmong(a, period).below,
  equal: (a, period) => make.placeAmong(a, period).equal,
  lowest: make.lowest,
  quantile: (a, period) => make.quantileOf(a, period, 0.3),
  sinceHighest: make.barsSinceHighest,
  sinceLowest: make.barsSinceLowest,
  within: (a, period) => make.within(make.above(a, 100), period),
};
const binary: Record<string, (a: make.Column, b: make.Column) => make.Column> = {
  add: make.add,
  subtract: make.subtract,
  multiply: make.multiply,
  divide: make.divide,
  smaller: make.smaller,
  larger: make.larger,
  above: make.above,
  equal: make.equal,
  both: (a, b) => make.both(make.above(a, b), make.above(b, 50)),
  either: (a, b) => make.either(make.above(a, b), make.isNull(b)),
  choose: (a, b) => make.choose(make.above(a, b), a, b),
  follow: (a, b) => make.follow(a, make.divide(1, b)),
  meanDistance: (a, b) => make.meanDistance(a, b, 5),
  parabolic: (a, b) => make.parabolicStop(make.larger(a, b), make.smaller(a, b), 0.02, 0.2),
  trend: (a, b) => make.trendOfBands(make.larger(a, b), make.smaller(a, b), a).line,
  direction: (a, b) => make.trendOfBands(a, b, make.bar.close).direction,
  restarted: (a, b) => make.total(a, make.above(a, b)),
  highestSince: (a, b) => make.highestSince(a, make.above(a, b)),
};

const oneOf = <T>(table: Record<string, T>) => fc.constantFrom(...Object.entries(table));
const price = fc.constantFrom(...NAMES.map((name) => new Named(name, make.bar[name])));
const period = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 70 }) },
  fc.constantFrom(128, 200, 511, 512, 513),
);

const { column } = fc.letrec((tie) => {
  const column = tie('column') as fc.Arbitrary<Named>;
  return {
    column: fc.oneof(
      { maxDepth: 4 },
      { weight: 2, arbitrary: price },
      fc
        .tuple(oneOf(unary), column)
        .map(([[n, of], a]) => new Named(`${n}(${a.text})`, of(a.column))),
      {
        weight: 3,
        arbitrary: fc
          .tuple(oneOf(windowed), column, period)
          .map(([[n, of], a, p]) => new Named(`${n}(${a.text}, ${p})`, of(a.column, p))),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(oneOf(binary), column, column)
          .map(
            ([[n, of], a, b]) => new Named(`${n}(${a.text}, ${b.text})`, of(a.column, b.column)),
          ),
      },
    ),
  };
});

const ROWS_MAX = STAGED_ROWS + 140;
/** Rows next to those at which a run goes on in another way. */
const row = fc.oneof(
  fc.integer({ min: 0, max: ROWS_MAX }),
  fc
    .tuple(fc.constantFrom(64, 512, 1024, STAGED_ROWS), fc.integer({ min: -3, max: 3 }))
    .map(([seam, by]) => seam + by),
);

const damage = fc.record({
  name: fc.constantFrom(...NAMES),
  row,
  count: fc.integer({ min: 1, max: 12 }),
  value: fc.constantFrom(
    Number.NaN,
    0,
    -0,
    -7,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5e-324,
    3e-310,
    1e-290,
    1e12,
    1.7e308,
  ),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

const series = fc.record({
  kind: fc.constantFrom(...Object.keys(hostileSeries)),
  factor: fc.constantFrom(1, 1, 1, 1.01, 0.5, 1e-300),
  damages: fc.array(damage, { maxLength: 4 }),
});
type Series = typeof series extends fc.Arbitrary<infer T> ? T : never;

function barsFrom({ kind, factor, damages }: Series, length: number) {
  const random = seededRandom(length + damages.length);
  const close = hostileSeries[kind](length).map((value) => value * factor * (1 + random() * 1e-3));
  const bars = barsOf(close);
  const copies = Object.fromEntries(NAMES.map((name) => [name, bars[name].slice()]));
  for (const { name, row, count, value } of damages as Damage[]) {
    copies[name].fill(value, row, row + count);
  }
  return copies as Record<(typeof NAMES)[number], Float64Array>;
}

const partOf = (bars: Record<string, Float64Array>, from: number, to: number) =>
  Object.fromEntries(Object.entries(bars).map(([name, rows]) => [name, rows.subarray(from, to)]));

/** Numbers whose NaN have one pattern. */
const known = (numbers: Float64Array) =>
  bits(numbers.map((value) => (Number.isNaN(value) ? Number.NaN : value)));

/** Values and last state of a run in parts, each from the state after the one before. */
function parts(
  program: Program,
  all: readonly Record<string, Float64Array>[],
  cuts: readonly number[],
) {
  const { length } = all[0].close;
  const out = all.map(() =>
    Array.from({ length: program.outputCount }, () => new Float64Array(length)),
  );
  const state = new Float64Array(program.stateRows * (all.length > LANES / 2 ? LANES : LANES / 2));
  const ends = [...new Set([...cuts.filter((cut) => cut < length), length])].sort((a, b) => a - b);
  let row = 0;
  for (const end of ends) {
    program.run(
      all.map((bars) => partOf(bars, row, end)),
      end - row,
      out.map((own) => own.map((column) => column.subarray(row, end))),
      { row, state },
    );
    row = end;
  }
  const width = state.length / program.stateRows;
  const used = state.filter((_, i) => i % width < all.length);
  return { values: out.map((own) => own.map(known)), state: known(used), numbers: state, width };
}

const cases = fc.record({
  columns: fc.array(column, { minLength: 1, maxLength: 4 }),
  all: fc.array(series, { minLength: 1, maxLength: LANES }),
  length: row.map((rows) => Math.max(2, rows)),
  cuts: fc.array(row, { maxLength: 3 }),
});

it('in one loop, from any state', () => {
  let fused = 0;
  fc.assert(
    fc.property(cases, ({ columns, all, length, cuts }) => {
      const expressions = columns.map(({ column }) => column);
      const bars = all.map((one) => barsFrom(one, length));
      const [single, whole] = [NEVER, 0].map((fusedFrom) =>
        parts(new Program(expressions, fusedFrom), bars, cuts),
      );
      expect(whole.values).toEqual(single.values);
      expect(whole.state).toEqual(single.state);
      fused++;
    }),
    { numRuns: RUNS },
  );
  tell('random programs in one loop', { programs: fused });
});

it('for the newest values alone', () => {
  fc.assert(
    fc.property(cases, ({ columns, all, length }) => {
      const expressions = columns.map(({ column }) => column);
      const bars = all.map((one) => barsFrom(one, length));
      const program = new Program(expressions, 0);
      const whole = parts(new Program(expressions, NEVER), bars, []);
      const out = expressions.map(() => new Float64Array(all.length));
      const stages = program.stagesFor(length - 1);
      const row = Math.max(0, stages[0]?.row ?? length - 1);
      program.runNewest(
        bars.map((one) => partOf(one, row, length)),
        length - row,
        all.map(() => length),
        out,
        [...all.keys()],
        { row, stages },
      );
      const last = whole.values.map((own) => own.map((column) => column[length - 1]));
      expect(all.map((_, lane) => out.map((values) => known(values)[lane]))).toEqual(last);
    }),
    { numRuns: RUNS },
  );
  tell('random programs, newest values', { programs: RUNS });
});

it('bar by bar, from saved states', () => {
  fc.assert(
    fc.property(cases, ({ columns, all, length }) => {
      const expressions = columns.map(({ column }) => column);
      const bars = all.map((one) => barsFrom(one, length));
      const program = new Program(expressions, NEVER);
      const whole = parts(program, bars, []);
      const from = Math.max(0, length - 40);
      const before = parts(program, bars.map((one) => partOf(one, 0, from)) as typeof bars, []);
      const { stateRows } = program;
      const next = program.nextStates();
      next.reserve(all.length * stateRows, all.length);
      const ats = all.map((_, lane) => lane * stateRows);
      for (let lane = 0; lane < all.length; lane++) {
        for (let i = 0; i < stateRows; i++) {
          next.states[ats[lane] + i] = before.numbers[i * before.width + lane];
        }
      }
      for (let row = from; row < length; row++) {
        for (const [i, name] of program.inputs.entries()) {
          next.inputs[i].set(bars.map((one) => laneColumn(one, name)[row]));
        }
        next.advance(row, [...all.keys()], ats, true);
        const values = all.map((_, lane) => next.outputs.map((values) => known(values)[lane]));
        expect(values).toEqual(whole.values.map((own) => own.map((column) => column[row])));
      }
    }),
    { numRuns: RUNS },
  );
  tell('random programs, bar by bar', { programs: RUNS });
});
