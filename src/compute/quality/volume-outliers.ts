import { limits } from '../../base/limits.ts';
import type { QualityFlag } from './quality-flag.ts';

/** Greatest distance from the median, in robust standard deviations, that is not flagged. */
const SPREADS_MAX = 8;

/**
 * Smallest standard deviation assumed, in natural logarithms. Eight of it are a factor of 55: news
 * can multiply the volume of a very steady share by twenty.
 */
const SPREAD_MIN = 0.5;

/** From the median to a decile of a normal distribution, in standard deviations. */
const SPREADS_PER_DECILE = 1.2816;

/**
 * Flags bars whose volume has another size than that of the bars before: lots instead of shares, two
 * securities mixed up, no volume at all for a share that trades every day.
 *
 * The logarithm of volume is compared with the median of the window before it, in units of the
 * distance to the decile on that side. Deciles, unlike the median deviation, show that a share often
 * does not trade, and follow another level once a tenth of the window is on it. If half of the
 * window has no volume, none is expected. Only earlier bars count, so a later bar changes no flag.
 */
export function volumeOutliers(volume: Float64Array): QualityFlag[] {
  // No volume counts as one share: the logarithm needs a positive number.
  const logs = volume.map((shares) => Math.log(Math.max(shares, 1)));
  const flags: QualityFlag[] = [];
  const { volumeWindowBars, volumeWindowBarsMin } = limits.quality;
  const medians = coarseMedians(logs, volumeWindowBars);
  for (let row = volumeWindowBarsMin; row < logs.length; row++) {
    if (Math.abs(logs[row] - medians[row]) < SPREADS_MAX * SPREAD_MIN - 1 / BINS_PER_UNIT) continue;
    const window = logs.slice(Math.max(0, row - volumeWindowBars), row).sort();
    const median = window[window.length >> 1];
    const tenth = Math.floor(window.length / 10);
    const decile = window[logs[row] < median ? tenth : window.length - 1 - tenth];
    const spread = Math.max(SPREAD_MIN, Math.abs(decile - median) / SPREADS_PER_DECILE);
    if (median > 0 && Math.abs(logs[row] - median) > SPREADS_MAX * spread) {
      const value = Math.round(volume[row]);
      flags.push({ row, flag: 'volume-outlier', value, expected: Math.round(Math.exp(median)) });
    }
  }
  return flags;
}

const BINS_PER_UNIT = 8;
const BIN_COUNT = 320; // up to e^40 shares

/**
 * Returns, by row, the median of the window before it, rounded down to an eighth. Counting values
 * by size finds it in a few steps a row; sorting each window would not.
 */
function coarseMedians(logs: Float64Array, windowBars: number): Float64Array {
  const medians = new Float64Array(logs.length);
  const bins = new Int16Array(logs.map((value) => Math.min(value * BINS_PER_UNIT, BIN_COUNT - 1)));
  const counts = new Uint16Array(BIN_COUNT);
  let median = 0;
  let below = 0; // values in bins before that of the median
  for (let row = 0; row < logs.length; row++) {
    const rank = Math.min(row, windowBars) >> 1;
    while (below > rank) below -= counts[--median];
    while (row > 0 && below + counts[median] <= rank) below += counts[median++];
    medians[row] = median / BINS_PER_UNIT;

    counts[bins[row]]++;
    if (bins[row] < median) below++;
    if (row < windowBars) continue;
    const oldest = bins[row - windowBars];
    counts[oldest]--;
    if (oldest < median) below--;
  }
  return medians;
}
