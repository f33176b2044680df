/**
 * Cross-check against technicalindicators 3.1, the package our definitions agree with most. It is
 * right on ordinary prices, apart from an RSI rounded to two decimals. It is not the truth: where
 * a value is 0 it takes it for a missing one, because it tests numbers for being truthy.
 */

import { bollingerbands, ema, macd, rsi, sma } from 'technicalindicators';
import { describe, expect, it } from 'vitest';
import type {
  IndicatorOutput,
  IndicatorParams,
} from '../../../src/compute/columns/indicator-spec.ts';
import { indicatorByName } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';
import { randomWalk } from '../support/hostile-series.ts';

const close = randomWalk(1000);
const values = Array.from(close);

function ours(name: string, params: IndicatorParams, input = close): IndicatorOutput {
  const spec = indicatorByName(name);
  if (!spec) throw new Error(`no indicator "${name}"`);
  return spec.compute(barsOf(input), params);
}

/** Theirs ends where ours ends; whatever ours has before must be warm-up. */
function expectSame(column: Float64Array, theirs: (number | undefined)[], tolerance: number): void {
  const start = column.length - theirs.length;
  expect(column.subarray(0, start).every(Number.isNaN)).toBe(true);
  theirs.forEach((value, i) => {
    const own = column[start + i];
    if (value === undefined) expect(own).toBeNaN();
    else expect(Math.abs(own - value)).toBeLessThanOrEqual(tolerance);
  });
}

describe('technicalindicators', () => {
  it('has the same SMA', () => {
    expectSame(ours('sma', { period: 20 }).sma, sma({ values, period: 20 }), 1e-11);
  });

  it('has the same EMA, seed included', () => {
    expectSame(ours('ema', { period: 20 }).ema, ema({ values, period: 20 }), 1e-11);
  });

  it('has the same RSI, to its two decimals', () => {
    expectSame(ours('rsi', { period: 14 }).rsi, rsi({ values, period: 14 }), 0.005 + 1e-9);
  });

  it('has the same MACD, line, signal and histogram', () => {
    const theirs = macd({
      values,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    });
    const columns = ours('macd', { fast: 12, slow: 26, signal: 9 });
    expectSame(
      columns.macd,
      theirs.map((row) => row.MACD),
      1e-11,
    );
    expectSame(
      columns.signal,
      theirs.map((row) => row.signal),
      1e-11,
    );
    expectSame(
      columns.histogram,
      theirs.map((row) => row.histogram),
      1e-11,
    );
  });

  it('has the same Bollinger bands', () => {
    const theirs = bollingerbands({ values, period: 20, stdDev: 2 });
    const columns = ours('bollinger', { period: 20, k: 2 });
    for (const band of ['upper', 'middle', 'lower'] as const) {
      expectSame(
        columns[band],
        theirs.map((row) => row[band]),
        1e-10,
      );
    }
  });

  it('loses a deviation where a close is 0', () => {
    const withZero = [4, 0, 4, 0];
    const [theirs] = bollingerbands({ values: withZero, period: 4, stdDev: 1 });
    const { upper } = ours('bollinger', { period: 4, k: 1 }, Float64Array.from(withZero));
    expect(upper[3]).toBe(4);
    expect(theirs.upper).not.toBe(4);
  });

  it('has an RSI for a price that has not changed', () => {
    const flat = new Array(20).fill(5);
    expect(rsi({ values: flat, period: 14 })).not.toEqual([]);
    expect(ours('rsi', { period: 14 }, Float64Array.from(flat)).rsi.every(Number.isNaN)).toBe(true);
  });
});
