import { describe, expect, it } from 'vitest';
import { remainingTimes } from '../../src/cli/progress.ts';

describe('the remaining time of a step', () => {
  it('follows its pace since it was first reported', () => {
    let nowMs = 0;
    const remaining = remainingTimes(() => nowMs);
    expect(remaining('fetch', 100, 1000)).toBe('');
    nowMs = 60_000;
    expect(remaining('fetch', 200, 1000)).toBe(', about 8 min left');
    expect(remaining('load', 0, 5)).toBe('');
    nowMs = 120_000;
    expect(remaining('fetch', 991, 1000)).toBe(', about 2 s left');
    expect(remaining('fetch', 1000, 1000)).toBe('');
  });

  it('is silent for two seconds, and while nothing is done', () => {
    let nowMs = 0;
    const remaining = remainingTimes(() => nowMs);
    remaining('fetch', 0, 25);
    nowMs = 1000;
    expect(remaining('fetch', 1, 25)).toBe('');
    const stuck = remainingTimes(() => nowMs);
    stuck('fetch', 0, 25);
    nowMs = 60_000;
    expect(stuck('fetch', 0, 25)).toBe('');
  });

  it('begins again where a step does', () => {
    let nowMs = 0;
    const remaining = remainingTimes(() => nowMs);
    remaining('load', 50, 100);
    nowMs = 100_000;
    expect(remaining('load', 0, 100)).toBe('');
    nowMs = 110_000;
    expect(remaining('load', 50, 100)).toBe(', about 10 s left');
  });
});
