/** A program that goes on from its state gives the bits of one run over the whole series. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BarColumns, barRows } from '../../../src/base/bars.ts';
import {
  above,
  bar,
  both,
  type Column,
  delay,
  divide,
  either,
  ema,
  held,
  isNull,
  logarithm,
  mean,
  negation,
  subtract,
  throughout,
  within,
} from '../../../src/compute/columns/column.ts';
import type {
  IndicatorParams,
  IndicatorSpec,
} from '../../../src/compute/columns/indicator-spec.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { datedBars } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries } from '../support/hostile-series.ts';

const anyClose = fc.oneof(
  { weight: 7, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((cents) => cents / 100) },
  { weight: 2, arbitrary: fc.constantFrom(100, 0.1, 1e9, 1e12) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e-300) },
);

/** Closes that stay for some bars: with flat runs and jumps, longer than all warm-ups. */
const anySeries = fc
  .array(fc.tuple(anyClose, fc.integer({ min: 1, max: 9 })), { maxLength: 40 })
  .map((runs) => Float64Array.from(runs.flatMap(([close, count]) => Array(count).fill(close))));

/** Smallest values of all parameters that count bars, so that blocks and seeds are short. */
function shortParams(spec: IndicatorSpec): IndicatorParams {
  const params = spec.params.map(({ name, integer }, i) => [name, integer ? i + 2 : 2.5]);
  return Object.fromEntries(params);
}

/** Numbers of a row of state while one series runs. */
const WIDTH = 4;

/** Runs the bars up to each cut for itself, and those after the last one by one. */
function resumed(program: Program, bars: BarColumns, cuts: readonly number[]) {
  const length = bars.close.length;
  const state = new Float64Array(program.stateRows * WIDTH);
  const columns = blankColumns(program, length);
  let start = 0;
  for (const end of cuts) {
    const part = columns.map((column) => column.subarray(start, end));
    program.run([barRows(bars, start, end)], end - start, [part], { row: start, state });
    start = end;
  }
  const rows = Float64Array.from({ length: program.stateRows }, (_, i) => state[i * WIDTH]);
  const ats = new Int32Array(length);
  const isKept = new Uint8Array(length).fill(1);
  for (let row = start; row < length; row++) {
    program.advance(row, [row], bars, rows, ats, isKept, columns);
  }
  return { columns, state: rows };
}

const blankColumns = (program: Program, length: number) =>
  Array.from({ length: program.outputCount }, () => new Float64Array(length));

function expectSameBits(
  expressions: readonly Column[],
  close: Float64Array,
  cuts: readonly number[],
): void {
  const bars = datedBars(close);
  const program = new Program(expressions);
  const whole = blankColumns(program, close.length);
  const state = new Float64Array(program.stateRows * WIDTH);
  program.run([bars], close.length, [whole], { state });
  const { columns, state: resumedState } = resumed(program, bars, cuts);
  expect(columns.map(bits)).toEqual(whole.map(bits));
  const rows = Float64Array.from({ length: program.stateRows }, (_, i) => state[i * WIDTH]);
  expect(bits(resumedState)).toEqual(bits(rows));
}

const rises = above(bar.close, delay(bar.close, 1));
const isAboveMean = above(bar.close, mean(bar.close, 5));
/** NaN on each bar that closed as the one before. */
const isLargeMove = above(logarithm(subtract(bar.close, delay(bar.close, 1))), 0);

/** Conditions of screens, which no indicator has. */
const conditions = [
  both(rises, isAboveMean),
  either(rises, isAboveMean),
  both(isLargeMove, delay(rises, 3)),
  either(isAboveMean, isLargeMove),
  isNull(divide(bar.close, subtract(bar.close, delay(bar.close, 4)))),
  within(both(rises, negation(delay(rises, 1))), 3),
  within(isLargeMove, 2),
  ema(held(divide(bar.close, subtract(bar.close, delay(bar.close, 2)))), 3),
  throughout(isAboveMean, 70),
  throughout(either(rises, isLargeMove), 1),
];

const cases = indicatorCatalogue.flatMap((spec) => [
  [`${spec.name} with defaults`, spec.expressions(defaultParams(spec)), spec.isPublished] as const,
  [`${spec.name} with short spans`, spec.expressions(shortParams(spec)), spec.isPublished] as const,
]);

describe.each([...cases, ['conditions', conditions, true] as const])(
  '%s, resumed',
  (_, expressions, isThorough) => {
    it('has the bits of the whole series, at any two cuts', () => {
      const share = fc.double({ min: 0, max: 1, noNaN: true });
      fc.assert(
        fc.property(anySeries, share, share, (close, a, b) => {
          const cuts = [a, b].map((at) => Math.floor(at * close.length)).sort((x, y) => x - y);
          expectSameBits(expressions, close, cuts);
        }),
        { seed: 20_261_120, numRuns: scaled(isThorough ? 20 : 5, 300) },
      );
    });

    it.each(Object.entries(hostileSeries))('has the bits of the whole series: %s', (__, series) => {
      const bars = series(scaled(300, 1000));
      for (const cut of scaled([201], [0, 3, 701])) expectSameBits(expressions, bars, [cut]);
    });

    it('has the bits of the whole series after ten thousand equal closes', () => {
      const close = new Float64Array(10_040).fill(100);
      close.set([99, 101.5, 100], 30);
      close[10_030] = 100.25;
      // One by one from the first cut on, or behind most of the closes.
      expectSameBits(expressions, close, scaled([35, isThorough ? 5000 : 9900], [35]));
    });
  },
);
