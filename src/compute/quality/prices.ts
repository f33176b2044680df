/** Flags prices that trading does not make: jumps, single stray prices and repeated bars. */

import type { BarColumns, Split } from '../../base/bars.ts';
import { limits } from '../../base/limits.ts';
import {
  distance,
  JUMP_MIN,
  RATIO_TOLERANCE,
  TURNOVER_RATIO_DAY_MAX,
  wholeSplit,
} from '../../base/prices/split-jump.ts';
import type { QualityFlag } from './quality-flag.ts';

/**
 * Almost no share moves nearly ten-fold within a session. A move of that size is a misplaced decimal
 * point or a change of units, as cents for dollars.
 */
const UNIT_JUMP_MIN = 9;

/** Factor by which the turnover of the days after a split may differ from that of the days before. */
const TURNOVER_RATIO_MAX = 1.7;

/** Factor by which a jump of 3:2 exceeds the other moves near it: warrants often jump so. */
const SPLIT_TO_MOVES_MIN = 3;

/**
 * Flags jumps of changed units, and of missing and doubled splits.
 *
 * @param bars   Daily bars, adjusted for all known splits and dividends.
 * @param days   Dates of the bars, as days since the epoch.
 * @param splits Known splits, in any order.
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

/**
 * Returns false if no bar can be a jump or a stray price: all tests need closes, or a range with the
 * close before, that are so far apart. It is much cheaper than they are.
 *
 * @param bars Daily bars of a series without splits and dividends, which need no adjustment.
 */
export function mayHavePriceFlags({
  close,
  high,
  low,
}: Pick<BarColumns, 'close' | 'high' | 'low'>): boolean {
  const jumpMin = JUMP_MIN * (1 - ROUNDING);
  const rangeMin = Math.min(STRAY_MIN, UNIT_JUMP_MIN) * (1 - ROUNDING);
  for (let row = 1; row < close.length; row++) {
    const now = close[row];
    const before = close[row - 1];
    const isNear = now < jumpMin * before && before < jumpMin * now;
    const lowest = rangeMin * low[row];
    const isNarrow = high[row] < lowest && before < lowest && high[row] < rangeMin * before;
    if (!(isNear && isNarrow)) return true;
  }
  return false;
}

/** Share of a ratio that rounding may change. */
const ROUNDING = 1e-12;

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

/** Finds a jump by the ratio of a split declared for a day nearby, whatever the volume does. */
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

/** Finds a jump by an integer, 3:2 or the inverse, with the volume moving the other way. */
function unknownSplitJump(
  bars: BarColumns,
  { previous, row, next }: { previous: number; row: number; next: number },
): QualityFlag | undefined {
  const value = openRatio(bars, row);
  const expected =
    wholeSplit(value) ?? [2 / 3, 3 / 2].find((ratio) => distance(value, ratio) <= RATIO_TOLERANCE);
  if (expected === undefined) return undefined;

  const { splitVolumeBars } = limits.quality;
  const before = medianVolume(bars, Math.max(previous, row - splitVolumeBars), row);
  const after = medianVolume(bars, row, Math.min(next, row + splitVolumeBars));
  const jump = distance(value, 1);
  const isSmall = distance(expected, 1) < Math.LN2;
  if (isSmall && !isAlone(bars, row)) return undefined;
  // The turnover of a large jump may differ more, if volume moved against it by half. Volume that
  // did not move would change that of a small one by all of the jump.
  const turnoverMax = isSmall ? 0.85 * jump : Math.max(Math.log(TURNOVER_RATIO_MAX), jump / 2);
  const isInverse =
    distance(after * value, before) <= turnoverMax &&
    bars.volume[row] * value <= TURNOVER_RATIO_DAY_MAX * before;
  return isInverse ? { row, flag: 'missing-split', value, expected } : undefined;
}

