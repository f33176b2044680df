/**
 * Price bases: which can be made from a stored series, and how.
 *
 * Splits are integer ratios, and a price is brought over all of them with one correct rounding. A
 * dividend lowers earlier prices by its share of the close before its ex-date, as Yahoo and CRSP
 * do; several of one day count together.
 */

import { BASES, type BarColumns, type Basis, type Dividend, type Split } from '../bars.ts';
import { newYorkDay } from '../calendar.ts';
import { assert } from '../errors.ts';
import { productOfRatios, type Ratio, scaleColumn } from './ratio.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** A stored series' basis and what is known of its splits and dividends, in any order. */
export interface AdjustmentSource {
  basis: Basis;
  splits: readonly Split[];
  dividends: readonly Dividend[];
  /**
   * Vintage: when the vendor made the series. Events up to the later of this and the last bar are
   * in force; one with a later ex-date has changed no price yet.
   */
  asOfUs?: bigint;
}

/** Dates, both included, for which all splits and dividends are known. */
export interface ActionCoverage {
  fromDay: number;
  toDay: number;
}

export interface DerivableSource {
  basis: Basis;
  actionCoverage: ActionCoverage | undefined;
  firstBarUs: bigint;
  lastBarUs: bigint;
  asOfUs: bigint;
}

/**
 * Bases a series can be given in: its own, and those for which its splits and dividends are known
 * for as long as they matter. In the order of `BASES`.
 */
export function derivableBases(source: DerivableSource): Basis[] {
  const { basis, actionCoverage: coverage, firstBarUs, lastBarUs } = source;
  if (basis === 'all' || !coverage || coverage.fromDay > dayFromMicros(firstBarUs)) return [basis];
  const toLastBar = coverage.toDay >= dayFromMicros(lastBarUs);
  // A vendor's split basis holds the splits up to its vintage; all of them must be known to undo.
  const toVintage = toLastBar && coverage.toDay >= dayFromVintage(source.asOfUs);
  return BASES.filter((to) => to === basis || (to === 'raw' ? toVintage : toLastBar));
}

/** The basis of answers that ask for none: split-adjusted where derivable, else as stored. */
export function defaultBasis(source: DerivableSource): Basis {
  return derivableBases(source).includes('split') ? 'split' : source.basis;
}

/**
 * A whole series on another basis. Volume moves inversely to price.
 *
 * @param bars The whole daily or regular-session series: dividends need the closes before them.
 *   Weekly and monthly bars are made from adjusted daily ones instead, as an event may fall
 *   inside of them.
 * @param to One of `derivableBases`; undoing dividends is a programmer error.
 * @returns `bars` itself when nothing changes, else new columns that share its timestamps.
 */
export function adjustBars(bars: BarColumns, from: AdjustmentSource, to: Basis): BarColumns {
  if (from.basis === to || bars.timestampUs.length === 0) return bars;
  assert(from.basis !== 'all', `bars on basis "all" cannot be brought to "${to}"`);
  const segments = segmentsOf(bars, from, to);
  if (segments.every(({ ratio, factor }) => isUnit(ratio) && factor === 1)) return bars;

  const adjusted = (column: Float64Array, isVolume: boolean): Float64Array => {
    const out = new Float64Array(column.length);
    for (const { start, end, ratio, factor } of segments) {
      const source = column.subarray(start, end);
      const target = out.subarray(start, end);
      scaleColumn(source, isVolume ? inverse(ratio) : ratio, target);
      if (factor !== 1) multiply(target, isVolume ? 1 / factor : factor);
    }
    return out;
  };
  return {
    timestampUs: bars.timestampUs,
    open: adjusted(bars.open, false),
    high: adjusted(bars.high, false),
    low: adjusted(bars.low, false),
    close: adjusted(bars.close, false),
    volume: adjusted(bars.volume, true),
  };
}

/** Rows [start, end) that share one price ratio (splits) and one price factor (dividends). */
interface Segment {
  start: number;
  end: number;
  ratio: Ratio;
  factor: number;
}

const UNIT: Ratio = { numerator: 1, denominator: 1 };

function isUnit({ numerator, denominator }: Ratio): boolean {
  return numerator === denominator;
}

function inverse({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator };
}

function multiply(column: Float64Array, factor: number): void {
  for (let i = 0; i < column.length; i++) column[i] *= factor;
}

