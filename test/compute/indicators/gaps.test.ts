/** Bars without a finite close, on random columns: each indicator follows one of two rules. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndicatorParams } from '../../../src/compute/columns/indicator-spec.ts';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';

interface GapRule {
  /** `absent`: as if the bar were not there. `window`: NaN while the gap is in the window. */
  rule: 'absent' | 'window';
  params: IndicatorParams;
}

const RULES: Record<string, GapRule> = {
  sma: { rule: 'window', params: { period: 4 } },
  ema: { rule: 'absent', params: { period: 4 } },
  rsi: { rule: 'absent', params: { period: 4 } },
  macd: { rule: 'absent', params: { fast: 2, slow: 4, signal: 3 } },
  atr: { rule: 'absent', params: { period: 4 } },
  bollinger: { rule: 'window', params: { period: 4, k: 2 } },
};

const gap = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
const price = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
const closes = fc
  .array(fc.oneof({ weight: 5, arbitrary: price }, { weight: 1, arbitrary: gap }), {
    maxLength: 60,
  })
  .map((values) => Float64Array.from(values));

const specs = indicatorCatalogue.map((spec) => [spec.name, spec] as const);
const rows = (rule: GapRule['rule']) => specs.filter(([name]) => RULES[name].rule === rule);

describe('a bar without a finite close', () => {
  it.each(rows('absent'))('is as if absent to %s, to the last bit', (name, spec) => {
    const { params } = RULES[name];
    fc.assert(
      fc.property(closes, (close) => {
        const columns = spec.compute(barsOf(close), params);
        const dense = spec.compute(barsOf(close.filter(Number.isFinite)), params);
        for (const output of spec.outputs) {
          const kept = columns[output].filter((_, i) => Number.isFinite(close[i]));
          expect(kept).toEqual(dense[output]);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it.each(rows('window'))('makes %s NaN exactly while it is in the window', (name, spec) => {
    const { params } = RULES[name];
    fc.assert(
      fc.property(closes, (close) => {
        const columns = spec.compute(barsOf(close), params);
        close.forEach((_, i) => {
          const window = close.subarray(Math.max(0, i + 1 - params.period), i + 1);
          const isWhole = window.length === params.period && window.every(Number.isFinite);
          for (const output of spec.outputs) {
            expect(Number.isFinite(columns[output][i])).toBe(isWhole);
            if (!isWhole) continue;
            const alone = spec.compute(barsOf(window), params)[output][params.period - 1];
            expect(columns[output][i]).toBeCloseTo(alone, 9);
          }
        });
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});
