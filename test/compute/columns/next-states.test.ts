/** Next bars of many symbols have the bits of whole series. */

import { expect, it } from 'vitest';
import { LANES, laneColumn } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const BAR_COUNT = 240;
const NEXT_BARS = scaled(25, 70);
/** An odd number, so that one symbol has no neighbour. */
const series = [
  ...Array.from({ length: 5 }, (_, i) => randomWalk(BAR_COUNT, i + 1)),
  ...Object.values(hostileSeries).map((one) => one(BAR_COUNT)),
]
  .slice(0, 2 * LANES + 1)
  .map(barsOf);
const places = series.map((_, i) => i);

it.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (_, spec) => {
  const columns = spec.expressions(defaultParams(spec));
  const program = new Program(columns);
  const { stateRows } = program;
  const next = program.nextStates();
  next.reserve(series.length * stateRows, series.length);
  const ats = Int32Array.from(places, (place) => place * stateRows);
  const whole = series.map((bars) => {
    const out = columns.map(() => new Float64Array(BAR_COUNT));
    program.run([bars], BAR_COUNT, [out]);
    return out;
  });
  const before = BAR_COUNT - NEXT_BARS;
  for (const [place, bars] of series.entries()) {
    const state = new Float64Array(4 * stateRows);
    const out = columns.map(() => new Float64Array(before));
    program.run([bars], before, [out], { state });
    for (let i = 0; i < stateRows; i++) next.states[ats[place] + i] = state[4 * i];
  }
  for (let row = before; row < BAR_COUNT; row++) {
    for (const [i, name] of program.inputs.entries()) {
      next.inputs[i].set(series.map((bars) => laneColumn(bars, name)[row]));
    }
    const states = bits(next.states.slice());
    for (const isKept of [false, true]) {
      next.advance(row, places, ats, isKept);
      if (!isKept) expect(bits(next.states.slice())).toEqual(states);
      const expected = columns.map((_, i) => Float64Array.from(whole, (out) => out[i][row]));
      expect(next.outputs.map(bits)).toEqual(expected.map(bits));
    }
  }
});
