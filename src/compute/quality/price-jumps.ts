/** Jumps of the price that no trading makes: changed units, and splits left out or done twice. */

import type { BarColumns, Split } from '../../base/bars.ts';
import { limits } from '../../base/limits/limits.ts';
import type { QualityFlag } from './quality-flag.ts';

/** Smaller moves are never looked at: they happen. The smallest split it finds is two for three. */
const JUMP_MIN = 1.4;

/**
 * Hardly a share moves nearly ten-fold within a session, so what does is a decimal point in the
 * wrong place or a change of units: cents for dollars.
 */
const UNIT_JUMP_MIN = 9;

/** How near a jump must be to a split's ratio: most opens are within 5 % of the close before. */
const RATIO_TOLERANCE = Math.log(1.05);

/**
 * A split leaves the money traded as it was, while news that halve a price multiply it: by how
 * many times the turnover of the days after may differ, and that of the day itself be more.
 */
const TURNOVER_RATIO_MAX = 1.7;
const TURNOVER_RATIO_DAY_MAX = 4;

/**
 * @param bars   Daily bars, with everything that is known of splits and dividends adjusted for:
 *   what is left of a jump is unexplained.
 * @param days   Their dates, as days since the epoch.
 * @param splits Those known, in any order.
 */
export function priceJumps(
  bars: BarColumns,
  days: Int32Array,
  splits: readonly Split[],
): QualityFlag[] {
  const rows = jumpRows(bars);
  const flags: QualityFlag[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const span = { previous: rows[i - 1] ?? 0, row, next: rows[i + 1] ?? days.length };
    const flag =
      knownSplitJump(bars, row, days[row], splits) ??
      unknownSplitJump(bars, span) ??
      unitJump(bars, row);
    if (flag) flags.push(flag);
  }
  return flags;
}

function jumpRows({ close, high, low }: BarColumns): number[] {
  const rows: number[] = [];
  for (let row = 1; row < close.length; row++) {
    const ratio = close[row] / close[row - 1];
    const isJump = ratio >= JUMP_MIN || ratio <= 1 / JUMP_MIN;
    if (isJump || high[row] / low[row] >= UNIT_JUMP_MIN) rows.push(row);
  }
  return rows;
}

/** A split takes effect overnight, so the open shows its ratio best. */
function openRatio({ open, close }: BarColumns, row: number): number {
  return open[row] / close[row - 1];
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));

/** A jump by the ratio of a split that was declared for a day nearby, whatever the volume does. */
function knownSplitJump(
  bars: BarColumns,
  row: number,
  day: number,
  splits: readonly Split[],
): QualityFlag | undefined {
  const value = openRatio(bars, row);
  for (const { exDay, numerator, denominator } of splits) {
    if (Math.abs(day - exDay) > limits.quality.splitDaysMax) continue;
    const unadjusted = denominator / numerator;
    if (distance(unadjusted, 1) < Math.log(JUMP_MIN)) continue;
    if (distance(value, unadjusted) <= RATIO_TOLERANCE) {
      return { row, flag: 'missing-split', value, expected: unadjusted };
    }
    if (distance(value, 1 / unadjusted) <= RATIO_TOLERANCE) {
      return { row, flag: 'doubled-split', value, expected: 1 / unadjusted };
    }
  }
  return undefined;
}

/** A jump by an integer, or to a part of one, with the volume moving the other way. */
function unknownSplitJump(
  bars: BarColumns,
  { previous, row, next }: { previous: number; row: number; next: number },
): QualityFlag | undefined {
  const value = openRatio(bars, row);
  const times = Math.round(Math.max(value, 1 / value));
  const expected = value > 1 ? times : 1 / times;
  if (times < 2 || !(distance(value, expected) <= RATIO_TOLERANCE)) return undefined;

  const { splitVolumeBars } = limits.quality;
  const before = medianVolume(bars, Math.max(previous, row - splitVolumeBars), row);
  const after = medianVolume(bars, row, Math.min(next, row + splitVolumeBars));
  // Of a large jump the turnover may show more, as long as volume moved against it by half.
  const turnoverMax = Math.max(Math.log(TURNOVER_RATIO_MAX), distance(value, 1) / 2);
  const isInverse =
    distance(after * value, before) <= turnoverMax &&
    bars.volume[row] * value <= TURNOVER_RATIO_DAY_MAX * before;
  return isInverse ? { row, flag: 'missing-split', value, expected } : undefined;
}

/** Of the bars that traded; NaN when none did. */
function medianVolume({ volume }: BarColumns, start: number, end: number): number {
  const traded = volume
    .slice(start, end)
    .filter((shares) => shares > 0)
    .sort();
  return traded.length > 0 ? traded[traded.length >> 1] : Number.NaN;
}

function unitJump({ high, low, close }: BarColumns, row: number): QualityFlag | undefined {
  const before = close[row - 1];
  // A single wrong price shows in the range of its bar; the close may be sound.
  const farthest = distance(high[row], before) > distance(low[row], before) ? high[row] : low[row];
  const value = farthest / before;
  if (distance(value, 1) < Math.log(UNIT_JUMP_MIN)) return undefined;
  return { row, flag: 'unit-jump', value, expected: 10 ** Math.round(Math.log10(value)) };
}
