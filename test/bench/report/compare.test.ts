/** The rule that tells changes from noise. */

import { describe, expect, it } from 'vitest';
import { compareRuns, verdictOf } from '../../../bench/command/report/compare.ts';
import { benchDocument } from './bench-document.ts';

/** Seven samples around a median, all different, with a spread of 1 %. */
const around = (median: number) => [-3, -2, -1, 0, 1, 2, 3].map((i) => median * (1 + i / 150));

describe('two sets of samples', () => {
  it('are noise where the medians differ by less than 5 %', () => {
    expect(verdictOf(around(100), around(104.9))).toMatchObject({
      verdict: 'noise',
      threshold: 0.05,
      ratio: expect.closeTo(1.049),
    });
  });

  it('are a change beyond 5 %, in both directions', () => {
    expect(verdictOf(around(100), around(106)).verdict).toBe('slower');
    expect(verdictOf(around(106), around(100)).verdict).toBe('faster');
    expect(verdictOf(around(100), around(106)).pValue).toBeCloseTo(2 / 3432, 12);
  });

  it('are noise where the spreads cover the difference', () => {
    const wide = [60, 70, 80, 100, 120, 130, 140];
    const wider = wide.map((ms) => ms * 1.5);
    expect(verdictOf(wide, wider)).toMatchObject({ verdict: 'noise' });
    expect(verdictOf(wide, wider).threshold).toBeCloseTo(0.5, 12);
  });

  it('are noise where too few samples were taken', () => {
    expect(verdictOf([1, 1.01, 1.02], [2, 2.01, 2.02])).toMatchObject({
      verdict: 'noise',
      pValue: expect.closeTo(0.1),
    });
  });
});

describe('two runs', () => {
  const before = benchDocument({ ours: around(100), theirs: around(300), yardstick: [10] });

  it('have a regression where one of ours is slower', () => {
    const now = benchDocument({ ours: around(150), theirs: around(300), yardstick: [10] });
    const { hasRegression, changes } = compareRuns(before, now);
    expect(hasRegression).toBe(true);
    expect(changes.map(({ program, verdict }) => [program, verdict])).toEqual([
      ['tapeworks', 'slower'],
      ['peer', 'noise'],
    ]);
  });

  it('have none where only a peer is slower', () => {
    const now = benchDocument({ ours: around(100), theirs: around(600), yardstick: [10] });
    const { hasRegression, changes } = compareRuns(before, now);
    expect([hasRegression, changes[1].verdict]).toEqual([false, 'slower']);
  });

  it('have none on a machine that does all work in twice the time', () => {
    const now = benchDocument({ ours: around(200), theirs: around(600), yardstick: [20] });
    const { changes } = compareRuns(before, now);
    expect(changes.map(({ verdict }) => verdict)).toEqual(['noise', 'noise']);
  });

  it('name what only one of them has, and other conditions', () => {
    const now = benchDocument({ ours: around(100), theirs: around(300), yardstick: [10] });
    const other = {
      ...now,
      machine: { ...now.machine, node: 'v99.0.0' },
      measurements: now.measurements.slice(0, 1).map((one) => ({ ...one, load: '5 symbols' })),
    };
    const { unmatched, remarks, changes } = compareRuns(before, other);
    expect(changes).toEqual([]);
    expect(unmatched).toEqual([
      'written/sma:20 of tapeworks, 5 symbols: only in this run',
      'written/sma:20 of tapeworks, 10 symbols: only in the earlier run',
      'written/sma:20 of peer: only in the earlier run',
    ]);
    expect(remarks).toEqual(['node: v26.0.0 before, v99.0.0 now']);
  });
});
