import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { volumeOutliers } from '../../../src/compute/quality/volume-outliers.ts';
import { quietSeries } from '../support/quality-series.ts';

const { volumeWindowBars, volumeWindowBarsMin } = limits.quality;

function changed(row: number, shares: number): Float64Array {
  const { volume } = quietSeries(200);
  volume[row] = shares;
  return volume;
}

/** By the definition, with a sort for each bar. */
function outliersBySorting(volume: Float64Array): number[] {
  const logs = Array.from(volume, (shares) => Math.log(Math.max(shares, 1)));
  return logs.flatMap((value, row) => {
    const window = logs.slice(Math.max(0, row - volumeWindowBars), row).sort((a, b) => a - b);
    if (window.length < volumeWindowBarsMin) return [];
    const median = window[Math.floor(window.length / 2)];
    const towards = value < median ? window : window.toReversed();
    const spread = Math.abs(towards[Math.floor(window.length / 10)] - median) / 1.2816;
    return median > 0 && Math.abs(value - median) > 8 * Math.max(0.5, spread) ? [row] : [];
  });
}

describe('volumeOutliers', () => {
  it('finds a day in lots of a hundred, and one without volume', () => {
    expect(volumeOutliers(changed(150, 1e4)).map(({ row }) => row)).toEqual([150]);
    expect(volumeOutliers(changed(150, 0))).toMatchObject([{ row: 150, value: 0 }]);
    expect(volumeOutliers(changed(150, 1e8)).map(({ row }) => row)).toEqual([150]);
  });

  it('says what was expected: the median of the bars before', () => {
    const [{ expected }] = volumeOutliers(changed(150, 0));
    const window = quietSeries(200)
      .volume.slice(150 - volumeWindowBars, 150)
      .sort();
    expect(expected).toBe(window[volumeWindowBars >> 1]);
  });

  it('does not flag twenty times the usual volume', () => {
    expect(volumeOutliers(changed(150, 2e7))).toEqual([]);
  });

  it('knows shares that often do not trade', () => {
    const volume = Float64Array.from({ length: 200 }, (_, row) => (row % 3 === 0 ? 0 : 5000));
    expect(volumeOutliers(volume)).toEqual([]);
  });

  it('expects nothing after a quarter without volume', () => {
    const { volume } = quietSeries(200);
    expect(volumeOutliers(volume.fill(0, 0, 100))).toEqual([]);
  });

  it('knows another level after a tenth of the window', () => {
    const volume = quietSeries(200).volume.map((shares, row) =>
      row < 100 ? shares : shares / 1e4,
    );
    const rows = volumeOutliers(volume).map(({ row }) => row);
    expect(rows).toEqual([100, 101, 102, 103, 104, 105, 106]);
  });

  it('needs some bars before it says anything', () => {
    expect(volumeOutliers(changed(volumeWindowBarsMin - 1, 0))).toEqual([]);
    expect(volumeOutliers(changed(volumeWindowBarsMin, 0)).length).toBe(1);
  });

  it('is the definition', () => {
    const shares = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1000, max: 5000 }) },
      fc.constantFrom(0, 0.5, 1, 100, 1e6, 1e9, 1e13, 1e30),
    );
    const volumes = fc.array(shares, { minLength: 60, maxLength: 300 });
    fc.assert(
      fc.property(volumes, (values) => {
        const volume = Float64Array.from(values);
        expect(volumeOutliers(volume).map(({ row }) => row)).toEqual(outliersBySorting(volume));
      }),
      { seed: 20261120, numRuns: 200 },
    );
  });
});
