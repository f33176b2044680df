/** Kinds of differences between a peer's values and ours. */

import { describe, expect, it } from 'vitest';
import { compareColumn, compareOutputs } from '../../../bench/command/indicators/equality.ts';
import { sma } from '../../../src/compute/indicators/averages/sma.ts';
import { stddev } from '../../../src/compute/indicators/volatility/stddev.ts';
import { barsOf } from '../../compute/support/bars-of.ts';
import { randomWalk } from '../../compute/support/hostile-series.ts';

const bars = barsOf(randomWalk(200, 3));
const ours = sma.compute(bars, { period: 5 }).sma;
const deviation = stddev.compute(bars, { period: 5 }).stddev;
const withoutWarmup = Array.from(ours.slice(4));

describe('a column', () => {
  it('is equal in the last 1e-9, whether the warm-up is left out or not', () => {
    const rounded = ours.map((value) => value * (1 + 5e-10));
    expect(compareColumn(ours, rounded, 5)).toEqual({ status: 'equal', detail: '' });
    expect(compareColumn(ours, withoutWarmup, 5)).toEqual({ status: 'equal', detail: '' });
  });

  it.each([
    ['ends one bar early', withoutWarmup.slice(0, -1), 'the same values 1 bar later'],
    ['comes two bars late', [0, 0, ...withoutWarmup.slice(0, -2)], 'the same values 2 bars later'],
    ['is twice ours', withoutWarmup.map((value) => 2 * value), '2 times our values'],
    ['is ours plus ten', withoutWarmup.map((value) => value + 10), 'our values plus 10'],
    [
      'is rounded',
      withoutWarmup.map((value) => Math.round(value * 100) / 100),
      'rounded to 2 decimals',
    ],
  ])('%s', (_, column, detail) => {
    expect(compareColumn(ours, column, 5)).toEqual({ status: 'different', detail });
  });

  it('has the deviation of a sample', () => {
    const sample = deviation.map((value) => value * Math.sqrt(5 / 4));
    expect(compareColumn(deviation, sample, 5)).toEqual({
      status: 'different',
      detail: 'divides by period − 1 (deviation of a sample)',
    });
  });

  it('settles after another start', () => {
    const column = ours.map((value, i) => value + 2 ** -i);
    expect(compareColumn(ours, column, 5)).toEqual({
      status: 'settles',
      detail: 'another start, equal from bar 24 on',
    });
  });

  it('settles where another start is still fading', () => {
    const column = ours.map((value, i) => value * (1 + 0.95 ** i));
    expect(compareColumn(ours, column, 5)).toEqual({
      status: 'settles',
      detail: expect.stringMatching(/^another start, still fading: .* of the value at the end$/),
    });
  });

  it('has its first value at another bar', () => {
    const column = ours.map((value, i) => (i < 9 ? Number.NaN : value));
    const detail = 'first value at bar 9 instead of 4';
    expect(compareColumn(ours, column, 5)).toEqual({ status: 'equal', detail });
  });

  it('differs where it lacks a value', () => {
    const column = ours.map((value, i) => (i === 195 ? Number.NaN : value));
    expect(compareColumn(ours, column, 5).status).toBe('different');
  });

  it('differs by another definition', () => {
    const other = sma.compute(bars, { period: 9 }).sma;
    expect(compareColumn(ours, other, 5)).toEqual({
      status: 'different',
      detail: expect.stringMatching(/another definition: up to .* of the value apart at the end$/),
    });
  });
});

describe('outputs', () => {
  it('are as good as the worst of them, and name those that lack', () => {
    const three = { upper: ours, middle: ours, lower: ours };
    const theirs = { upper: ours, middle: ours.map((value) => 2 * value) };
    expect(compareOutputs(three, theirs, 5)).toEqual({
      status: 'different',
      detail: 'middle: 2 times our values; without lower',
    });
  });

  it('are different where none is in common', () => {
    expect(compareOutputs({ sma: ours }, { mean: ours }, 5)).toEqual({
      status: 'different',
      detail: 'no output in common',
    });
  });
});
