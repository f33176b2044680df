/** The kernels against exact arithmetic, within the bounds they promise. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  IndicatorParams,
  IndicatorSpec,
} from '../../../src/compute/columns/indicator-spec.ts';
import { indicatorByName, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';
import { accuracy, worstError } from '../support/worst-error.ts';

const PARAMS: Record<string, IndicatorParams[]> = {
  sma: [1, 2, 14, 20, 50, 200, 1000].map((period) => ({ period })),
  ema: [1, 2, 14, 20, 50, 200].map((period) => ({ period })),
  rsi: [1, 2, 14, 50, 200].map((period) => ({ period })),
  macd: [{ fast: 12, slow: 26, signal: 9 }],
  atr: [1, 2, 14, 50, 200].map((period) => ({ period })),
  bollinger: [1, 2, 14, 20, 50, 200, 1000].map((period) => ({ period, k: 2 })),
};

function errorOf(spec: IndicatorSpec, close: Float64Array, params: IndicatorParams): number {
  const bars = barsOf(close);
  return worstError(spec.name, spec.compute(bars, params), bars, params);
}

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
  const { bound, measure } = accuracy[name];

  it.each(Object.entries(hostileSeries))(`is within ${bound} ${measure}: %s`, (_, series) => {
    const close = series(1500);
    for (const params of PARAMS[name]) {
      expect(errorOf(spec, close, params)).toBeLessThanOrEqual(bound);
    }
  });

  it('does not drift over 100,000 bars', () => {
    const close = randomWalk(100_000);
    expect(errorOf(spec, close, PARAMS[name][PARAMS[name].length >> 1])).toBeLessThanOrEqual(bound);
  });

  it('is within the bound on any prices between a hundredth and a million', () => {
    const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    const closes = fc.array(price, { maxLength: 120 });
    const which = fc.constantFrom(...PARAMS[name]);
    fc.assert(
      fc.property(closes, which, (values, params) => {
        expect(errorOf(spec, Float64Array.from(values), params)).toBeLessThanOrEqual(bound);
      }),
      { seed: 20_261_120, numRuns: 150 },
    );
  });
});

// The weights of some spans are further from a double than those of 12, 26 and 9.
it.each(Object.entries(hostileSeries))('macd of other spans is within 1e-13: %s', (_, series) => {
  const close = series(1500);
  const spec = indicatorByName('macd') as IndicatorSpec;
  for (const [fast, slow, signal] of [
    [5, 35, 5],
    [8, 17, 9],
    [50, 200, 20],
  ]) {
    expect(errorOf(spec, close, { fast, slow, signal })).toBeLessThanOrEqual(1e-13);
  }
});