/** Returns true if a jump is far larger than all moves near it, over night and within a bar. */
function isAlone({ open, close }: BarColumns, row: number): boolean {
  const most = distance(open[row], close[row - 1]) / SPLIT_TO_MOVES_MIN;
  const { splitVolumeBars: bars } = limits.quality;
  for (let at = Math.max(1, row - bars); at < Math.min(close.length, row + bars); at++) {
    if (at !== row && distance(open[at], close[at - 1]) > most) return false;
    if (distance(close[at], open[at]) > most) return false;
  }
  return true;
}

/** Averages the bars that traded; NaN if none did. */
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

/** Prices of liquid shares and funds stay within a factor of three of the day before and after. */
const STRAY_MIN = 3;

/**
 * Flags single bars whose low or high is far from the closes before and after: one wrong trade that
 * does not show in the closes.
 *
 * `priceJumps` handles a price that stays where it went. The newest bar is checked with the next one.
 *
 * @param bars Daily bars, adjusted for all known splits and dividends.
 */
export function strayPrices({ high, low, close }: BarColumns): QualityFlag[] {
  const flags: QualityFlag[] = [];
  for (let row = 1; row < close.length - 1; row++) {
    const before = close[row - 1];
    const after = close[row + 1];
    const fall = Math.min(before, after) / low[row];
    const rise = high[row] / Math.max(before, after);
    if (!(fall > STRAY_MIN || rise > STRAY_MIN)) continue;
    const value = (fall > rise ? low[row] : high[row]) / before;
    flags.push({ row, flag: 'stray-price', value, expected: 1 });
  }
  return flags;
}

/**
 * Flags runs of bars with the same four prices: a feed that repeats its last bar, or a security
 * without trades. Volume does not count, as some feeds fill it with zeros.
 */
export function unchangedRuns({ open, high, low, close }: BarColumns): QualityFlag[] {
  const flags: QualityFlag[] = [];
  let start = 0;
  for (let row = 1; row <= close.length; row++) {
    const isRepeat =
      close[row] === close[start] &&
      open[row] === open[start] &&
      high[row] === high[start] &&
      low[row] === low[start];
    if (isRepeat) continue;
    const value = row - start;
    if (value >= limits.quality.unchangedBarsMin) {
      flags.push({ row: start, flag: 'unchanged-run', value, expected: 1 });
    }
    start = row;
  }
  return flags;
}

/**
 * Flags bars with all values of one of the bars before, or with four different prices of the bar
 * next to it: a block that was pasted a row too low, or a feed that stands still. `value` is the
 * number of bars back, 1 for the bar next to it.
 */
export function repeatedBars(bars: BarColumns): QualityFlag[] {
  const { high, low, volume } = bars;
  const { repeatedBarsBack, repeatedSharesMin, repeatedRangeMin } = limits.quality;
  const flags: QualityFlag[] = [];
  for (let row = 1; row < high.length; row++) {
    const isTold = volume[row] >= repeatedSharesMin && high[row] > low[row];
    const isWide = high[row] - low[row] >= repeatedRangeMin;
    if (!isTold && !isWide) continue;
    const first = Math.max(0, row - repeatedBarsBack);
    for (let other = row - 1; other >= first; other--) {
      if (!hasPricesOf(bars, row, other)) continue;
      const isRepeat =
        (isTold && volume[row] === volume[other]) ||
        (isWide && other === row - 1 && areFour(bars, row));
      if (!isRepeat) continue;
      flags.push({ row, flag: 'repeated-bar', value: row - other, expected: 0 });
      break;
    }
  }
  return flags;
}

function hasPricesOf({ open, high, low, close }: BarColumns, row: number, other: number): boolean {
  return (
    close[row] === close[other] &&
    open[row] === open[other] &&
    high[row] === high[other] &&
    low[row] === low[other]
  );
}

/** Returns true for four different prices. */
function areFour({ open, high, low, close }: BarColumns, row: number): boolean {
  return (
    open[row] !== close[row] &&
    high[row] > Math.max(open[row], close[row]) &&
    low[row] < Math.min(open[row], close[row])
  );
}
