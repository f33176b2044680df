/** Divisions by zero in a definition: they give no value, and harm none that follows. */

import { describe, expect, it } from 'vitest';
import type { IndicatorInput, IndicatorSpec } from '../../../src/compute/columns/indicator-spec.ts';
import { defaultParams, indicatorByName } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../support/bars-of.ts';
import { randomWalk } from '../support/hostile-series.ts';

function valuesOf(name: string, output: string, bars: IndicatorInput, params = {}): number[] {
  const spec = indicatorByName(name) as IndicatorSpec;
  return [...spec.compute(bars, { ...defaultParams(spec), ...params })[output]];
}

/** A price that does not move for 40 bars, and then does. */
const close = randomWalk(100);
close.fill(100, 0, 40);
const still: IndicatorInput = { ...barsOf(close), high: close, low: close };

describe('a price that stands still', () => {
  it.each([
    ['linreg', 'r2'],
    ['zscore', 'zscore'],
    ['percent_b', 'percent_b'],
    ['chop', 'chop'],
    ['vortex', 'plus'],
    ['adx', 'adx'],
    ['adx', 'plus_di'],
    ['williams_r', 'williams_r'],
    ['cci', 'cci'],
    ['ultimate', 'ultimate'],
    ['cmo', 'cmo'],
    ['tsi', 'tsi'],
    ['mfi', 'mfi'],
  ])('has no %s %s, until it moves', (name, output) => {
    const values = valuesOf(name, output, still);
    expect(values.slice(0, 40).every(Number.isNaN)).toBe(true);
    expect(values.slice(41).every(Number.isFinite)).toBe(true);
  });

  it.each([
    ['linreg', 'slope', 0],
    ['stddev', 'stddev', 0],
    ['bandwidth', 'bandwidth', 0],
    ['alma', 'alma', 100],
    ['hma', 'hma', 100],
    ['kama', 'kama', 100],
    ['supertrend', 'direction', -1],
    ['roc', 'roc', 0],
    ['ppo', 'histogram', 0],
    ['obv', 'obv', 0],
    ['nvi', 'nvi', 1000],
  ])('has a %s %s of exactly %d', (name, output, expected) => {
    expect(valuesOf(name, output, still)[39]).toBe(expected);
  });
});

it.each([
  ['cci', Number.NaN],
  ['mfi', Number.NaN],
  ['klinger', 0],
  ['fisher', 0],
])('takes no rounding of high + low for a move of the price: %s', (name, expected) => {
  // High and low are as far from a close that stands still, in cents.
  const values = Array.from({ length: 40 }, (_, i) => {
    const prices = (cents: number) =>
      Float64Array.from({ length: 80 }, (_, k) => (1001 + 37 * i + cents * (k % 7)) / 100);
    return valuesOf(name, name, { ...barsOf(prices(0)), high: prices(1), low: prices(-1) });
  });
  expect(new Set(values.flatMap((column) => column.slice(60)))).toEqual(new Set([expected]));
});

describe('averages by volume', () => {
  const closes = Float64Array.of(10, 20, 30, 40, 50, 60);
  const volume = Float64Array.of(1, 3, 0, 0, 2, 2);
  const bars = { ...barsOf(closes), high: closes, low: closes, volume };

  it('have no value while nothing was traded', () => {
    const expected = [Number.NaN, 17.5, 20, Number.NaN, 50, 55];
    expect(valuesOf('vwma', 'vwma', bars, { period: 2 })).toEqual(expected);
    expect(valuesOf('vwap', 'vwap', bars, { period: 2 })).toEqual(expected);
  });

  it('start again with each session in bars shorter than a day', () => {
    const session = Float64Array.of(1, 0, 0, 1, 0, 0);
    const expected = [10, 17.5, 17.5, Number.NaN, 50, 55];
    expect(valuesOf('vwap', 'vwap', { ...bars, session })).toEqual(expected);
  });
});

it('shows leading spans of Ichimoku as many bars later as its base has', () => {
  const bars = barsOf(randomWalk(120));
  const params = { conversion: 3, base: 5, span: 9 };
  const early = valuesOf('ichimoku', 'conversion', bars, params);
  const base = valuesOf('ichimoku', 'base', bars, params);
  const span = valuesOf('ichimoku', 'span_a', bars, params);
  expect(span[50]).toBe((early[45] + base[45]) / 2);
});

it('takes pivot points of bars shorter than a day from the session before', () => {
  const high = Float64Array.of(12, 15, 11, 30, 20, 9);
  const low = Float64Array.of(8, 9, 7, 10, 15, 1);
  const close = Float64Array.of(10, 10, 8, 20, 18, 5);
  const session = Float64Array.of(1, 0, 0, 1, 0, 1);
  const bars = { ...barsOf(close), high, low, close, session };
  const none = Number.NaN;
  expect(valuesOf('pivot_points', 'pivot', bars)).toEqual([none, none, none, 10, 10, 58 / 3]);
  expect(valuesOf('pivot_points', 'r2', bars)).toEqual([none, none, none, 18, 18, 58 / 3 + 20]);
});

it('counts the Connors streak, and ranks the last change among those before', () => {
  // Streaks 1, 2, -1, 0, 1, 2; changes in percent 10, 10, -10, 0, 1, 5.
  const closes = Float64Array.of(100, 110, 121, 108.9, 108.9, 109.989, 115.48845);
  const values = valuesOf('connors_rsi', 'connors_rsi', barsOf(closes), {
    rsi: 1,
    streak: 1,
    rank: 5,
  });
  // Both indices of one change are 100, and three of five changes before are below 5.
  expect(values[6]).toBeCloseTo((100 + 100 + 60) / 3, 10);
});
