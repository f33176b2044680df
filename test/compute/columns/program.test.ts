/** Symbols that one run computes side by side have the values that they have alone. */

import { describe, expect, it } from 'vitest';
import {
  above,
  absolute,
  bar,
  both,
  type Column,
  delay,
  divide,
  either,
  ema,
  held,
  isNull,
  larger,
  logarithm,
  mean,
  negation,
  subtract,
  throughout,
  weightedBy,
  within,
} from '../../../src/compute/columns/column.ts';
import { firstTrue } from '../../../src/compute/columns/column-facts.ts';
import { LANES } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const BAR_COUNT = 300;
const universe = Object.values(hostileSeries)
  .slice(0, LANES)
  .map((series) => barsOf(series(BAR_COUNT)));

const blank = (program: Program) =>
  Array.from({ length: program.outputCount }, () => new Float64Array(BAR_COUNT));

function alone(program: Program, bars: (typeof universe)[number]): Float64Array[] {
  const out = blank(program);
  program.run([bars], BAR_COUNT, [out]);
  return out;
}

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (_, spec) => {
  it.each([3, LANES])('of %i symbols has the bits of each symbol alone', (count) => {
    const program = new Program(spec.expressions(defaultParams(spec)));
    const some = universe.slice(0, count);
    const out = some.map(() => blank(program));
    program.run(some, BAR_COUNT, out);
    some.forEach((bars, i) => {
      expect(out[i].map(bits)).toEqual(alone(program, bars).map(bits));
    });
  });
});

describe('expressions', () => {
  const valuesOf = (program: Program, close: Float64Array) =>
    alone(program, { ...barsOf(close), close })[0];

  it('have the logarithms of Math.log to two units of the last place', () => {
    const close = randomWalk(BAR_COUNT).map((price, i) => price * 10 ** ((i % 600) - 300));
    close[0] = 1;
    const logs = valuesOf(new Program([logarithm(bar.close)]), close);
    close.forEach((value, i) => {
      const expected = Math.log(value);
      expect(Math.abs(logs[i] - expected)).toBeLessThanOrEqual(4.5e-16 * Math.abs(expected));
    });
  });

  it('have no logarithm of what is not above 0, and no quotient by 0', () => {
    const close = new Float64Array(BAR_COUNT).fill(-1);
    close[1] = 0;
    close[2] = -0;
    expect(valuesOf(new Program([logarithm(bar.close)]), close)).toEqual(
      close.map(() => Number.NaN),
    );
    const quotients = valuesOf(new Program([divide(1, bar.close)]), close);
    expect([...quotients.subarray(0, 4)]).toEqual([-1, Number.NaN, Number.NaN, -1]);
  });

  it('keep tables of weights apart', () => {
    const program = new Program([
      weightedBy(bar.close, [0.25, 0.75]),
      weightedBy(bar.close, [0.5, 0.25, 0.25]),
    ]);
    const out = alone(program, {
      ...universe[0],
      close: Float64Array.from(universe[0].close, (_, i) => i * 4),
    });
    expect([...out[0].subarray(0, 3)]).toEqual([Number.NaN, 3, 7]);
    expect([...out[1].subarray(0, 4)]).toEqual([Number.NaN, Number.NaN, 3, 7]);
  });
});

