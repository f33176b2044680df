/** The indicators against exact arithmetic, within the bounds they promise. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  IndicatorParams,
  IndicatorSpec,
} from '../../../src/compute/columns/indicator-spec.ts';
import {
  defaultParams,
  indicatorByName,
  indicatorCatalogue,
} from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { barsOf } from '../support/bars-of.ts';
import { definitions } from '../support/definitions/definitions.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';
import { worstError } from '../support/worst-error.ts';

function errorOf(spec: IndicatorSpec, close: Float64Array, params: IndicatorParams): number {
  const bars = barsOf(close);
  return worstError(spec.name, spec.compute(bars, params), bars, params);
}

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
  const { bound, measure, params: others, longParams = [] } = definitions[name];
  const { isPublished } = spec;
  // Exact arithmetic is slow: the short form tries all spans of what is published alone.
  const allParams = [
    defaultParams(spec),
    ...others,
    ...(isPublished ? longParams : scaled([], [...longParams])),
  ];
  const barCount = scaled(isPublished ? 500 : 150, 1500);
  const driftCount = scaled(isPublished ? 5000 : 1000, 100_000);

  it.each(Object.entries(hostileSeries))(`is within ${bound} ${measure}: %s`, (_, series) => {
    const close = series(barCount);
    for (const params of allParams) {
      expect(errorOf(spec, close, params)).toBeLessThanOrEqual(bound);
    }
  });

  it(`does not drift over ${driftCount} bars`, () => {
    const close = randomWalk(driftCount);
    expect(errorOf(spec, close, defaultParams(spec))).toBeLessThanOrEqual(bound);
  });

  it('is within the bound on any prices between a hundredth and a million', () => {
    const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    const closes = fc.array(price, { maxLength: 120 });
    const which = fc.constantFrom(...allParams);
    fc.assert(
      fc.property(closes, which, (values, params) => {
        expect(errorOf(spec, Float64Array.from(values), params)).toBeLessThanOrEqual(bound);
      }),
      { seed: 20_261_120, numRuns: scaled(8, 150) },
    );
  });
});

it.each(Object.entries(hostileSeries))(
  'macd with its defaults is within 1e-14: %s',
  (_, series) => {
    const spec = indicatorByName('macd') as IndicatorSpec;
    expect(errorOf(spec, series(500), defaultParams(spec))).toBeLessThanOrEqual(1e-14);
  },
);
