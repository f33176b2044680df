import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits/limits.ts';
import { unchangedRuns } from '../../../src/compute/quality/unchanged-runs.ts';
import { quietSeries } from '../support/quality-series.ts';

const least = limits.quality.unchangedBarsMin;

/** Row `start` repeated so that `count` bars are alike. */
function repeated(start: number, count: number) {
  const bars = quietSeries(100);
  for (const column of [bars.open, bars.high, bars.low, bars.close]) {
    column.fill(column[start], start, start + count);
  }
  return bars;
}

describe('unchangedRuns', () => {
  it('gives the first bar and the length of a run', () => {
    expect(unchangedRuns(repeated(20, least))).toEqual([
      { row: 20, flag: 'unchanged-run', value: least, expected: 1 },
    ]);
  });

  it('lets shorter runs pass', () => {
    expect(unchangedRuns(repeated(20, least - 1))).toEqual([]);
  });

  it('finds a run at the start and one that lasts to the end', () => {
    expect(unchangedRuns(repeated(0, 15)).map(({ row }) => row)).toEqual([0]);
    expect(unchangedRuns(repeated(70, 30))).toMatchObject([{ row: 70, value: 30 }]);
  });

  it('takes a bar with another high for a change', () => {
    const bars = repeated(20, least);
    bars.high[25] += 0.01;
    expect(unchangedRuns(bars)).toEqual([]);
  });
});
