/** Outputs that are prices move with the prices; charts draw them over the bars, and no others. */

import { expect, it } from 'vitest';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';
import { randomWalk } from '../support/hostile-series.ts';

const ROWS = 400;
const STEP = 64;

const bars = barsOf(randomWalk(ROWS));
const lifted = {
  ...bars,
  open: bars.open.map((price) => price + STEP),
  high: bars.high.map((price) => price + STEP),
  low: bars.low.map((price) => price + STEP),
  close: bars.close.map((price) => price + STEP),
};

it.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (_name, spec) => {
  const params = defaultParams(spec);
  const before = spec.compute(bars, params);
  const after = spec.compute(lifted, params);
  const moved = spec.outputs.filter(
    (output) => Math.abs(after[output][ROWS - 1] - before[output][ROWS - 1] - STEP) < 1e-6,
  );
  expect(moved).toEqual(spec.priceOutputs);
});
