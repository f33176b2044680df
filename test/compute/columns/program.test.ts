/** Symbols that one run computes side by side have the values that they have alone. */

import { describe, expect, it } from 'vitest';
import { bar, divide, logarithm, weightedBy } from '../../../src/compute/columns/column.ts';
import { LANES, Program } from '../../../src/compute/columns/program.ts';
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