describe('conditions', () => {
  const NONE = Number.NaN;
  const TRUTHS = [1, 0, NONE];

  /** Values of a column over bars that close at the values; those may be NaN. */
  function valuesOf(column: Column, close: readonly number[], open = close): number[] {
    const program = new Program([column]);
    const out = new Float64Array(close.length);
    const bars = { close: Float64Array.from(close), open: Float64Array.from(open) };
    program.run([bars], close.length, [[out]]);
    return [...out];
  }

  const pairs = TRUTHS.flatMap((a) => TRUTHS.map((b) => [a, b]));
  const left = pairs.map(([a]) => a);
  const right = pairs.map(([, b]) => b);

  it('follow the tables of Kleene, with NaN as unknown', () => {
    expect(valuesOf(both(bar.close, bar.open), left, right)).toEqual([
      1,
      0,
      NONE,
      0,
      0,
      0,
      NONE,
      0,
      NONE,
    ]);
    expect(valuesOf(either(bar.close, bar.open), left, right)).toEqual([
      1,
      1,
      1,
      1,
      0,
      NONE,
      1,
      NONE,
      NONE,
    ]);
    expect(valuesOf(negation(bar.close), TRUTHS)).toEqual([0, 1, NONE]);
    expect(valuesOf(isNull(bar.close), TRUTHS)).toEqual([0, 0, 1]);
  });

  it('count rows before the first value as unknown', () => {
    const close = [1, 0, 1, 1];
    const late = delay(bar.close, 2);
    expect(valuesOf(both(bar.close, late), close)).toEqual([NONE, 0, 1, 0]);
    expect(valuesOf(either(late, bar.close), close)).toEqual([1, NONE, 1, 1]);
    expect(valuesOf(isNull(late), close)).toEqual([1, 1, 0, 0]);
    expect(valuesOf(within(late, 2), close)).toEqual([NONE, NONE, 1, 1]);
  });

  // Rows before it compute no more than state, by code and by operations alike.
  it('are true from a row on, whose bits do not depend on the rows before being written', () => {
    const isHigh = above(bar.close, mean(bar.close, 20));
    const isUp = above(mean(bar.close, 3), ema(bar.open, 5));
    const conditions = [both(isUp, isHigh), either(isHigh, isUp), both(isHigh, isHigh), isUp];
    expect(conditions.map(firstTrue)).toEqual([19, 4, 19, 4]);
    const bars = barsOf(randomWalk(BAR_COUNT));
    for (const condition of conditions) {
      for (const fusedFrom of [0, Number.POSITIVE_INFINITY]) {
        const out = alone(new Program([condition], fusedFrom), bars)[0];
        expect(out.indexOf(1)).toBeGreaterThanOrEqual(firstTrue(condition));
        for (const fromRow of [firstTrue(condition), 150]) {
          const late = new Float64Array(BAR_COUNT);
          const program = new Program([condition], fusedFrom);
          program.run([bars], BAR_COUNT, [[late]], { fromRow });
          expect(bits(late.subarray(fromRow))).toEqual(bits(out.subarray(fromRow)));
        }
      }
    }
  });

  it('are true within some rows, known if all are, and false after that', () => {
    const close = [0, 0, 0, 1, 0, 0, 0, NONE, 0, 1, 0, 0, 0];
    expect(valuesOf(within(bar.close, 3), close)).toEqual([
      NONE,
      NONE,
      0,
      1,
      1,
      1,
      0,
      NONE,
      NONE,
      1,
      1,
      1,
      0,
    ]);
    expect(valuesOf(within(bar.close, 1), close)).toEqual(close);
  });

  it('are true throughout some rows if they are true on each', () => {
    const close = [1, 1, 1, 1, 0, 1, 1, NONE, 1, 1, 1, 0];
    expect(valuesOf(throughout(bar.close, 3), close)).toEqual([
      NONE,
      NONE,
      1,
      1,
      0,
      0,
      0,
      NONE,
      NONE,
      NONE,
      1,
      0,
    ]);
  });

  it('have the same values over many rows and lanes as each row looked up', () => {
    const rise = above(bar.close, mean(bar.close, 7));
    const program = new Program([rise, within(rise, 66), throughout(rise, 3)]);
    const out = universe.map(() => blank(program));
    program.run(universe, BAR_COUNT, out);
    for (const [rises, any, all] of out) {
      rises.forEach((_, row) => {
        const last = (count: number) =>
          Array.from({ length: count }, (__, i) => rises[row - i] ?? NONE);
        const isAny = last(66).includes(1) ? 1 : last(66).some(Number.isNaN) ? NONE : 0;
        const isAll = last(3).includes(0) ? 0 : last(3).some(Number.isNaN) ? NONE : 1;
        expect([any[row], all[row]]).toEqual([isAny, isAll]);
      });
    }
  });
});

it('repeats the last value of a held column, and has none before the first', () => {
  const NONE = Number.NaN;
  const close = Float64Array.of(NONE, 1, NONE, NONE, 2, NONE);
  const program = new Program([held(bar.close), ema(held(delay(bar.close, 1)), 1)]);
  const out = [new Float64Array(6), new Float64Array(6)];
  program.run([{ close }], 6, [out]);
  expect([...out[0]]).toEqual([NONE, 1, 1, 1, 2, 2]);
  // Averages never forget: a held column that begins without a value leaves them without one.
  expect([...out[1]]).toEqual([NONE, NONE, NONE, NONE, NONE, NONE]);
});

it('compiles an expression that reads its parts twice, fifty deep', () => {
  let column: Column = bar.close;
  for (let depth = 0; depth < 50; depth++) column = absolute(larger(column, subtract(0, column)));
  const program = new Program([column]);
  const out = new Float64Array(2);
  program.run([{ close: Float64Array.of(-3, 2) }], 2, [[out]]);
  expect([...out]).toEqual([3, 2]);
});