function segmentsOf(bars: BarColumns, from: AdjustmentSource, to: Basis): Segment[] {
  const { timestampUs } = bars;
  const lastDay = lastDayInForce(timestampUs, from.asOfUs);
  const inForce = ({ exDay }: { exDay: number }): boolean => exDay <= lastDay;
  const splits = from.splits.filter(inForce);
  const toSplitBasis = splitRatios(splits);
  const dividends =
    to === 'all' ? dividendFactors(bars, from, from.dividends.filter(inForce), toSplitBasis) : [];

  const starts = new Set([0]);
  for (const { exDay } of splits) starts.add(firstRowOfDay(timestampUs, exDay));
  for (const { row } of dividends) starts.add(row);
  const rows = [...starts].filter((row) => row < timestampUs.length).sort((a, b) => a - b);
  return rows.map((start, i) => {
    const ratio = toSplitBasis(dayFromMicros(timestampUs[start]));
    let factor = 1;
    for (const dividend of dividends) if (dividend.row > start) factor *= dividend.factor;
    return {
      start,
      end: rows[i + 1] ?? timestampUs.length,
      ratio: from.basis === 'raw' ? ratio : to === 'raw' ? inverse(ratio) : UNIT,
      factor,
    };
  });
}

/** By day, the ratio that brings its raw prices to the split basis. */
function splitRatios(splits: Split[]): (day: number) => Ratio {
  const newestFirst = splits.toSorted((a, b) => b.exDay - a.exDay);
  const ratios = [UNIT];
  for (const { numerator, denominator } of newestFirst) {
    ratios.push(productOfRatios(ratios[ratios.length - 1], inverse({ numerator, denominator })));
  }
  return (day) => {
    const later = newestFirst.findIndex(({ exDay }) => exDay <= day);
    return ratios[later === -1 ? newestFirst.length : later];
  };
}

/**
 * What each ex-date does to the prices before it.
 *
 * @returns The first row on or after each ex-date (may be one past the last), and 1 − amount ÷
 *   the close before, both on the split basis of the ex-date. Dates without an earlier bar are
 *   missing, and so are amounts that reach the close: no price can follow from them.
 */
function dividendFactors(
  bars: BarColumns,
  from: AdjustmentSource,
  dividends: Dividend[],
  toSplitBasis: (day: number) => Ratio,
): { row: number; factor: number }[] {
  const amountByDay = new Map<number, number>();
  for (const { exDay, amount } of dividends) {
    amountByDay.set(exDay, (amountByDay.get(exDay) ?? 0) + amount);
  }
  const factors: { row: number; factor: number }[] = [];
  for (const [exDay, amount] of amountByDay) {
    const row = firstRowOfDay(bars.timestampUs, exDay);
    if (row === 0) continue;
    const previousDay = dayFromMicros(bars.timestampUs[row - 1]);
    const stored = from.basis === 'raw' ? toSplitBasis(previousDay) : UNIT;
    const ratio = productOfRatios(stored, inverse(toSplitBasis(exDay)));
    const [previousClose] = scaleColumn(bars.close.subarray(row - 1, row), ratio);
    if (amount < previousClose) factors.push({ row, factor: 1 - amount / previousClose });
  }
  return factors;
}

function lastDayInForce(timestampUs: BigInt64Array, asOfUs: bigint | undefined): number {
  const lastBarDay = dayFromMicros(timestampUs[timestampUs.length - 1]);
  return asOfUs === undefined ? lastBarDay : Math.max(lastBarDay, dayFromVintage(asOfUs));
}

function dayFromMicros(timestampUs: bigint): number {
  const remainder = timestampUs % MICROS_PER_DAY;
  return Number((timestampUs - remainder) / MICROS_PER_DAY) - (remainder < 0n ? 1 : 0);
}

/** A vintage at midnight UTC is the date of a file's newest bar; any other is a moment. */
function dayFromVintage(asOfUs: bigint): number {
  if (asOfUs % MICROS_PER_DAY === 0n) return dayFromMicros(asOfUs);
  return newYorkDay(Number(asOfUs / 1000n));
}

/** First row on or after a day; the row count when there is none. */
function firstRowOfDay(timestampUs: BigInt64Array, day: number): number {
  const wantedUs = BigInt(day) * MICROS_PER_DAY;
  let low = 0;
  let high = timestampUs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestampUs[middle] < wantedUs) low = middle + 1;
    else high = middle;
  }
  return low;
}
