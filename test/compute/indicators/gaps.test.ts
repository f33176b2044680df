/** Bars without a finite close, on random columns: each indicator follows one of two rules. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { barsOf } from '../support/bars-of.ts';
import { definitions } from '../support/definitions/definitions.ts';

const gap = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
const price = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
const closes = fc
  .array(fc.oneof({ weight: 5, arbitrary: price }, { weight: 1, arbitrary: gap }), {
    maxLength: 60,
  })
  .map((values) => Float64Array.from(values));

const cases = indicatorCatalogue.flatMap((spec) =>
  definitions[spec.name].params.map((params) => ({
    spec,
    params,
    title: [spec.name, ...Object.values(params)].join(':'),
  })),
);

describe('a bar without a finite close', () => {
  it.each(cases.filter(({ spec }) => spec.gaps === 'absent'))(
    'is as if absent to $title, to the last bit',
    ({ spec, params }) => {
      fc.assert(
        fc.property(closes, (close) => {
          const columns = spec.compute(barsOf(close), params);
          const dense = spec.compute(barsOf(close.filter(Number.isFinite)), params);
          for (const output of spec.outputs) {
            const kept = columns[output].filter((_, i) => Number.isFinite(close[i]));
            expect(kept).toEqual(dense[output]);
          }
        }),
        { seed: 1, numRuns: scaled(20, 100) },
      );
    },
  );

  it.each(cases.filter(({ spec }) => spec.gaps === 'window'))(
    'makes $title NaN there, and has no effect once it has left the window',
    ({ spec, params }) => {
      const warmups = spec.warmups(params);
      fc.assert(
        fc.property(closes, (close) => {
          const columns = spec.compute(barsOf(close), params);
          for (const output of spec.outputs) {
            const first = warmups[output];
            for (let row = 0; row < close.length; row++) {
              const value = columns[output][row];
              if (!Number.isFinite(close[row])) expect(value).toBeNaN();
              const window = close.subarray(Math.max(0, row - first), row + 1);
              if (window.length <= first || !window.every(Number.isFinite)) continue;
              const alone = spec.compute(barsOf(window), params)[output][first];
              if (Number.isNaN(alone)) expect(value).toBeNaN();
              else
                expect(Math.abs(value - alone)).toBeLessThan(1e-9 * Math.max(1, Math.abs(alone)));
            }
          }
        }),
        { seed: 2, numRuns: scaled(20, 100) },
      );
    },
  );
});
